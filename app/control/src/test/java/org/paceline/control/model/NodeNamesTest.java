package org.paceline.control.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;

final class NodeNamesTest {
  private static final String HOST = "00:00:00:00:00:03/None";
  private static final String SWITCH = "of:0000000000000001";

  private final NetworkState network =
      NetworkState.of(
          Network.of(Set.of(HOST, SWITCH), List.of()),
          Map.of("fe80::200:ff:fe00:3", HOST, "10.0.0.3", HOST),
          Map.of(SWITCH, "core-1"),
          Map.of(),
          List.of());

  @Test
  void aHostHasItsAgentsName() {
    assertThat(NodeNames.of(network, List.of(agent("10.0.0.3"))).of(LinkId.of(HOST, SWITCH)))
        .isEqualTo("desk-3 -> core-1");
  }

  @Test
  void aHostWithoutAnAgentHasTheAddressThatPeopleKnow() {
    assertThat(NodeNames.of(network, List.of(agent("10.0.0.9"))).of(HOST)).isEqualTo("10.0.0.3");
  }

  @Test
  void theSolversSentencesNameNodesAsPeopleDo() {
    assertThat(
            NodeNames.of(network, List.of())
                .in(
                    "The link ("
                        + HOST
                        + " -> "
                        + SWITCH
                        + ") has no room. Not of:00000000000000012."))
        .isEqualTo("The link (10.0.0.3 -> core-1) has no room. Not of:00000000000000012.");
  }

  private static AgentInfo agent(String address) {
    return AgentInfo.of("desk-3", List.of(address), "htb", "1", "192.0.2.1:5", Instant.EPOCH);
  }
}
