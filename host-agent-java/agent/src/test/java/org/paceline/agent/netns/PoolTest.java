package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.paceline.protocol.Pool;
import org.paceline.protocol.Rate;
import org.paceline.protocol.Rates;
import org.paceline.protocol.RatesInstalled;

/** What one conversation leaves unused another may send, as far as the controller says. */
class PoolTest extends InNamespaces {
  private static final long TWO_MEGABIT = 2_000_000;
  private static final long THREE_MEGABIT = 3_000_000;
  private static final long FOUR_MEGABIT = 4_000_000;
  private static final long SIX_MEGABIT = 6_000_000;
  private static final long EIGHT_MEGABIT = 8_000_000;
  private static final String NO_POOL = "ace1:fffd root rate 20Tbit";
  private static final Pattern CHILD = Pattern.compile("class htb (ace1:\\w+) parent ace1:fffd ");

  @Test
  void whatOneLeavesUnusedAnotherSendsUntilItIsBack() throws Exception {
    try (AgentProcess agent = agent()) {
      awaitAttached();
      assertThat(controller.latestHello().orElseThrow().getCapabilities().getPools()).isTrue();
      try (Download download = download(2);
          TrafficProcess owner = datagrams()) {
        String call = controller.awaitOpen("voip/call").getId();
        Sh.run("kill", "-STOP", Long.toString(owner.pid()));

        // Nobody's ceiling is worth anything as long as there is no pool.
        grant(call, SIX_MEGABIT);
        controller.tell(rates(download, EIGHT_MEGABIT));
        assertHeld(TWO_MEGABIT);

        RatesInstalled installed = controller.tell(pool(EIGHT_MEGABIT));
        assertThat(installed.getPoolsList()).containsExactly(one(EIGHT_MEGABIT));
        assertHeld(EIGHT_MEGABIT);

        assertThat(controller.tell(rates(download, FOUR_MEGABIT)).getRates(0).getError()).isEmpty();
        assertHeld(FOUR_MEGABIT);

        controller.tell(rates(download, EIGHT_MEGABIT));
        Sh.run("kill", "-CONT", Long.toString(owner.pid()));
        // Of both: as two of a kind they would have half of it each.
        awaitSent("2Mbit", TWO_MEGABIT, "6Mbit", SIX_MEGABIT);
        assertReceived(EIGHT_MEGABIT, 3, 3_000);

        // A plan without its ceiling takes it back.
        grant(download.id(), TWO_MEGABIT);
        assertThat(classes()).contains("rate 2Mbit ceil 2Mbit");
      }
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
  }

  @Test
  void whoHasTheLowerRankBorrowsFirst() throws Exception {
    try (AgentProcess agent = agent()) {
      awaitAttached();
      try (Download download = download(2);
          TrafficProcess other = datagrams()) {
        String call = controller.awaitOpen("voip/call").getId();
        // Of eight megabits three are nobody's own, and each wants them.
        tell(download.id(), 5, call, 0);
        awaitSent("2Mbit", TWO_MEGABIT, "3Mbit", SIX_MEGABIT);
        tell(download.id(), 0, call, 5);
        awaitSent("2Mbit", FIVE_MEGABIT, "3Mbit", THREE_MEGABIT);
        assertThat(classes()).contains("prio 0 rate 2Mbit ceil 8Mbit", "prio 5 rate 3Mbit");
      }
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
  }

  /** Of a pool of eight megabits two are the first one's and three the other's. */
  private void tell(String first, int rank, String other, int otherRank) throws Exception {
    Rate.Builder one = rates(first, EIGHT_MEGABIT).getRatesBuilder(0);
    Rate.Builder two = rates(other, EIGHT_MEGABIT).getRatesBuilder(0);
    controller.tell(
        pool(EIGHT_MEGABIT)
            .addRates(one.setBorrowRank(rank))
            .addRates(two.setRateBitsPerSecond(THREE_MEGABIT).setBorrowRank(otherRank)));
  }

  /** What the classes of two rates send comes to be this. */
  private void awaitSent(String rate, long first, String otherRate, long other) throws Exception {
    await(
        () -> sentInTwoSeconds(rate, otherRate),
        sent -> isAbout(sent.get(0), first) && isAbout(sent.get(1), other));
  }

  private static boolean isAbout(double is, double expected) {
    // What is shared or borrowed otherwise is off by a third at least.
    return is > 0.75 * expected && is < 1.25 * expected;
  }

  /** Bits a second of each. */
  private List<Double> sentInTwoSeconds(String rate, String otherRate) throws Exception {
    Map<String, Long> before = hosts.sentByRate(TwoHosts.DEVICE);
    long began = System.nanoTime();
    Thread.sleep(2_000);
    Map<String, Long> after = hosts.sentByRate(TwoHosts.DEVICE);
    double bits = 8e9 / (System.nanoTime() - began);
    return List.of(bits * sent(before, after, rate), bits * sent(before, after, otherRate));
  }

  private static long sent(Map<String, Long> before, Map<String, Long> after, String rate) {
    return after.getOrDefault(rate, 0L) - before.getOrDefault(rate, 0L);
  }

  @Test
  void whatTheControllerSaysOfPoolsEndsWithItsStream() throws Exception {
    whilePacing(
        "",
        1,
        (agent, download) -> {
          RatesInstalled installed =
              controller.tell(
                  rates(download, EIGHT_MEGABIT)
                      .addPools(one(EIGHT_MEGABIT))
                      .addPools(one(EIGHT_MEGABIT).toBuilder().setInterface("none")));
          assertThat(installed.getPools(0).getRateBitsPerSecond()).isEqualTo(EIGHT_MEGABIT);
          assertThat(installed.getPools(1).getRateBitsPerSecond()).isZero();
          assertThat(classes()).contains("rate 2Mbit ceil 8Mbit", "ace1:fffd root rate 8Mbit");

          // Beyond any interface's: the one before stays. Whoever changes it: it comes back.
          installed = controller.tell(pool(-1));
          assertThat(installed.getPools(0).getRateBitsPerSecond()).isEqualTo(EIGHT_MEGABIT);
          hosts.onSender(
              "sh", "-c", "tc class change dev pla0 parent ace1: classid ace1:fffd htb rate 1mbit");
          awaitClasses("ace1:fffd root rate 8Mbit ceil 8Mbit");

          controller.close();
          await(
              this::classes,
              now ->
                  now.contains(NO_POOL)
                      && now.contains("rate 2Mbit ceil 2Mbit")
                      && !now.contains("ceil 8Mbit"));
        });
  }

  @Test
  void anAgentGoesOnWithAnotherOnesClassesButNotWithItsPool() throws Exception {
    try (AgentProcess agent = agent()) {
      awaitAttached();
      try (Download download = download(1)) {
        controller.tell(rates(download, EIGHT_MEGABIT).addPools(one(EIGHT_MEGABIT)));
        agent.kill();
        controller.awaitLeft();
        assertThat(classes()).contains("rate 2Mbit ceil 8Mbit", "ace1:fffd root rate 8Mbit");

        try (AgentProcess next = agent()) {
          controller.awaitOpenAgain("files/download", download.id());
          assertThat(classes()).contains(NO_POOL, "rate 2Mbit ceil 2Mbit");
          assertThat(next.output()).contains("its rates go on");
          assertThat(controller.tell(pool(EIGHT_MEGABIT)).getPoolsList())
              .containsExactly(one(EIGHT_MEGABIT));
          assertThat(next.stop()).isZero();
        }
      }
    }
    assertHostIsAsFound();
  }

  @Test
  void classesOfAnAgentBeforePoolsBorrowNothing() throws Exception {
    try (AgentProcess agent = agent()) {
      awaitAttached();
      try (Download download = download(1)) {
        grant(download.id(), TWO_MEGABIT);
        agent.kill();
        controller.awaitLeft();
        withoutPool();

        try (AgentProcess next = agent()) {
          String again = controller.awaitOpenAgain("files/download", download.id()).getId();
          assertThat(controller.latestHello().orElseThrow().getCapabilities().getPools()).isFalse();
          assertThat(controller.tell(pool(EIGHT_MEGABIT)).getPools(0).getRateBitsPerSecond())
              .isZero();
          controller.tell(rates(again, EIGHT_MEGABIT));
          assertThat(classes()).contains("rate 2Mbit ceil 2Mbit").doesNotContain("ace1:fffd");

          // With a root of its own it can.
          hosts.onSender("tc", "qdisc", "del", "dev", TwoHosts.DEVICE, "root");
          awaitClasses("ace1:fffd root rate 8Mbit");
          controller.tell(rates(again, EIGHT_MEGABIT));
          awaitClasses("rate 2Mbit ceil 8Mbit");
          assertThat(next.stop()).isZero();
        }
      }
    }
    assertHostIsAsFound();
  }

  /** As such an agent had it: every class is the root's. */
  private void withoutPool() throws Exception {
    Matcher child = CHILD.matcher(classes());
    assertThat(child.find()).isTrue();
    String add = "tc class add dev pla0 parent ace1: classid " + child.group(1);
    hosts.onSender(
        "sh",
        "-ec",
        "tc class del dev pla0 classid "
            + child.group(1)
            + "; tc class del dev pla0 classid ace1:fffd; "
            + add
            + " htb rate 2mbit ceil 2mbit burst 1600 cburst 1600");
    assertThat(classes()).doesNotContain("fffd");
  }

  private TrafficProcess datagrams() throws Exception {
    return TrafficProcess.start(
        hosts.sender, "datagrams", TwoHosts.SENDER_ADDRESS, "5004", TwoHosts.RECEIVER_ADDRESS);
  }

  private static Rates.Builder rates(Download download, long ceiling) {
    return rates(download.id(), ceiling);
  }

  private static Rates.Builder rates(String id, long ceiling) {
    return rates(id, TWO_MEGABIT, ceiling);
  }

  static Rates.Builder rates(String id, long own, long ceiling) {
    return Rates.newBuilder()
        .addRates(
            Rate.newBuilder()
                .setConversationId(id)
                .setRateBitsPerSecond(own)
                .setCeilingBitsPerSecond(ceiling));
  }

  static Rates.Builder pool(long bitsPerSecond) {
    return Rates.newBuilder().addPools(one(bitsPerSecond));
  }

  static Pool one(long bitsPerSecond) {
    return Pool.newBuilder()
        .setInterface(TwoHosts.DEVICE)
        .setRateBitsPerSecond(bitsPerSecond)
        .build();
  }
}
