package org.paceline.agent.enforce.htb;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.paceline.agent.flow.FirstPacket;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;

class TraceLineTest {
  private static final String PACKET =
      "trace id e82c31e3 inet paceline out packet: oif \"agva\" ip saddr 10.201.0.1 ip daddr"
          + " 10.201.0.2 ip dscp cs0 ip ecn not-ect ip ttl 64 ip id 62206 ip protocol tcp ip length"
          + " 60 tcp sport 48840 tcp dport 5201 tcp flags == syn tcp window 64240 ";

  @Test
  void aPacketIsReadWithItsFlowAndWayOut() throws Exception {
    assertThat(TraceLine.parse(PACKET, "paceline"))
        .contains(
            new FirstPacket(
                new Flow(
                    Transport.TCP,
                    InetAddress.getByName("10.201.0.1"),
                    48_840,
                    InetAddress.getByName("10.201.0.2"),
                    5_201),
                "agva",
                true));
  }

  @ParameterizedTest
  @ValueSource(strings = {"syn | ack", "syn,ack", "0x12", "0x2"})
  void anAnswerToAnOpeningOpensToo(String flags) {
    assertThat(TraceLine.parse(PACKET.replace("== syn", "== " + flags), "paceline"))
        .hasValueSatisfying(sighting -> assertThat(sighting.opensConnection()).isTrue());
  }

  @ParameterizedTest
  @ValueSource(strings = {"ack", "rst", "psh | ack", "fin | ack", "0x10", "0x4", "0x14"})
  void aPacketThatMayComeAfterTheEndOpensNothing(String flags) {
    assertThat(TraceLine.parse(PACKET.replace("== syn", "== " + flags), "paceline"))
        .hasValueSatisfying(sighting -> assertThat(sighting.opensConnection()).isFalse());
  }

  @Test
  void theRuleThatFollowsAndOtherTablesAreNoSightings() {
    assertThat(
            TraceLine.parse("trace id 1 inet paceline out rule x (verdict continue)", "paceline"))
        .isEmpty();
    assertThat(TraceLine.parse(PACKET, "firewall")).isEmpty();
  }

  @Property(seed = "20")
  void anyTextIsReadWithoutHarm(@ForAll String text) {
    assertThat(TraceLine.parse(text, "paceline")).isEmpty();
  }
}
