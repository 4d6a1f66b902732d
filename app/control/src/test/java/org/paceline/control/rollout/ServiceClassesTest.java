package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.paceline.control.directive.MeterGroup;
import org.paceline.control.explain.LinkUse;
import org.paceline.control.model.ConversationId;
import org.paceline.control.planning.WhatIfResult;
import org.paceline.control.settings.ClassMeters;
import org.paceline.control.settings.ClassSettings;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.control.view.ClassView;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/** A branch of service classes beside conversations that share by utility or have fixed rates. */
final class ServiceClassesTest {
  private static final IntentPath VIDEO = IntentPath.parse("video");
  private static final IntentPath GOLD = IntentPath.parse("video/gold");
  private static final IntentPath BACKUP = IntentPath.parse("backup");

  /** 950 thousandths of 10 Mbit/s, which a plan divides. */
  private static final double DIVIDED = 9_500_000_000.0;

  /** 960 thousandths of 10 Mbit/s, and Link's ten-millionth. */
  private static final long USABLE = 9_600_000_000L + 960;

  private final Office world = classed(new Office());

  private static Office classed(Office office) {
    office.setPolicy(VIDEO, Policy.builder().scheme(SchemeName.SERVICE_CLASSES).build());
    office.setPolicy(GOLD, Policy.builder().classWeight(3).build());
    return office;
  }

  @Example
  void aBranchIsDividedByTheWeightsOfItsClasses() {
    world.open(Office.conversation(1, "g1", "video/gold"));
    world.open(Office.conversation(2, "g2", "video/gold/board-room"));
    world.open(Office.conversation(3, "b", "video"));
    world.settle();
    assertThat(world.planner.plan().summary().method()).isEqualTo("service classes");
    assertThat((double) world.grant("h1", "g1")).isCloseTo(DIVIDED / 7 * 3, within(2_000.0));
    assertThat(world.grant("h2", "g2")).isEqualTo(world.grant("h1", "g1"));
    assertThat((double) world.grant("h3", "b")).isCloseTo(DIVIDED / 7, within(2_000.0));

    world.close(ConversationId.of("h1", "g1"));
    world.settle();
    assertThat((double) world.grant("h2", "g2")).isCloseTo(DIVIDED / 4 * 3, within(2_000.0));
  }

  @Example
  void besideOthersItKeepsToItsShareAndWithoutThemItHasAll() {
    world.open(Office.conversation(1, "g", "video/gold"));
    world.open(Office.conversation(2, "w", ""));
    world.settle();
    assertThat(world.planner.plan().summary().method()).startsWith("service classes + ");
    assertThat((double) world.grant("h1", "g")).isCloseTo(DIVIDED / 2, within(2_000.0));
    assertThat(world.grant("h2", "w")).isEqualTo(2_000_000_000L);
    LinkUse use =
        LinkUse.of(world.planner.plan(), world.planner.loans(), world.proofs)
            .getOrDefault(LinkId.of("s1", "s2"), LinkUse.NONE);
    assertThat(use.grantedBy().keySet())
        .containsExactlyInAnyOrder(SchemeName.SERVICE_CLASSES, SchemeName.UTILITY_FAIR);
    world.close(ConversationId.of("h2", "w"));
    world.settle();
    assertThat((double) world.grant("h1", "g")).isCloseTo(DIVIDED, within(2_000.0));
  }

  @Example
  void metersAreReadWhenAPeriodEndsHoweverSeldomTheyAreReadOtherwise() {
    world.open(Office.conversation(1, "g1", "video/gold"));
    world.settle();
    int before = world.metersAsked;
    world.worker.pass(Duration.ofSeconds(31));
    assertThat(world.metersAsked).as("two periods of 15 s").isEqualTo(before + 2);
  }

