package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Example;
import org.paceline.control.directive.MeterBurst;
import org.paceline.control.model.ConversationId;
import org.paceline.control.settings.ClassSettings;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.tree.SchemeName;

final class MeterRefillsTest {
  private static final LinkId LINK = LinkId.of("s1", "s2");
  private static final Map<LinkId, Long> TEN_MBIT = Map.of(LINK, mbit(10));
  private static final Instant BEGIN = Instant.EPOCH;

  private final MeterRefills refills = new MeterRefills();

  MeterRefillsTest() {
    refills.pass(BEGIN);
  }

  private static long mbit(double rate) {
    return Math.round(rate * 1e9);
  }

  private static ConversationId id(String name) {
    return ConversationId.of("h1", name);
  }

  private boolean fits(double before, double rate, double load) {
    return refills.fits(mbit(before), mbit(rate), Map.of(LINK, mbit(load)), TEN_MBIT);
  }

  /** Each of 1.6 Mbit/s lets 0.2 Mbit through at once: 9.5 and two of them are 9.9, three 10.1. */
  @Example
  void asManyBucketsAreFilledWithinASecondAsTheLinkLeaves() {
    for (String name : List.of("a", "b")) {
      assertThat(fits(1.6, 1.6, 9.5)).as(name).isTrue();
      tell(name);
    }
    assertThat(fits(1.6, 1.6, 9.5)).isFalse();
    refills.waits(id("c"));
    assertThat(refills.until()).hasValue(Duration.ofSeconds(1));
    refills.pass(BEGIN.plusMillis(999));
    assertThat(fits(1.6, 1.6, 9.5)).isFalse();
    refills.pass(BEGIN.plusMillis(1_000));
    assertThat(fits(1.6, 1.6, 9.5)).isTrue();
    tell("c");
    assertThat(refills.until()).as("nobody waits").isEmpty();
  }

  @Example
  void whoYieldsMoreWithinASecondThanItsBucketHoldsNeverWaits() {
    tell("a", "b");
    assertThat(fits(1.6, 1.5, 9.9)).isFalse();
    assertThat(fits(1.6, 1.4, 9.9)).isTrue();
  }

  private void tell(String... names) {
    for (String name : names) {
      refills.told(id(name), mbit(1.6), Set.of(LINK));
    }
  }

  /**
   * Else a link that carries less than a bucket, or is overloaded, would keep its rates for good.
   */
  @Example
  void oneBucketIsFilledOnAnyLink() {
    assertThat(fits(1.6, 1.7, 11)).isTrue();
    tell("a");
    assertThat(fits(1.6, 1.7, 11)).isFalse();
  }

  @Example
  void nobodyWaitsForALinkWhoseRatesLeaveNoRoomForBuckets() {
    tell("a", "b", "c");
    assertThat(refills.fits(0, mbit(1.6), Map.of(LINK, mbit(9.9)), Map.of())).isTrue();
  }

  @Example
  void aClockThatIsPutBackHasNobodyWait() {
    tell("a", "b");
    assertThat(fits(1.6, 1.6, 9.9)).isFalse();
    refills.pass(BEGIN.minus(Duration.ofHours(1)));
    assertThat(fits(1.6, 1.6, 9.9)).isTrue();
  }

  /** The many that changed one after the other are not looked for one by one. */
  @Example
  void whoWaitsIsLookedForNoMoreThanTwentyTimesASecond() {
    refills.told(id("a"), mbit(1.6), Set.of(LINK));
    refills.waits(id("b"));
    refills.pass(BEGIN.plusMillis(999));
    assertThat(refills.until()).hasValue(Duration.ofMillis(50));
  }

  @Example
  void whoWaitsLongestIsNext() {
    refills.waits(id("z"));
    refills.pass(BEGIN.plusMillis(300));
    refills.waits(id("z"));
    refills.waits(id("b"));
    Set<ConversationId> order =
        new TreeSet<>(refills.longestFirst().thenComparing(ConversationId::toString));
    order.addAll(List.of(id("a"), id("b"), id("z")));
    assertThat(order).containsExactly(id("z"), id("b"), id("a"));
  }

  /** On ONOS and Open vSwitch a link was sent 5 % more than it carries in such seconds. */
  @Example
  void ratesThatChangeAgainAndAgainLetNoMoreThroughThanTheLinkCarries() {
    Office office = new Office();
    IntentPath video = IntentPath.parse("video");
    office.setPolicy(video, Policy.builder().scheme(SchemeName.SERVICE_CLASSES).build());
    office.setPolicy(IntentPath.parse("video/gold"), Policy.builder().classWeight(3).build());
    for (int number = 0; number < 12; number++) {
      String intent = number % 2 == 0 ? "video" : "video/gold";
      office.open(Office.metered(1 + number % 3, "c" + number, intent));
    }
    settle(office);
    office.worker.pass(Duration.ofSeconds(2));
    settle(office);
    long filled = 0;
    ClassSettings now = PlannerSettings.DEFAULT.classes();
    for (int change = 0; change < 8; change++) {
      office.classes(ClassSettings.of(500, 1 + change % 2, now.split(), now.delta(), now.period()));
      filled += settle(office);
    }
    assertThat(office.worker.instant()).as("all within a second").isBefore(BEGIN.plusSeconds(4));
    assertThat(filled).isPositive();
    assertThat(office.enforcedSum() + filled).isLessThanOrEqualTo(mbit(10));
    // All have what the plan grants when a few seconds have passed.
    for (int step = 0; step < 100; step++) {
      office.worker.pass(Duration.ofMillis(100));
      settle(office);
    }
    office.enforced.forEach(
        (id, rate) -> assertThat(rate).as("%s", id).isEqualTo(granted(office, id)));
  }

  private static long granted(Office office, ConversationId id) {
    return office
        .proofs
        .find(id)
        .orElseThrow()
        .computed()
        .orElseThrow()
        .rate()
        .millibitsPerSecond();
  }

  /** What all meters that change meanwhile hold, as a rate for a second. */
  private static long settle(Office office) {
    long filled = 0;
    office.worker.pass(Duration.ofMillis(20));
    while (!office.onTheirWay.isEmpty()) {
      Map<ConversationId, Long> before = Map.copyOf(office.enforced);
      office.deliver();
      filled +=
          office.enforced.entrySet().stream()
              .filter(now -> !now.getValue().equals(before.get(now.getKey())))
              .mapToLong(now -> MeterBurst.kilobits(now.getValue() / 1_000_000) * 1_000_000)
              .sum();
      office.worker.pass(Duration.ofMillis(20));
    }
    return filled;
  }
}
