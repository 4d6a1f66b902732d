package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.paceline.protocol.Capabilities;
import org.paceline.protocol.Hello;

/** What a host can do is tried, told to the controller and shown to a person. */
class EnforcerChoiceTest extends InNamespaces {
  @Test
  void aHostThatCannotPaceSaysSoAndIsLeftAsItIs() throws Exception {
    try (AgentProcess agent = agentWith("enforcer: none\n")) {
      awaitAttached();
      Capabilities capabilities = controller.latestHello().orElseThrow().getCapabilities();
      assertThat(capabilities.getEnforcer()).isEmpty();
      try (Download download = download(1)) {
        var answer = controller.grant(Map.of(download.id(), FIVE_MEGABIT)).getRates(0);
        assertThat(answer.getRateBitsPerSecond()).isZero();
        assertThat(answer.getError()).contains("paces nothing");
        assertThat(command("status")).contains("pacing nothing, enforcer none", "5000.0");
        assertThat(qdiscs()).doesNotContain("htb");
        assertThat(hosts.onSender("nft", "list", "tables")).doesNotContain("paceline");
      }
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
  }

  @Test
  void theBestThatWorksHereIsChosenAndShown() throws Exception {
    try (AgentProcess agent = agentWith("enforcer: auto\n")) {
      awaitAttached();
      Hello hello = controller.latestHello().orElseThrow();
      assertThat(command("--version"))
          .isEqualToIgnoringNewLines("paceline-agent " + hello.getAgentVersion());
      String chosen = hello.getCapabilities().getEnforcer();
      assertThat(chosen).isNotEmpty();
      assertThat(command("status"))
          .contains("pacing on [" + TwoHosts.DEVICE + "], enforcer " + chosen);
    }
  }

  @Test
  void namedCapabilitiesAreEnough() throws Exception {
    try (AgentProcess agent = agentWith(LeastPrivilege.WORDS, "")) {
      awaitAttached();
      try (Download download = download(1)) {
        assertThat(controller.grant(Map.of(download.id(), FIVE_MEGABIT)).getRates(0).getError())
            .isEmpty();
      }
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
  }

  @Test
  void withoutTheRightToChangeQueuesItSaysSo() throws Exception {
    try (AgentProcess agent = agentWith(LeastPrivilege.NOTHING, "")) {
      assertThat(agent.awaitExit()).isEqualTo(2);
      assertThat(agent.output()).contains("CAP_NET_ADMIN");
    }
  }
}
