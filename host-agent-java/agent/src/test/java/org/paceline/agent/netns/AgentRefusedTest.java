package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.protocol.Refusal;

/** Who must not run says why and leaves nothing. */
class AgentRefusedTest extends InNamespaces {
  @Test
  void anAgentOfAnotherProtocolVersionIsRefusedAndLeavesNothing() throws Exception {
    controller.door(
        hello ->
            hello.getProtocolVersion() == 1
                ? Optional.empty()
                : Optional.of(
                    Refusal.newBuilder()
                        .setCode(Refusal.Code.UNSUPPORTED_PROTOCOL_VERSION)
                        .setMessage("The protocol version (99) is unknown; this speaks 1.")
                        .build()));
    try (AgentProcess agent = agent("--protocol-version", "99")) {
      assertThat(agent.awaitExit()).isEqualTo(2);
      assertThat(agent.output()).contains("protocol version (99)");
      assertHostIsAsFound();
    }
  }

  @Test
  void anEarlierControllerThatDoesNotKnowAnIntentEndsNoAgent() throws Exception {
    controller.door(
        hello ->
            hello.getIntentsList().contains("voip/call")
                ? Optional.of(
                    Refusal.newBuilder()
                        .setCode(Refusal.Code.UNKNOWN_INTENT)
                        .setMessage("The intent (voip/call) is unknown.")
                        .addUnknownIntents("voip/call")
                        .addKnownIntents("voip/telephone")
                        .build())
                : Optional.empty());
    try (AgentProcess agent = agent()) {
      assertThat(agent.awaitOutput("UNKNOWN_INTENT"))
          .contains("voip/call", "Maybe you meant one of voip/telephone")
          .contains("nothing is paced, trying again");

      // Somebody creates it.
      controller.door(hello -> Optional.empty());
      awaitAttached();
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
  }

  @Test
  void aSecondHostOfTheSameNameWaitsUntilTheFirstHasGone() throws Exception {
    controller.door(
        hello ->
            Optional.of(
                Refusal.newBuilder()
                    .setCode(Refusal.Code.DUPLICATE_HOST)
                    .setMessage("The host (h1) is attached already.")
                    .build()));
    try (AgentProcess agent = agent()) {
      assertThat(agent.awaitOutput("DUPLICATE_HOST"))
          .contains("The host (h1) is attached already", "nothing is paced, trying again");
      assertThat(qdiscs()).doesNotContain("htb");

      controller.door(hello -> Optional.empty());
      awaitAttached();
      assertThat(qdiscs()).contains("htb ace1:");
      assertThat(agent.output().split("DUPLICATE_HOST", -1)).as("said once").hasSize(2);
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
  }

  @Test
  void whereNoInterfaceIsUpThatIsSaidAndItWaits() throws Exception {
    try (AgentProcess agent = agentWith(List.of("unshare", "--net"), "")) {
      agent.awaitOutput("There is no interface to pace on: none is up");
      assertThat(agent.stop()).isZero();
      assertThat(agent.output()).doesNotContain("Exception");
    }
    assertHostIsAsFound();
  }

  @Test
  void aControllersNameThatCannotBeLookedUpYetIsWaitedFor() throws Exception {
    remember();
    String config = config("").replace(TwoHosts.CONTROLLER_ADDRESS, "nowhere.invalid");
    try (AgentProcess agent =
        AgentProcess.start(hosts.sender, List.of(), directory, config, RULES)) {
      agent.awaitOutput("The controller's name (nowhere.invalid) cannot be looked up");
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
  }

  @Test
  void whereOnlyTheControllersInterfaceIsThereAPersonHasToNameIt() throws Exception {
    hosts.cutCable();
    try (AgentProcess agent = agent()) {
      assertThat(agent.awaitExit()).isEqualTo(2);
      assertThat(agent.output()).contains("besides loopback and the controller's", "Maybe name it");
    }
  }

  @Test
  void aSecondAgentInTheSameNamespaceIsRefused() throws Exception {
    try (AgentProcess first = agent()) {
      awaitAttached();
      try (AgentProcess second = agent()) {
        assertThat(second.awaitExit()).isEqualTo(2);
        assertThat(second.output()).contains("Another agent runs in this network namespace");
      }
      assertThat(qdiscs()).contains("htb ace1:");
    }
  }

  @Test
  void aQueueOfSomebodyElsesIsLeftAlone() throws Exception {
    hosts.onSender(
        "tc",
        "qdisc",
        "add",
        "dev",
        TwoHosts.DEVICE,
        "root",
        "handle",
        "7:",
        "pfifo",
        "limit",
        "50");
    try (AgentProcess agent = agent()) {
      assertThat(agent.awaitExit()).isEqualTo(2);
      assertThat(agent.output()).contains("pfifo 7:", "adopt: true");
      assertThat(qdiscs()).contains("pfifo 7:");
    }
    try (AgentProcess agent = agentWith("adopt: true\n")) {
      awaitAttached();
      assertThat(qdiscs()).contains("htb ace1:");
      assertThat(agent.stop()).isZero();
    }
    assertThat(qdiscs()).contains("pfifo 7: root", "limit 50p");
  }

  @Test
  void aQueueThatCouldNotBePutBackIsNotReplacedEither() throws Exception {
    hosts.onSender("tc", "qdisc", "add", "dev", TwoHosts.DEVICE, "root", "handle", "7:", "htb");
    try (AgentProcess agent = agentWith("adopt: true\n")) {
      assertThat(agent.awaitExit()).isEqualTo(2);
      assertThat(agent.output()).contains("htb 7:", "could not be put back");
    }
    assertThat(qdiscs()).contains("htb 7:");
  }
}
