package org.paceline.control.borrowing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.paceline.control.directive.Directive;
import org.paceline.control.directive.Directives;
import org.paceline.control.model.ConversationId;
import org.paceline.control.settings.PlanMode;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

final class LendingTest {
  private static final PlannerSettings SETTINGS =
      PlannerSettings.DEFAULT.toBuilder()
          .usableThousandths(1_000)
          .reserveThousandths(0)
          .lendThousandths(60)
          .build();
  private static final Duration SECOND = Duration.ofSeconds(1);

  private double most = Double.POSITIVE_INFINITY;
  private final Set<ConversationId> pooled = new HashSet<>();
  private final Lending lending = new Lending(id -> most, id -> !pooled.contains(id));
  private final Map<ConversationId, Grant> grants = new TreeMap<>();
  private Duration now = Duration.ZERO;

  @Test
  void whatIsReliablyLeftIsLentToWhoUsesAll() {
    grant("idle", 5_000, "a", "b");
    grant("busy", 5_000, "a", "b");
    seconds(12, Map.of("idle", 4_700L, "busy", 5_000L));
    // 5,000 - 1.1 x 4,700 leaves nothing; at 4,000 there would be 600, the limit of 6 %.
    assertThat(loans().rates()).isEmpty();
    seconds(12, Map.of("idle", 4_000L, "busy", 5_000L));
    assertThat(loans().rates()).containsOnlyKeys(id("busy"));
    assertThat(kbps(loans().to(id("busy")))).isBetween(500L, 600L);
  }

  @Test
  void whatOneOfAPoolLeavesIsNotLentForItsPoolMaySendItAlready() {
    grant("idle", 5_000, "a", "b");
    grant("busy", 5_000, "a", "b");
    pooled.add(id("idle"));
    seconds(12, Map.of("idle", 10L, "busy", 5_000L));
    assertThat(loans()).isEqualTo(Loans.NONE);
  }

  @Test
  void nothingIsLentBeforeTheLendersHaveShownItForTheWholeWindow() {
    grant("idle", 5_000, "a", "b");
    grant("busy", 5_000, "a", "b");
    seconds(9, Map.of("idle", 10L, "busy", 5_000L));
    assertThat(loans().rates()).isEmpty();
  }

  @Test
  void oneReportOfAnOwnerThatIsBackEndsTheLoan() {
    grant("idle", 5_000, "a", "b");
    grant("busy", 5_000, "a", "b");
    seconds(12, Map.of("idle", 10L, "busy", 5_000L));
    assertThat(loans().rates()).isNotEmpty();
    seconds(1, Map.of("idle", 4_900L, "busy", 5_000L));
    assertThat(loans()).isEqualTo(Loans.NONE);
  }

  @Test
  void nothingIsLentOnTheStrengthOfReportsThatHaveStopped() {
    grant("idle", 5_000, "a", "b");
    grant("busy", 5_000, "a", "b");
    seconds(12, Map.of("idle", 10L, "busy", 5_000L));
    seconds(4, Map.of("busy", 5_000L));
    assertThat(loans()).isEqualTo(Loans.NONE);
  }

  @Test
  void whatThePlanLeftFreeIsAllThereForWhoUsesItsGrantFully() {
    grant("quiet", 1_000, "a", "b");
    grant("busy", 1_000, "a", "b");
    seconds(1, Map.of("quiet", 10L, "busy", 1_000L));
    // Of 10,000, within a step of half a percent.
    assertThat(kbps(loans().to(id("busy")))).isBetween(7_950L, 8_000L);
    assertThat(loans().beyondPlan()).isEmpty();
  }

  @Test
  void whatIsFreeIsLentWhetherOrNotUnusedGrantsMayBe() {
    grant("idle", 4_000, "a", "b");
    grant("busy", 4_000, "a", "b");
    seconds(12, Map.of("idle", 10L, "busy", 4_000L));
    PlannerSettings none = SETTINGS.toBuilder().lendThousandths(0).build();
    Loans loans = lending.loans(directives(), network(), none, kept(), now);
    assertThat(kbps(loans.to(id("busy")))).isBetween(1_960L, 2_000L);
    assertThat(loans.beyondPlan()).isEmpty();
  }

  @Test
  void whatOneCannotHaveForAnotherLinkIsThereForTheOthers() {
    grant("long", 1_000, "a", "b", "c");
    grant("short", 1_000, "a", "b");
    grant("full", 8_500, "b", "c");
    seconds(1, Map.of("long", 1_000L, "short", 1_000L, "full", 4_000L));
    assertThat(kbps(loans().to(id("long")))).isBetween(490L, 500L);
    assertThat(kbps(loans().to(id("short")))).isBetween(7_440L, 7_510L);
  }

  @Test
  void whoSendsLessThanItHasKeepsALittleMoreThanItSends() {
    grant("busy", 1_000, "a", "b");
    seconds(1, Map.of("busy", 1_000L));
    assertThat(kbps(loans().to(id("busy")))).isGreaterThan(8_000L);
    Map<String, Long> more = Map.of("busy", 3_000L);
    for (int second = 0; second < 10; second++) {
      seconds(1, more, loans());
    }
    assertThat(kbps(loans().to(id("busy")))).isBetween(2_580L, 2_600L);
    for (int second = 0; second < 10; second++) {
      seconds(1, more, loans());
      assertThat(kbps(loans().to(id("busy")))).isBetween(2_580L, 2_600L);
    }
  }