  @Example
  void whoReachesLessLeavesSomeToItsClassAfterEachPeriod() {
    for (int host = 1; host <= 3; host++) {
      world.open(Office.conversation(host, "g" + host, "video/gold"));
    }
    world.settle();
    long equal = world.grant("h1", "g1");
    // One sends a tenth of its rate, the others all of theirs.
    for (int second = 0; second < 40; second++) {
      world.report(id -> id.host().equals("h1") ? 0.1 : 1);
    }
    assertThat(world.grant("h1", "g1")).isLessThan(equal / 10 * 7);
    assertThat(world.grant("h2", "g2")).isGreaterThan(equal / 10 * 11);
    assertThat(world.grant("h2", "g2")).isEqualTo(world.grant("h3", "g3"));
    assertThat(world.proof("h1", "g1").subClass()).hasValue("L");
    assertThat(world.proof("h2", "g2").subClass()).hasValue("H");
    ClassView gold = ClassView.of(world.proofs.all()).get(0);
    assertThat(gold.subClasses().keySet()).containsExactly("L", "H");
    assertThat(Objects.requireNonNull(gold.subClasses().get("H")).conversations()).isEqualTo(2);
    assertThat(Objects.requireNonNull(gold.subClasses().get("L")).granted().millibitsPerSecond())
        .isEqualTo(world.grant("h1", "g1"));
    // It wants more, and has its share again.
    for (int second = 0; second < 40; second++) {
      world.report(id -> 1);
    }
    assertThat((double) world.grant("h1", "g1")).isCloseTo(equal, within(2_000.0));
    assertThat(world.proof("h1", "g1").subClass()).as("no split").isEmpty();
    assertThat(ClassView.of(world.proofs.all()).get(0).subClasses()).isEmpty();
  }

  @Example
  void whoHasNoAgentIsToldItsMetersGroupAlsoWhereNothingButThatChanges() {
    ConversationId guest = ConversationId.of("h1", "guest");
    world.open(Office.metered(1, "guest", "video/gold"));
    world.open(Office.conversation(2, "paced", "video/gold"));
    world.open(Office.metered(3, "other", ""));
    world.settle();
    assertThat(world.meterGroups).as("by default each has a meter of its own").isEmpty();
    long rate = world.grant("h1", "guest");
    ClassSettings now = PlannerSettings.DEFAULT.classes();
    world.classes(now.by(ClassMeters.PER_SUB_CLASS));
    world.settle();
    assertThat(world.meterGroups).containsOnly(entry(guest, MeterGroup.of(GOLD, "")));
    assertThat(world.grant("h1", "guest")).isEqualTo(rate);
    assertThat(world.enforced.get(guest)).isEqualTo(rate);
    world.classes(now);
    world.settle();
    assertThat(world.meterGroups).isEmpty();
  }

  @Example
  void theGroupOfAMeterIsTheSubClass() {
    world.classes(PlannerSettings.DEFAULT.classes().by(ClassMeters.PER_SUB_CLASS));
    for (int host = 1; host <= 3; host++) {
      world.open(Office.metered(host, "g" + host, "video/gold"));
    }
    world.settle();
    for (int second = 0; second < 40; second++) {
      world.report(id -> id.host().equals("h1") ? 0.1 : 1);
    }
    world.settle();
    assertThat(world.meterGroups)
        .containsOnly(
            entry(ConversationId.of("h1", "g1"), MeterGroup.of(GOLD, "L")),
            entry(ConversationId.of("h2", "g2"), MeterGroup.of(GOLD, "H")),
            entry(ConversationId.of("h3", "g3"), MeterGroup.of(GOLD, "H")));
  }

  @Example
  void whoLeavesTheBranchIsInNoSubClass() {
    for (int host = 1; host <= 3; host++) {
      world.open(Office.conversation(host, "g" + host, "video/gold"));
    }
    world.settle();
    for (int second = 0; second < 40; second++) {
      world.report(id -> id.host().equals("h1") ? 0.1 : 1);
    }
    world.setPolicy(VIDEO, Policy.builder().scheme(SchemeName.UTILITY_FAIR).build());
    world.settle();
    assertThat(world.proof("h1", "g1").subClass()).isEmpty();
  }

  @Example
  void settingsAreInForceWithTheNextPlan() {
    world.open(Office.conversation(1, "g", "video/gold"));
    world.open(Office.conversation(2, "b", "video"));
    world.settle();
    ClassSettings now = PlannerSettings.DEFAULT.classes();
    world.classes(ClassSettings.of(500, 2, now.split(), now.delta(), now.period()));
    world.settle();
    double bronze = world.grant("h2", "b");
    assertThat(world.grant("h1", "g") / bronze).isCloseTo(Math.sqrt(3), within(1e-5));
  }

  @Example
  void aPeriodIsInForceWithTheNextPlanHoweverLongTheOneBeforeWas() {
    ClassSettings now = PlannerSettings.DEFAULT.classes();
    world.classes(lasting(now, Duration.ofHours(1)));
    world.open(Office.conversation(1, "g1", "video/gold"));
    world.settle();
    world.worker.pass(Duration.ofSeconds(30));
    int before = world.metersAsked;
    world.classes(lasting(now, Duration.ofSeconds(2)));
    world.settle();
    world.worker.pass(Duration.ofSeconds(20));
    assertThat(world.metersAsked).isGreaterThanOrEqualTo(before + 10);
  }

