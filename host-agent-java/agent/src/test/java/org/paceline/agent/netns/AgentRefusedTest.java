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
  void aRulesFileWithAnIntentThatNobodyKnowsIsRefusedByName() throws Exception {
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
      assertThat(agent.awaitExit()).isEqualTo(2);
      assertThat(agent.output()).contains("voip/call", "Maybe you meant one of voip/telephone");
      assertHostIsAsFound();
    }
  }

  @Test
  void aSecondHostOfTheSameNameIsRefused() throws Exception {
    controller.door(
        hello ->
            Optional.of(
                Refusal.newBuilder()
                    .setCode(Refusal.Code.DUPLICATE_HOST)
                    .setMessage("The host (h1) is attached already.")
                    .build()));
    try (AgentProcess agent = agent()) {
      assertThat(agent.awaitExit()).isEqualTo(2);
      assertThat(agent.output()).contains("DUPLICATE_HOST", "h1");
      assertHostIsAsFound();
    }
  }

  @Test
  void whereNoInterfaceIsUpThatIsSaid() throws Exception {
    try (AgentProcess agent = agentWith(List.of("unshare", "--net"), "")) {
      assertThat(agent.awaitExit()).isEqualTo(2);
      assertThat(agent.output())
          .contains("There is no interface to pace on: none is up")
          .doesNotContain("Exception");
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
