package org.paceline.agent.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.naming.Rule;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.naming.SocketFacts;
import org.paceline.agent.session.Messages;
import org.paceline.agent.sockets.ProcessInfo;
import org.paceline.agent.sockets.TcpInfo;
import org.paceline.intents.tree.IntentPath;
import org.paceline.protocol.PortMatch;
import org.paceline.protocol.PortMatches;
import org.paceline.protocol.Protocol;

class ConversationTest {
  private final Conversations conversations = new Conversations("t", 10);
  private final Flow first = flow(1);
  private final Flow second = flow(2);
  private final Flow third = flow(3);
  private final Conversation one = open();

  @Test
  void nothingIsSaidOfTcpBeforeTheKernelWasAsked() {
    assertThat(one.tcp()).isEmpty();
    one.tcpIs(Map.of());
    assertThat(one.tcp()).isEmpty();
  }

  @Test
  void whatItsSocketsSentAgainIsAddedUpAndTheirMedianRoundTripIsTaken() {
    one.tcpIs(
        Map.of(
            first, new TcpInfo(3, 20_000, 0, 0),
            second, new TcpInfo(0, 70_000, 0, 0),
            third, new TcpInfo(1, 30_000, 0, 0)));

    assertThat(one.tcp()).contains(new TcpInfo(4, 30_000, 0, 0));
  }

  @Test
  void whatASocketThatIsGoneSentAgainStillCounts() {
    one.tcpIs(Map.of(first, new TcpInfo(3, 20_000, 0, 0), second, new TcpInfo(2, 70_000, 0, 0)));
    conversations.leave(one, first);
    one.tcpIs(Map.of(second, new TcpInfo(5, 70_000, 0, 0)));

    assertThat(one.tcp()).contains(new TcpInfo(8, 70_000, 0, 0));
  }

  @Test
  void aSocketWithThePortsOfAnotherBeginsAnew() {
    one.tcpIs(Map.of(first, new TcpInfo(9, 20_000, 0, 0)));
    one.tcpIs(Map.of(first, new TcpInfo(2, 20_000, 0, 0)));

    assertThat(one.tcp()).contains(new TcpInfo(11, 20_000, 0, 0));
  }

  @Test
  void whatTheFarEndHeldBackIsOfTheTimeSinceTheReadingBefore() {
    one.tcpIs(Map.of(first, new TcpInfo(0, 0, 1_000, 900)));
    one.tcpIs(Map.of(first, new TcpInfo(0, 0, 3_000, 1_000), second, new TcpInfo(0, 0, 500, 400)));

    assertThat(one.tcp()).contains(new TcpInfo(0, 0, 2_500, 500));
  }

  @Test
  void anUnmeasuredRoundTripIsNone() {
    one.tcpIs(Map.of(first, new TcpInfo(0, 0, 0, 0), second, new TcpInfo(0, 500, 0, 0)));
    assertThat(one.tcp()).contains(new TcpInfo(0, 500, 0, 0));
  }

  @Test
  void ofItsSocketsWithOtherPortsEachIsToldOnceInAFixedOrderUntilItIsGone() {
    assertThat(one.matches(match(first))).as("as the first socket").isFalse();
    assertThat(one.matches(match(third))).isTrue();
    assertThat(one.matches(match(second))).isTrue();
    assertThat(one.matches(match(second))).as("known").isFalse();
    assertThat(one.moreMatches()).containsExactly(match(second), match(third));
    assertThat(one.matchesNoMore(match(second))).isTrue();
    assertThat(one.matchesNoMore(match(second))).isFalse();
    assertThat(one.moreMatches()).containsExactly(match(third));
    assertThat(Messages.opened(one, 0).getMoreMatchesList())
        .containsExactly(
            PortMatch.newBuilder()
                .setProtocol(Protocol.TCP)
                .setLocalPort(80)
                .setRemotePort(3)
                .build());
  }

  @Test
  void ofTooManyMatchesAllPacketsAreToldForGood() {
    for (int i = 1; i <= PortMatches.MOST; i++) {
      assertThat(one.matches(match(flow(100 + i)))).isTrue();
    }
    assertThat(one.moreMatches()).hasSize(PortMatches.MOST);
    assertThat(one.matches(match(flow(200)))).isTrue();
    assertThat(Messages.opened(one, 0).getMoreMatchesList())
        .containsExactly(PortMatch.getDefaultInstance());
    assertThat(one.matches(match(flow(201)))).isFalse();
    assertThat(one.matchesNoMore(match(flow(101)))).isFalse();
    assertThat(one.matchesAll()).isTrue();
  }

  private static ClassKey match(Flow flow) {
    return ClassKey.of(flow, RuleSet.Coverage.SOCKET);
  }

  private Conversation open() {
    ConversationKey key = ConversationKey.of(IntentPath.parse("a/b"), Rule.Grouping.ADDRESS, first);
    Conversation opened =
        conversations
            .open(
                key,
                "eth0",
                ClassKey.of(first, RuleSet.Coverage.SOCKET),
                new SocketFacts(first, ProcessInfo.UNKNOWN, Optional.empty(), Optional.empty()),
                Optional.empty(),
                0,
                0)
            .orElseThrow();
    conversations.join(opened, first);
    conversations.join(opened, second);
    conversations.join(opened, third);
    return opened;
  }

  private static Flow flow(int port) {
    InetAddress host = InetAddress.getLoopbackAddress();
    return new Flow(Transport.TCP, host, 80, host, port);
  }
}
