package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.paceline.protocol.Hello;

/** A cut of ten minutes, with the lease that the controller gives where nobody sets another. */
@Tag("long")
class LongCutTest extends InNamespaces {
  private static final int LEASE_SECONDS = 120;
  private static final int CUT_SECONDS = 600;

  @Test
  void afterTheCutEveryConversationIsRightAgain() throws Exception {
    controller.lease(LEASE_SECONDS);
    controller.beat();
    try (AgentProcess agent = agentWith("safeRate: 12mbit\n")) {
      awaitAttached();
      try (Download before = download(2)) {
        controller.grant(Map.of(before.id(), FIVE_MEGABIT));
        hosts.onSender("ip", "link", "set", "ctl0", "down");
        Instant since = Instant.now();

        await(since, LEASE_SECONDS / 2);
        assertThat(classes()).contains("rate 5Mbit");
        await(since, LEASE_SECONDS + 20);
        assertThat(classes()).contains("rate 10Mbit");
        await(since, 2 * LEASE_SECONDS);
        assertThat(classes()).contains("rate 12Mbit");
        await(since, 3 * LEASE_SECONDS + 30);
        assertThat(qdiscs()).doesNotContain("htb");
        try (TrafficProcess call =
            TrafficProcess.start(hosts.sender, "datagrams", "10.213.77.1", "5004", "10.213.77.2")) {
          await(since, CUT_SECONDS);
          Hello last = controller.latestHello().orElseThrow();

          hosts.onSender("ip", "link", "set", "ctl0", "up");
          Recovery mended = new Recovery(hosts);
          mended.await(
              "the agent has called", () -> !controller.latestHello().orElseThrow().equals(last));
          grant(controller.awaitOpen("voip/call").getId(), 2_000_000);
          mended.awaitPaced("5Mbit", "2Mbit");
          assertThat(controller.awaitOpen("files/download").getId()).isEqualTo(before.id());
        }
      }
      assertThat(agent.stop()).isZero();
      System.out.print(agent.output());
    }
    assertHostIsAsFound();
  }

  private static void await(Instant since, long seconds) throws InterruptedException {
    Thread.sleep(
        Math.max(0, Duration.between(Instant.now(), since.plusSeconds(seconds)).toMillis()));
  }
}
