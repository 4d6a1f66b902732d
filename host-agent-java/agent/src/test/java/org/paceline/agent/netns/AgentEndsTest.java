package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.paceline.protocol.Refusal;

/** However an agent, its controller or its queues go, the host ends up as documented. */
class AgentEndsTest extends InNamespaces {
  @Test
  void aKilledAgentThatNobodyStartsAgainLeavesTheHostAsItWas() throws Exception {
    try (AgentProcess agent = agentWith("restartGrace: 1s\n")) {
      awaitAttached();
      assertThat(qdiscs()).contains("htb");

      agent.kill();

      awaitHostIsAsFound();
    }
  }

  @Test
  void whatAnAgentLeavesThatIsKilledBeforeItWasWelcomedIsClearedByTheNextOneOfAnyNamespace()
      throws Exception {
    controller.door(
        hello -> Optional.of(Refusal.newBuilder().setCode(Refusal.Code.UNAVAILABLE).build()));
    Path lock = lockFile();
    try (AgentProcess agent = agent()) {
      await(() -> statusSocket(lock), Files::exists);
      startAndStopOneElsewhere();
      assertThat(lock).exists();
      assertThat(command("status")).contains("h1");
      agent.kill();
    }

    // That it is there before is not asked: any agent clears it, and other tests start some, too.
    startAndStopOneElsewhere();

    assertThat(lock).doesNotExist();
    assertThat(statusSocket(lock)).doesNotExist();
    assertHostIsAsFound();
  }

  private void startAndStopOneElsewhere() throws Exception {
    String config = config("").replace("interfaces: auto", "interfaces: [plb0]");
    try (AgentProcess agent =
        AgentProcess.start(hosts.receiver, List.of(), directory, config, RULES)) {
      agent.awaitOutput("trying again");
      assertThat(lockFile(hosts.receiver)).exists();
      assertThat(agent.stop()).isZero();
    }
    assertThat(lockFile(hosts.receiver)).doesNotExist();
    assertThat(statusSocket(lockFile(hosts.receiver))).doesNotExist();
  }

  /** Before it has taken over from one that was killed, meanwhile, or after it. */
  @ParameterizedTest
  @ValueSource(ints = {700, 1_100})
  void whoeverIsStoppedWhileItBeginsLeavesTheHostAsItWas(int millis) throws Exception {
    try (AgentProcess agent = agentWith("restartGrace: 3s\n")) {
      awaitAttached();
      agent.kill();
      try (AgentProcess next = agentWith("restartGrace: 3s\n")) {
        Thread.sleep(millis);
        // With 143 it has not begun, and the guardian of the one before does it.
        assertThat(next.stop()).isIn(0, 143);
      }
      awaitHostIsAsFound();
    }
  }

  @Test
  void whenTheGuardianIsKilledTooTheNextAgentCleansUp() throws Exception {
    try (AgentProcess agent = agent()) {
      awaitAttached();
      agent.killWith(guardian());

      assertThat(qdiscs()).contains("htb");
      assertThat(stateFile()).exists();
      // The guardian, and what the agent had just started, take a moment to be gone.
      await(this::helpers, List.of("nft")::equals);
    }
    controller.awaitLeft();

    try (AgentProcess next = agent()) {
      controller.awaitAgent();
      awaitQueues(true);
      assertThat(next.stop()).isZero();
    }
    // Segment sizes, too, are what the first agent found, not what it had set; and of the first
    // agent's monitor, too, nothing is left.
    assertHostIsAsFound();
  }

  @Test
  void ratesHoldWhileTheControllerIsAwayAndAreAnnouncedWhenItComesBack() throws Exception {
    whilePacing(
        "",
        1,
        (agent, download) -> {
          // The cable to the controller is cut: nothing of it passes, and nobody is told.
          hosts.onSender("ip", "link", "set", "ctl0", "down");
          assertReceived(FIVE_MEGABIT, 5, 3_000);
          hosts.onSender("ip", "link", "set", "ctl0", "up");

          new Recovery(hosts).awaitPaced("5Mbit");
          assertThat(controller.awaitOpen("files/download").getId()).isEqualTo(download.id());
          grant(download.id(), 2_000_000);
        });
  }

  @Test
  void withoutAControllerRatesHoldThenRelaxThenEndAndComeBackWithIt() throws Exception {
    controller.lease(3);
    controller.beat();
    whilePacing(
        "safeRate: 12mbit\n",
        1,
        (agent, download) -> {
          hosts.onSender("ip", "link", "set", "ctl0", "down");

          assertThat(classes()).contains("rate 5Mbit");
          // The first step lasts for a second, which whoever looks late does not see; the others
          // last for five.
          await(this::classes, now -> now.contains("rate 10Mbit") || now.contains("rate 12Mbit"));
          awaitQueues(false);
          assertThat(hosts.onSender("nft", "list", "tables")).doesNotContain("paceline");

          // Only one agent a namespace, also while it paces nothing.
          try (AgentProcess second = agent()) {
            assertThat(second.awaitExit()).isEqualTo(2);
          }
          controller.lease(0);
          hosts.onSender("ip", "link", "set", "ctl0", "up");

          new Recovery(hosts).awaitPaced("5Mbit");
          assertThat(controller.awaitOpen("files/download").getId()).isEqualTo(download.id());
        });
  }
}
