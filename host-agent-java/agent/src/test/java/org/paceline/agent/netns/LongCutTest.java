package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.paceline.protocol.Hello;

/**
 * A network that is cut for as long as {@code -Dpaceline.cut=PT10M} says, with the lease that the
 * controller gives where nobody sets another: too long for every build.
 */
@EnabledIfSystemProperty(named = "paceline.cut", matches = "PT.+")
class LongCutTest extends InNamespaces {
  private static final int LEASE_SECONDS = 120;

  @Test
  void afterTheCutEveryConversationIsRightAgain() throws Exception {
    Duration cut = Duration.parse(System.getProperty("paceline.cut", "PT10M"));
    assertThat(cut).isGreaterThan(Duration.ofSeconds(3L * LEASE_SECONDS + 60));
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
          await(since, cut.toSeconds());
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
