package org.paceline.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.paceline.control.directive.Capabilities;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.Enforcement;
import org.paceline.control.model.PacketMatch;
import org.paceline.control.model.Transport;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.PortMatch;
import org.paceline.protocol.PortMatches;
import org.paceline.protocol.Protocol;

final class MatchesOnTheWireTest {
  private static final PortMatch TCP = match(Protocol.TCP, 40_000, 443);
  private static final PortMatch UDP = match(Protocol.UDP, 50_000, 443);
  private static final ConversationOpened OPENED =
      AgentServerRig.opened("c1", "10.0.0.2").toBuilder()
          .setProtocol(Protocol.UDP)
          .setLocalPort(50_001)
          .setRemotePort(443)
          .build();

  private static PortMatch match(Protocol protocol, int local, int remote) {
    return PortMatch.newBuilder()
        .setProtocol(protocol)
        .setLocalPort(local)
        .setRemotePort(remote)
        .build();
  }

  private static Conversation read(ConversationOpened opened) {
    return Translation.conversation("h1", Capabilities.ofAgent("h1", "htb", true, false), opened);
  }

  @Test
  void anAgentThatTellsOfOneMatchHasThatOne() {
    assertThat(read(OPENED).moreMatches()).isEmpty();
    assertThat(read(OPENED).matches()).containsExactly(PacketMatch.of(Transport.UDP, 50_001, 443));
  }

  @Test
  void matchesAreReadInAnOrderOfTheirOwn() {
    Conversation one = read(OPENED.toBuilder().addMoreMatches(UDP).addMoreMatches(TCP).build());
    Conversation same =
        read(
            OPENED.toBuilder().addMoreMatches(TCP).addMoreMatches(UDP).addMoreMatches(TCP).build());
    assertThat(one)
        .isEqualTo(same)
        .extracting(Conversation::moreMatches)
        .isEqualTo(
            List.of(
                PacketMatch.of(Transport.TCP, 40_000, 443),
                PacketMatch.of(Transport.UDP, 50_000, 443)));
    assertThat(read(OPENED).isToldOtherwise(one)).isTrue();
    assertThat(one.isToldOtherwise(same)).isFalse();
  }

  @Test
  void whatIsReceivedIsReadFromItsSendersEnd() {
    Conversation incoming =
        Translation.incoming(
            "h1", Enforcement.RECEIVER, OPENED.toBuilder().addMoreMatches(TCP).build());
    assertThat(incoming.moreMatches()).containsExactly(PacketMatch.of(Transport.TCP, 443, 40_000));
  }

  @Test
  void anEmptyOneIsAllBetweenTheTwo() {
    assertThat(
            read(OPENED.toBuilder().addMoreMatches(PortMatch.getDefaultInstance()).build())
                .moreMatches())
        .containsExactly(PacketMatch.of(Transport.ANY, 0, 0));
  }

  @Test
  void whatIsNoPortOrTooManyIsRefused() {
    for (int port : new int[] {65_536, -1}) {
      ConversationOpened bad =
          OPENED.toBuilder()
              .addMoreMatches(TCP)
              .addMoreMatches(match(Protocol.UDP, 0, port))
              .build();
      assertThatThrownBy(() -> read(bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("(" + port + ")")
          .hasMessageContaining("h1/c1");
    }
    ConversationOpened many =
        OPENED.toBuilder()
            .addAllMoreMatches(Collections.nCopies(PortMatches.MOST + 1, TCP))
            .build();
    assertThatThrownBy(() -> read(many))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("(c1)")
        .hasMessageContaining("(33)");
  }
}
