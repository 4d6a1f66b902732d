package org.paceline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.Report;

/** What an agent says is not lost where the controller meets a fault of its own. */
final class AgentFaultsTest {
  @RegisterExtension final AgentServerRig rig = new AgentServerRig();

  private AgentServerRig.Agent attached() throws InterruptedException {
    AgentServerRig.Agent agent = rig.agent();
    agent.say(AgentServerRig.hello("h1").build());
    assertThat(agent.hears().hasWelcome()).isTrue();
    return agent;
  }

  private static void assertIsToStartOver(AgentServerRig.Agent agent) throws Exception {
    assertThat(agent.ended.poll(AgentServerRig.SECONDS, TimeUnit.SECONDS))
        .contains("UNAVAILABLE", "once more");
  }

  /** It comes back with all that is open. */
  @ParameterizedTest
  @ValueSource(strings = {"attached", "opened"})
  void whatAnAgentSaysOnceItIsToSayOnceMore(String event) throws Exception {
    rig.broken.put(event, new StackOverflowError("for a test"));
    AgentServerRig.Agent agent = rig.agent();
    agent.say(AgentServerRig.hello("h1").build());
    agent.say(AgentServerRig.opened("c1", "10.0.0.2"));
    assertIsToStartOver(agent);
    assertThat(rig.written).filteredOn(line -> line.contains("StackOverflowError")).hasSize(1);

    rig.broken.clear();
    AgentServerRig.Agent back = rig.agent();
    back.say(
        AgentServerRig.hello("h1")
            .addConversations(AgentServerRig.opened("c1", "10.0.0.2"))
            .build());
    assertThat(back.hears().hasWelcome()).isTrue();
    assertThat(back.hearsRates().getRates().getRatesList()).hasSize(1);
  }

  @Test
  void whatComesAgainByItselfEndsNothing() throws Exception {
    AgentServerRig.Agent agent = attached();
    rig.broken.put("reported", new NoClassDefFoundError("for a test"));
    for (int i = 0; i < 3; i++) {
      agent.say(AgentMessage.newBuilder().setReport(Report.getDefaultInstance()).build());
    }
    agent.say(AgentServerRig.opened("c1", "10.0.0.2"));
    assertThat(agent.hearsRates().getRates().getRatesList()).hasSize(1);
    assertThat(agent.ended).isEmpty();
    assertThat(rig.written).filteredOn(line -> line.contains("NoClassDefFoundError")).hasSize(3);
  }

  /** Such as by the planner, which takes in later what it was told. */
  @Test
  void whoeverCouldNotTakeInWhatAnAgentSaidHasItSaidOnceMore() throws Exception {
    AgentServerRig.Agent agent = attached();
    rig.agents.askAgain("h1");
    assertIsToStartOver(agent);
    attached();
    rig.agents.askAgain("nobody");
  }
}
