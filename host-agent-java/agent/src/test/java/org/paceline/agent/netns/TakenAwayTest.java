package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.Hello;
import org.paceline.protocol.Report;

/** Whatever is killed, cut or taken away, rates are as documented after it, and nothing is left. */
class TakenAwayTest extends InNamespaces {
  private static final long TWO_MEGABIT = 2_000_000;

  @Test
  void ratesGoOnWhereAKilledAgentIsStartedAgain() throws Exception {
    try (AgentProcess agent = agent()) {
      awaitAttached();
      try (Download download = download(2)) {
        grant(download.id(), FIVE_MEGABIT);
        long sent = hosts.sentByRate(TwoHosts.DEVICE).getOrDefault("5Mbit", 0L);

        agent.kill();
        controller.awaitLeft();
        assertThat(classes()).contains("rate 5Mbit");

        Recovery started = new Recovery(hosts);
        try (AgentProcess next = agent()) {
          started.awaitPaced("5Mbit");
          ConversationOpened again = controller.awaitOpenAgain("files/download", download.id());
          assertThat(again.getInstalledRateBitsPerSecond()).isEqualTo(FIVE_MEGABIT);
          // The very class: its counters have not begun anew.
          assertThat(hosts.sentByRate(TwoHosts.DEVICE).getOrDefault("5Mbit", 0L))
              .isGreaterThan(sent);
          assertThat(next.output()).contains("its rates go on");

          grant(again.getId(), TWO_MEGABIT);
          assertThat(classes()).contains("rate 2Mbit").doesNotContain("rate 5Mbit");
          assertThat(next.stop()).isZero();
        }
      }
    }
    assertHostIsAsFound();
  }

  @Test
  void leaseOfAKilledAgentRunsOnInTheNext() throws Exception {
    controller.lease(3);
    controller.beat();
    try (AgentProcess agent = agentWith("safeRate: 12mbit\n")) {
      awaitAttached();
      try (Download download = download(1)) {
        controller.grant(Map.of(download.id(), FIVE_MEGABIT));
        hosts.onSender("ip", "link", "set", "ctl0", "down");
        agent.kill();
        try (AgentProcess next = agentWith("safeRate: 12mbit\n")) {
          // Relaxed once or twice, by when it has begun.
          await(this::classes, now -> now.contains("rate 10Mbit") || now.contains("rate 12Mbit"));
          awaitQueues(false);
          assertThat(next.stop()).isZero();
        }
      }
    }
    assertHostIsAsFound();
  }

  @Test
  void aRestartedControllerFindsEveryRateAsItWas() throws Exception {
    whilePacing(
        "",
        1,
        (agent, download) -> {
          int port = controller.port();
          controller.close();
          // Long enough for the agent to wait as long as it ever does between two attempts.
          Thread.sleep(6_000);
          controller = new TestController(TwoHosts.CONTROLLER_ADDRESS, port, Optional.empty());
          Recovery back = new Recovery(hosts);

          back.await("the controller knows it", () -> !controller.open("files/download").isEmpty());
          back.awaitPaced("5Mbit");
          ConversationOpened again = controller.awaitOpen("files/download");
          assertThat(again.getId()).isEqualTo(download.id());
          assertThat(again.getInstalledRateBitsPerSecond()).isEqualTo(FIVE_MEGABIT);
          // By digests: the one before knew them, and this one, which holds nothing, asked.
          assertThat(controller.latestHello().orElseThrow().getConversationsCount()).isZero();
          assertThat(classes()).contains("rate 5Mbit");
        });
  }

  /** By a firewall that flushes every table, by hand, with its interface, with the controller. */
  @Test
  void whatIsTakenAwayComesBackHoweverOftenAndNothingPilesUpInTheAgent() throws Exception {
    whilePacing(
        "",
        2,
        (agent, download) -> {
          List<String> sorted = sorted();
          assertThat(sorted).isNotEmpty();
          takeAwayAll(sorted);
          List<String> classes = classesWithoutQueues();
          List<String> once = settled(agent);
          takeAwayAll(sorted);
          // What is opened once, and late, has been by now. What leaks is more each time.
          List<String> known = new ArrayList<>(once);
          known.addAll(without(settled(agent), once));
          takeAwayAll(sorted);
          await(() -> without(agent.open(), known), List::isEmpty);
          await(this::classesWithoutQueues, classes::equals);
          grant(download.id(), TWO_MEGABIT);
          assertThat(classes()).contains("rate 2Mbit").doesNotContain("rate 5Mbit");
        });
  }

  /** What is open once two looks find the same: on a busy host something may still come or go. */
  private static List<String> settled(AgentProcess agent) throws Exception {
    List<String> before = List.of();
    List<String> now = agent.open();
    while (!now.equals(before)) {
      Thread.sleep(2_000);
      before = now;
      now = agent.open();
    }
    return now;
  }

  /** What there is more of than in the second. */
  private static List<String> without(List<String> open, List<String> known) {
    List<String> more = new ArrayList<>(open);
    known.forEach(more::remove);
    return more;
  }

