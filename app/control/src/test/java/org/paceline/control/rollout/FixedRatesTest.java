package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.paceline.control.directive.Directive;
import org.paceline.control.explain.LinkUse;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.planning.WhatIfResult;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/** A branch with fixed rates beside conversations that share by utility. */
final class FixedRatesTest {
  private static final IntentPath BACKUP = IntentPath.parse("backup");
  private static final long MBPS = 1_000_000_000L;

  /** 960 thousandths of 10 Mbit/s, and Link's ten-millionth. */
  private static final long USABLE = 9_600_000_000L + 960;

  private final Office world = new Office();

  FixedRatesTest() {
    world.setPolicy(BACKUP, fixed(1_000));
  }

  @Example
  void fixedRatesAreJustThatAndTheOthersShareWhatTheyLeave() {
    world.open(Office.conversation(1, "b1", "backup/nightly"));
    world.open(Office.conversation(2, "b2", "backup"));
    for (int i = 0; i < 8; i++) {
      world.open(Office.conversation(1 + i % 3, "w" + i, ""));
    }
    world.settle();
    assertThat(world.grant("h1", "b1")).isEqualTo(MBPS);
    assertThat(world.grant("h2", "b2")).isEqualTo(MBPS);
    assertThat(world.planner.plan().summary().method()).isEqualTo("fixed rate + exact");
    LinkUse use =
        LinkUse.of(world.planner.plan(), world.planner.loans(), world.proofs)
            .getOrDefault(LinkId.of("s1", "s2"), LinkUse.NONE);
    assertThat(use.grantedBy())
        .containsEntry(SchemeName.FIXED_RATE, DataRate.ofKilobitsPerSecond(2_000))
        .containsEntry(SchemeName.UTILITY_FAIR, DataRate.ofKilobitsPerSecond(7_200));
    assertThat(use.granted()).isEqualTo(DataRate.ofKilobitsPerSecond(9_200));
    // 9.5 Mbit/s are divided; 7.5 among eight, in steps of 100 kbit/s.
    assertThat(world.grant("h1", "w0")).isEqualTo(900_000_000L);

    world.close(ConversationId.of("h1", "b1"));
    world.close(ConversationId.of("h2", "b2"));
    world.settle();
    assertThat(world.grant("h1", "w0")).isEqualTo(1_100_000_000L);
    assertThat(world.planner.plan().summary().method()).isEqualTo("exact");
  }

  @Example
  void aSmallerShareMakesSomeWaitAtATrickleAndALargerOneServesThemAgain() {
    for (int i = 0; i < 4; i++) {
      world.open(Office.conversation(1 + i % 3, "b" + i, "backup"));
    }
    world.open(Office.conversation(1, "w", ""));
    world.settle();
    assertThat(served()).isEqualTo(4);

    share(250);
    assertThat(served()).isEqualTo(2);
    assertThat(world.refused).isNotEmpty();
    long trickles =
        world.enforced.entrySet().stream()
            .filter(e -> e.getKey().local().startsWith("b") && e.getValue() < MBPS)
            .mapToLong(Map.Entry::getValue)
            .sum();
    assertThat(trickles).isPositive().isLessThanOrEqualTo(48_000_000L);

    share(500);
    assertThat(served()).isEqualTo(4);
  }

  @Example
  void aBranchThatIsHandedToAnotherSchemeSaysBeforeWhatThatChanges() {
    world.open(Office.conversation(1, "b1", "backup"));
    world.open(Office.conversation(2, "w", ""));
    world.settle();
    WhatIfResult result =
        world
            .planner
            .whatIf(
                demand ->
                    demand.application().id().equals("h2/w")
                        ? demand.under(world.policies.resolve("backup"))
                        : demand)
            .orElseThrow();
    assertThat(result.after())
        .extractingByKey(ConversationId.of("h2", "w"))
        .extracting(Grant::rate)
        .isEqualTo(DataRate.ofKilobitsPerSecond(1_000));
    world.setPolicy(BACKUP, Policy.INHERIT_ALL);
    world.settle();
    assertThat(world.grant("h1", "b1")).isEqualTo(2 * MBPS);
  }

  @Example
  void aHandOverThatChangesNoRateTellsNobodyAnything() {
    world.open(Office.conversation(1, "b1", "backup"));
    world.settle();
    int told = world.batches;
    world.setPolicy(
        BACKUP,
        Policy.builder()
            .minimumRate(DataRate.ofKilobitsPerSecond(1_000))
            .maximumRate(DataRate.ofKilobitsPerSecond(1_000))
            .build());
    world.settle();
    assertThat(world.planner.plan().directives().about(ConversationId.of("h1", "b1")))
        .extracting(Directive::id)
        .containsExactly("utility-fair/pace/h1/b1", "utility-fair/route/h1/b1");
    assertThat(world.grant("h1", "b1")).isEqualTo(MBPS);
    assertThat(world.batches).isEqualTo(told);
  }

  /** However late answers are, also while the split changes and a branch changes hands. */
  @Property(tries = 150, seed = "20")
  void theSumOfRatesNeverExceedsTheLink(
      @ForAll @Size(max = 60) List<@IntRange(min = 0, max = 9) Integer> steps) {
    Office office = new Office();
    office.setPolicy(BACKUP, fixed(1_000));
    int opened = 0;
    for (int step : steps) {
      if (step < 4) {
        office.open(
            Office.conversation(1 + step % 3, "n" + opened++, step % 2 == 0 ? "" : "backup"));
      } else if (step == 4) {
        office.share(100 + 90 * (opened % 10));
      } else if (step == 5) {
        office.setPolicy(BACKUP, opened % 2 == 0 ? fixed(1_500) : Policy.INHERIT_ALL);
      } else if (step < 8) {
        office.worker.pass(Duration.ofMillis(step == 6 ? 5 : 600));
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
                assertThat(office.enforced.get(id)).isEqualTo(pace.rate().millibitsPerSecond()));
  }

  @Example
  void whoseRateIsFixedBorrowsNothing() {
    Office lending = new Office(PlannerSettings.DEFAULT.toBuilder().lendThousandths(60).build());
    lending.setPolicy(BACKUP, fixed(1_000));
    lending.open(Office.conversation(1, "b1", "backup"));
    lending.open(Office.conversation(2, "w", ""));
    lending.settle();
    for (int i = 0; i < 10; i++) {
      lending.report(id -> 1);
    }
    assertThat(lending.enforced.get(ConversationId.of("h1", "b1"))).isEqualTo(MBPS);
    assertThat(lending.enforced.get(ConversationId.of("h2", "w"))).isGreaterThan(2 * MBPS);
  }

  private void share(int thousandths) {
    world.share(thousandths);
    world.settle();
  }

  private long served() {
    return world.proofs.all().stream()
        .filter(proof -> proof.conversation().id().local().startsWith("b"))
        .filter(proof -> proof.state() == ConversationState.GRANTED)
        .count();
  }

  private static Policy fixed(long kbps) {
    return Policy.builder()
        .scheme(SchemeName.FIXED_RATE)
        .maximumRate(DataRate.ofKilobitsPerSecond(kbps))
        .build();
  }
}