  private static ClassSettings lasting(ClassSettings now, Duration period) {
    return ClassSettings.of(now.shareThousandths(), now.alpha(), now.split(), now.delta(), period);
  }

  @Example
  void aBranchThatIsHandedToClassesSaysBeforeWhatThatChanges() {
    world.open(Office.conversation(1, "g", "video/gold"));
    world.open(Office.conversation(2, "w", ""));
    world.settle();
    WhatIfResult result =
        world
            .planner
            .whatIf(
                demand ->
                    demand.application().id().equals("h2/w")
                        ? demand.under(world.policies.resolve("video"))
                        : demand)
            .orElseThrow();
    assertThat(result.after())
        .extractingByKey(ConversationId.of("h2", "w"))
        .extracting(Grant::rate)
        .extracting(DataRate::toKbpsFloor)
        .isEqualTo(2_375L);
  }

  @Example
  void whoIsOfAClassIsLentNothing() {
    Office lending =
        classed(new Office(PlannerSettings.DEFAULT.toBuilder().lendThousandths(60).build()));
    lending.open(Office.conversation(1, "g", "video/gold"));
    lending.open(Office.conversation(2, "w", ""));
    lending.settle();
    long granted = lending.grant("h1", "g");
    for (int i = 0; i < 10; i++) {
      lending.report(id -> 1);
    }
    assertThat(lending.enforced.get(ConversationId.of("h1", "g"))).isEqualTo(granted);
  }

  @Example
  void whoIsOfAClassBorrowsFromItsNeighboursAtTheKernelsSpeedAndAllAlike() {
    world.open(Office.pooled(1, "gold", "video/gold"));
    world.open(Office.pooled(1, "bronze", "video"));
    world.settle();
    for (int second = 0; second < 3; second++) {
      world.report(id -> 0.9);
    }
    ConversationId gold = ConversationId.of("h1", "gold");
    ConversationId bronze = ConversationId.of("h1", "bronze");
    assertThat(world.borrowing.getOrDefault(gold, 0L)).isGreaterThan(world.grant("h1", "gold"));
    assertThat(world.borrowing.getOrDefault(bronze, 0L)).isGreaterThan(world.grant("h1", "bronze"));
    assertThat(world.ranks.get(gold)).isEqualTo(world.ranks.get(bronze));
  }

  /** However late answers are, also while settings change and branches change hands. */
  @Property(tries = 150, seed = "20")
  void theSumOfRatesNeverExceedsTheLink(
      @ForAll @Size(max = 60) List<@IntRange(min = 0, max = 10) Integer> steps) {
    Office office = classed(new Office());
    office.setPolicy(BACKUP, fixed());
    List<String> intents = List.of("", "backup", "video", "video/gold");
    int opened = 0;
    for (int step : steps) {
      if (step < 4) {
        office.open(Office.conversation(1 + step % 3, "n" + opened++, intents.get(step)));
      } else if (step == 4) {
        office.share(100 + 90 * (opened % 10));
      } else if (step == 5) {
        office.setPolicy(BACKUP, opened % 2 == 0 ? fixed() : Policy.INHERIT_ALL);
      } else if (step == 6) {
        ClassSettings now = PlannerSettings.DEFAULT.classes();
        office.classes(
            ClassSettings.of(
                100 + 90 * (opened % 10), 1 + opened % 3, now.split(), 0, Duration.ofSeconds(2)));
      } else if (step == 7) {
        office.worker.pass(Duration.ofMillis(opened % 2 == 0 ? 5 : 600));
      } else if (step == 8) {
        office.report(id -> id.hashCode() % 10 / 10.0);
      } else if (!office.onTheirWay.isEmpty()) {
        office.deliver();
        office.worker.pass(Duration.ofMillis(1));
      }
      assertThat(office.mostSent()).isLessThanOrEqualTo(USABLE);
    }
    office.settle();
    office
        .planner
        .plan()
        .directives()
        .paces()
        .forEach(
            (id, pace) ->
                assertThat(office.enforced.get(id))
                    .as("%s", id)
                    .isEqualTo(
                        pace.rate().plus(office.planner.loans().to(id)).millibitsPerSecond()));
  }

  private static Policy fixed() {
    return Policy.builder()
        .scheme(SchemeName.FIXED_RATE)
        .maximumRate(DataRate.ofKilobitsPerSecond(1_000))
        .build();
  }
}