  /** One after the other, and the controller last. */
  private void takeAwayAll(List<String> sorted) throws Exception {
    hosts.onSender("nft", "flush", "ruleset");
    Recovery flushed = new Recovery(hosts);
    flushed.await("packets are sorted as before", () -> sorted().equals(sorted));
    flushed.awaitPaced("5Mbit");

    hosts.onSender("tc", "qdisc", "del", "dev", TwoHosts.DEVICE, "root");
    new Recovery(hosts).awaitPaced("5Mbit");

    hosts.cutCable();
    Report last = controller.latestReport().orElseThrow();
    controller.await(
        "a report without it", () -> controller.latestReport().filter(r -> !r.equals(last)));
    hosts.layCable();
    new Recovery(hosts).awaitPaced("5Mbit");

    int port = controller.port();
    controller.close();
    controller = new TestController(TwoHosts.CONTROLLER_ADDRESS, port, Optional.empty());
    Recovery back = new Recovery(hosts);
    back.await("the controller knows it", () -> !controller.open("files/download").isEmpty());
    back.awaitPaced("5Mbit");
  }

  private List<String> classesWithoutQueues() throws Exception {
    return classes().lines().map(line -> line.replaceAll("leaf \\S+", "")).sorted().toList();
  }

  /** What leads to classes. */
  private List<String> sorted() throws Exception {
    return Pattern.compile("[^ ,{]+( \\. [^ ,]+)+ : ace1:[0-9a-f]+")
        .matcher(hosts.onSender("nft", "list", "ruleset"))
        .results()
        .map(MatchResult::group)
        .sorted()
        .toList();
  }

  @Test
  void whatOpensWhileTheNetworkIsCutForLongerThanAnyLeaseIsToldAndPacedAfterIt() throws Exception {
    controller.lease(3);
    controller.beat();
    try (AgentProcess agent = agent()) {
      awaitAttached();
      try (Download before = download(1)) {
        controller.grant(Map.of(before.id(), FIVE_MEGABIT));
        hosts.cutController();
        awaitQueues(false);
        controller.lease(0);

        String call;
        try (TrafficProcess server =
            TrafficProcess.start(hosts.sender, "datagrams", "10.213.77.1", "5004", "10.213.77.2")) {
          hosts.mendController();
          Recovery mended = new Recovery(hosts);

          call = controller.awaitOpen("voip/call").getId();
          grant(call, TWO_MEGABIT);
          mended.awaitPaced("5Mbit", "2Mbit");
          assertThat(controller.awaitOpen("files/download").getId()).isEqualTo(before.id());
        }
        controller.awaitClosed(call);
      }
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
  }

  @Test
  void aStepOfTheWallClockChangesNoRateAndNoLease() throws Exception {
    SteppedClock clock = new SteppedClock(directory);
    controller.lease(600);
    try (AgentProcess agent = agentWith(clock.words(), "safeRate: 12mbit\n")) {
      awaitAttached();
      // A busy host's first attempt may take too long: that is no matter of clocks.
      int attached = agent.output().length();
      try (Download download = download(1)) {
        controller.grant(Map.of(download.id(), FIVE_MEGABIT));
        // Further than all leases are long, both ways.
        for (Duration day : List.of(Duration.ofDays(1), Duration.ofDays(-1))) {
          clock.step(day);
          Recovery stepped = new Recovery(hosts);
          stepped.awaitPaced("5Mbit");
          awaitReportNear(Instant.now().plus(day));
          awaitReportNear(Instant.now().plus(day));
          assertThat(classes()).contains("rate 5Mbit");
        }
        assertThat(agent.output().substring(attached))
            .doesNotContain("relaxed", "nothing is paced", "trying again");
        grant(download.id(), TWO_MEGABIT);
        assertThat(classes()).contains("rate 2Mbit");
      }
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
  }

  @Test
  void anAgentThatStoodStillForLongerThanAllLeasesFindsItsRatesAsTheyWere() throws Exception {
    controller.lease(3);
    controller.beat();
    try (AgentProcess agent = agent()) {
      awaitAttached();
      int attached = agent.output().length();
      try (Download download = download(1);
          TrafficProcess datagrams =
              TrafficProcess.start(
                  hosts.sender, "datagrams", "10.213.77.1", "5004", "10.213.77.2")) {
        ConversationOpened call = controller.awaitOpen("voip/call");
        controller.grant(Map.of(download.id(), FIVE_MEGABIT, call.getId(), TWO_MEGABIT));
        Hello before = controller.latestHello().orElseThrow();

        agent.signal("STOP");
        // Longer, too, than an unconnected socket may be silent.
        Thread.sleep(12_000);
        assertThat(classes()).contains("rate 5Mbit", "rate 2Mbit");
        agent.signal("CONT");
        new Recovery(hosts).awaitPaced("5Mbit", "2Mbit");

        controller.await(
            "the agent anew", () -> controller.latestHello().filter(hello -> hello != before));
        assertThat(classes()).contains("rate 5Mbit", "rate 2Mbit");
        assertThat(agent.output().substring(attached))
            .contains("stood still")
            .doesNotContain("relaxed", "is paced");
        assertThat(controller.awaitOpen("voip/call").getId()).isEqualTo(call.getId());
        assertThat(controller.awaitOpen("files/download").getId()).isEqualTo(download.id());
        grant(call.getId(), FIVE_MEGABIT);
      }
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
  }

  /** The next one that says about this time, as the agent's wall clock has it. */
  private void awaitReportNear(Instant time) throws InterruptedException {
    Optional<Report> before = controller.latestReport();
    controller.await(
        "a report of about " + time,
        () ->
            controller
                .latestReport()
                .filter(r -> !Optional.of(r).equals(before))
                .filter(
                    r ->
                        Duration.between(Instant.ofEpochSecond(0, r.getUnixNanos()), time)
                                .abs()
                                .compareTo(Duration.ofHours(12))
                            < 0));
  }
}