  @Test
  void nobodyHasMoreThanThePolicyAllowsAtMost() {
    grant("busy", 1_000, "a", "b");
    seconds(1, Map.of("busy", 1_000L));
    most = 1_500_000_000;
    assertThat(kbps(loans().to(id("busy")))).isBetween(492L, 500L);
    most = 1_000_000_000;
    assertThat(loans()).isEqualTo(Loans.NONE);
    // Of another scheme, or unknown.
    most = 0;
    assertThat(loans()).isEqualTo(Loans.NONE);
  }

  @Test
  void inShadowNothingIsLent() {
    grant("busy", 1_000, "a", "b");
    seconds(1, Map.of("busy", 1_000L));
    PlannerSettings shadow = SETTINGS.toBuilder().mode(PlanMode.SHADOW).build();
    assertThat(lending.loans(directives(), network(), shadow, kept(), now)).isEqualTo(Loans.NONE);
  }

  /**
   * On every link: grants and loans stay within the plan's capacity and the limit; and if everybody
   * sends no more than before, within the plan's capacity alone.
   */
  @Property(tries = 500, seed = "20")
  void neverIsMorePlannedThanCapacityAndLentNorMoreUsedThanCapacity(@ForAll long seed) {
    new LendingTest().holdsFor(new Random(seed));
  }

  private void holdsFor(Random random) {
    List<List<String>> ways = List.of(List.of("a", "b"), List.of("b", "c"), List.of("a", "b", "c"));
    Map<LinkId, Long> room = new HashMap<>();
    network().links().forEach(link -> room.put(link.id(), 10_000L));
    Map<String, Long> used = new HashMap<>();
    for (int i = 0; i < 1 + random.nextInt(30); i++) {
      List<String> way = ways.get(random.nextInt(3));
      List<LinkId> hops = Path.of(way).hops();
      long most = hops.stream().mapToLong(hop -> room.getOrDefault(hop, 0L)).min().orElseThrow();
      long rate = Math.min(most, 1 + random.nextInt(2_500));
      if (rate > 0) {
        grant("x" + i, rate, way.toArray(String[]::new));
        hops.forEach(hop -> room.merge(hop, -rate, Long::sum));
        used.put("x" + i, random.nextInt(3) == 0 ? rate : (long) (random.nextDouble() * rate));
      }
    }
    seconds(12, used);
    Loans loans = loans();
    for (Link link : network().links()) {
      long planned = 0;
      double expected = 0;
      for (Map.Entry<ConversationId, Grant> entry : grants.entrySet()) {
        if (entry.getValue().path().hops().contains(link.id())) {
          long rate = entry.getValue().rate().millibitsPerSecond();
          long lent = loans.to(entry.getKey()).millibitsPerSecond();
          long sent = used.getOrDefault(entry.getKey().local(), 0L) * 1_000_000;
          planned += rate + lent;
          boolean constrained = sent >= 0.9 * rate;
          expected += constrained ? rate + lent : Math.min(rate, 1.1 * sent);
        }
      }
      assertThat(planned).isLessThanOrEqualTo(10_600_000_000L);
      assertThat(planned - 10_000_000_000L)
          .isLessThanOrEqualTo(
              loans.beyondPlan().getOrDefault(link.id(), DataRate.ZERO).millibitsPerSecond());
      assertThat(expected).isLessThanOrEqualTo(10_000_000_000.0 * (1 + 1e-9));
    }
  }

  private void grant(String name, long kbps, String... way) {
    grants.put(
        id(name),
        Grant.of(
            name,
            1,
            DataRate.ofKilobitsPerSecond(kbps),
            Latency.ofMillis(10),
            Utility.MAX,
            Path.of(List.of(way))));
  }

  private void seconds(int count, Map<String, Long> sentKbps) {
    seconds(count, sentKbps, Loans.NONE);
  }

  private void seconds(int count, Map<String, Long> sentKbps, Loans lent) {
    for (int i = 0; i < count; i++) {
      now = now.plus(SECOND);
      sentKbps.forEach(
          (name, sent) ->
              lending.observe(
                  id(name),
                  now,
                  DataRate.ofKilobitsPerSecond(sent),
                  Objects.requireNonNull(grants.get(id(name))).rate().plus(lent.to(id(name)))));
    }
  }

  private Loans loans() {
    return lending.loans(directives(), network(), SETTINGS, kept(), now);
  }

  private KeptDelays kept() {
    return new KeptDelays(directives(), id -> Optional.empty());
  }

  private Directives directives() {
    return Directives.of(SchemeName.UTILITY_FAIR, Directive.Reason.GRANTED, grants);
  }

  private static Network network() {
    List<Link> links = new ArrayList<>();
    LinkDelay delay = LinkDelay.constant(Latency.ZERO);
    links.add(Link.of("a", "b", DataRate.ofKilobitsPerSecond(10_000), delay));
    links.add(Link.of("b", "c", DataRate.ofKilobitsPerSecond(10_000), delay));
    return Network.of(List.of("a", "b", "c"), links);
  }

  private static ConversationId id(String name) {
    return ConversationId.of("h", name);
  }

  private static long kbps(DataRate rate) {
    return rate.millibitsPerSecond() / 1_000_000;
  }
}
