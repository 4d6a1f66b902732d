package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.paceline.allocator.reservation.AdaptationRule;
import org.paceline.control.NoCeilings;
import org.paceline.control.inventory.LedgerEntry;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.ReservedDemand;
import org.paceline.control.model.Unserved;
import org.paceline.control.planning.WhatIfResult;
import org.paceline.control.reservations.AdmissionDecision;
import org.paceline.control.reservations.BrokenPromises;
import org.paceline.control.reservations.ReservationRequest;
import org.paceline.control.settings.AdaptiveSettings;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/** A branch of adaptive reservations, alone and beside others. */
final class AdaptiveReservationsTest {
  private static final IntentPath VIDEO = IntentPath.parse("video");
  private static final IntentPath LIVE = IntentPath.parse("video/live");
  private static final IntentPath BACKUP = IntentPath.parse("backup");

  /** 950 thousandths of 10 Mbit/s, which a plan divides. */
  private static final double DIVIDED = 9_500_000_000.0;

  private static final long RESERVED = 2_000_000_000L;

  /** 960 thousandths of 10 Mbit/s, and Link's ten-millionth. */
  private static final long USABLE = 9_600_000_000L + 960;

  private final Office world = reserving(new Office());

  /** Of the branch, only what is live has a reservation: 2 Mbit/s a conversation. */
  private static Office reserving(Office office) {
    office.setPolicy(VIDEO, Policy.builder().scheme(SchemeName.ADAPTIVE_RESERVATIONS).build());
    office.setPolicy(LIVE, Policy.builder().minimumRate(rate(RESERVED)).build());
    return office;
  }

  private static DataRate rate(long millibits) {
    return DataRate.ofMillibitsPerSecond(millibits);
  }

  @Example
  void whatIsReservedComesFirstAndBestEffortHasTheRest() {
    world.open(Office.conversation(1, "live", "video/live"));
    world.open(Office.conversation(2, "rest", "video"));
    world.settle();
    assertThat(world.planner.plan().summary().method()).isEqualTo("adaptive reservations");
    assertThat(world.grant("h1", "live")).isEqualTo(RESERVED);
    assertThat((double) world.grant("h2", "rest")).isCloseTo(DIVIDED - RESERVED, within(2_000.0));
  }

  @Example
  void whatIsNotUsedIsLentAndIsBackAfterOnePeriod() {
    world.open(Office.conversation(1, "live", "video/live"));
    world.open(Office.conversation(2, "rest", "video"));
    world.settle();
    for (int second = 0; second < 8; second++) {
      world.report(id -> id.host().equals("h1") ? 0.1 : 1);
    }
    assertThat(world.grant("h1", "live")).isLessThan(RESERVED / 5);
    assertThat(world.grant("h2", "rest")).isGreaterThan((long) (DIVIDED - RESERVED / 5));
    ReservedDemand wanted = world.proof("h1", "live").reservation().orElseThrow();
    assertThat(wanted.reserved()).isEqualTo(rate(RESERVED));
    assertThat(wanted.wanted().millibitsPerSecond()).isEqualTo(world.grant("h1", "live"));
    assertThat(wanted.isAsking()).isFalse();
    assertThat(world.proof("h2", "rest").reservation()).as("best effort").isEmpty();
    LedgerEntry lent = world.planner.ledger().get(0);
    assertThat(lent.lender()).isEqualTo(ConversationId.of("h1", "live"));
    assertThat(lent.borrower()).isEqualTo(ConversationId.of("h2", "rest"));
    assertThat(lent.rate().millibitsPerSecond()).isEqualTo(RESERVED - world.grant("h1", "live"));
    assertThat(lent.returnedAt()).isEmpty();

    // It asks by using all that it was left. Rates follow at the end of the period.
    for (int second = 0; second < 4; second++) {
      world.report(id -> 1);
    }
    assertThat(world.grant("h1", "live")).isGreaterThanOrEqualTo(RESERVED);
    assertThat(world.planner.ledger().get(0).returnedAt()).isNotEmpty();
    assertThat(world.proof("h1", "live").reservation().orElseThrow().isAsking()).isTrue();
  }

  @Example
  void whoUsesItsReservationFullyBorrowsBeforeBestEffortHasAnything() {
    world.open(Office.conversation(1, "live", "video/live"));
    world.open(Office.conversation(2, "rest", "video"));
    world.settle();
    for (int second = 0; second < 12; second++) {
      world.report(id -> 1);
    }
    // All but a fiftieth of the link, which best effort has in any case.
    assertThat((double) world.grant("h1", "live")).isCloseTo(DIVIDED * 0.98, within(2e6));
  }

  @Example
  void whatDoesNotFitIsBestEffortAndSaysSo() {
    for (int host = 1; host <= 3; host++) {
      world.open(Office.conversation(host, "live" + host, "video/live"));
    }
    world.settle();
    // Half of the link may be reserved: two of three fit.
    assertThat(world.proof("h3", "live3").state()).isEqualTo(ConversationState.UNSERVED);
    assertThat(world.proof("h3", "live3").unserved().orElseThrow().code())
        .isEqualTo(Unserved.Code.SHARE_IS_FULL);
    assertThat(world.proof("h3", "live3").reservation()).as("it has none").isEmpty();
    assertThat(world.proof("h2", "live2").reservation()).isNotEmpty();
    assertThat((double) world.enforced.getOrDefault(ConversationId.of("h3", "live3"), 0L))
        .isCloseTo(DIVIDED - 2 * RESERVED, within(2_000.0));
    world.close(ConversationId.of("h1", "live1"));
    world.settle();
    assertThat(world.grant("h3", "live3")).isGreaterThanOrEqualTo(RESERVED);
  }

  @Example
  void besideOthersItKeepsToItsShareAndItsReservationsHold() {
    world.open(Office.conversation(1, "live", "video/live"));
    world.open(Office.conversation(2, "rest", "video"));
    world.open(Office.conversation(3, "web", ""));
    world.settle();
    assertThat(world.grant("h1", "live")).isEqualTo(RESERVED);
    assertThat((double) world.grant("h1", "live") + world.grant("h2", "rest"))
        .isCloseTo(DIVIDED / 2, within(4_000.0));
    assertThat(world.grant("h3", "web")).isEqualTo(RESERVED);
  }

  @Example
  void whoSendsSteadilyCausesNoPlans() {
    world.open(Office.conversation(1, "live", "video/live"));
    world.open(Office.conversation(2, "rest", "video"));
    world.settle();
    // Both send the same all the time, as hosts do: so much less than they are let.
    for (int second = 0; second < 10; second++) {
      world.report(id -> sending(id));
    }
    long version = world.planner.plan().version();
    for (int second = 0; second < 20; second++) {
      world.report(id -> sending(id));
    }
    assertThat(world.planner.plan().version()).isEqualTo(version);
  }

  /** 1 Mbit/s, as a part of what it may send now. */
  private double sending(ConversationId id) {
    return 1e9 / world.enforced.getOrDefault(id, 1L);
  }

  private AdmissionDecision reserve(String intent, boolean isAdaptive) {
    Instant now = world.worker.instant();
    Duration hour = Duration.ofHours(1);
    AdmissionDecision decision =
        world.reservations.hold(
            NoCeilings.ADAM,
            ReservationRequest.of(
                    intent, "10.0.1.1", "10.0.2.1", rate(RESERVED), now, hour, now.plus(hour))
                .adaptive(isAdaptive));
    decision.held().ifPresent(held -> world.reservations.commit(held.id()));
    world.settle();
    return decision;
  }

  @Example
  void whatIsReservedByNameAndTimeIsLentWhereItSaysSo() {
    world.open(Office.conversation(1, "call", "video"));
    world.open(Office.conversation(2, "rest", "video"));
    assertThat(reserve("video", true).isYes()).isTrue();
    assertThat(world.grant("h1", "call")).isEqualTo(RESERVED);
    for (int second = 0; second < 8; second++) {
      world.report(id -> id.host().equals("h1") ? 0.1 : 1);
    }
    assertThat(world.grant("h1", "call")).isLessThan(RESERVED / 5);
    BrokenPromises promises =
        new BrokenPromises(
            world.reservations,
            () -> world.state,
            PlannerSettings.DEFAULT::plannable,
            world.worker);
    promises.look(world.proofs.all());
    world.worker.pass(Duration.ofSeconds(10));
    assertThat(promises.look(world.proofs.all())).as("it has it when it asks").isEmpty();
  }

  @Example
  void whatIsReservedByNameAndTimeIsElseLentToNobody() {
    world.open(Office.conversation(1, "call", "video"));
    world.open(Office.conversation(2, "rest", "video"));
    assertThat(reserve("video", false).isYes()).isTrue();
    for (int second = 0; second < 8; second++) {
      world.report(id -> id.host().equals("h1") ? 0.1 : 1);
    }
    assertThat(world.grant("h1", "call")).isEqualTo(RESERVED);
    assertThat(world.planner.ledger()).isEmpty();
  }

  @Example
  void aSchemeThatLendsNothingOfAReservationRefusesAnAdaptiveOne() {
    AdmissionDecision decision = reserve("", true);
    assertThat(decision.isYes()).isFalse();
    assertThat(decision.refusal().orElseThrow())
        .contains("ruled by utility-fair, which lends nothing of a reservation");
  }

  /** However late answers are, also while settings change and branches change hands. */
  @Property(tries = 150, seed = "20")
  void theSumOfRatesNeverExceedsTheLink(
      @ForAll @Size(max = 60) List<@IntRange(min = 0, max = 9) Integer> steps) {
    Office office = reserving(new Office());
    List<String> intents = List.of("", "backup", "video", "video/live");
    int opened = 0;
    for (int step : steps) {
      if (step < 4) {
        office.open(Office.conversation(1 + step % 3, "n" + opened++, intents.get(step)));
      } else if (step == 4) {
        office.setPolicy(BACKUP, opened % 2 == 0 ? classes() : Policy.INHERIT_ALL);
      } else if (step == 5) {
        office.adaptive(
            AdaptiveSettings.of(
                100 + 90 * (opened % 10), AdaptationRule.DEFAULT, Duration.ofSeconds(2)));
      } else if (step == 6) {
        office.worker.pass(Duration.ofMillis(opened % 2 == 0 ? 5 : 600));
      } else if (step == 7) {
        office.report(id -> id.hashCode() % 10 / 10.0);
      } else if (!office.onTheirWay.isEmpty()) {
        office.deliver();
        office.worker.pass(Duration.ofMillis(1));
      }
      assertThat(office.mostSent()).isLessThanOrEqualTo(USABLE);
    }
  }

  private static Policy classes() {
    return Policy.builder().scheme(SchemeName.SERVICE_CLASSES).build();
  }

  /** What somebody is taken to want is more than its last period says. */
  @Example
  void aWhatIfThatChangesNothingGivesEachWhatItHas() {
    borrowing();
    WhatIfResult same = world.planner.whatIf(demand -> demand).orElseThrow();
    assertThat(same.after()).isEqualTo(same.before());
  }

  /** What is live borrowed nearly all, and uses half of it since. */
  private void borrowing() {
    world.open(Office.conversation(1, "live", "video/live"));
    world.open(Office.conversation(2, "rest", "video"));
    world.settle();
    for (int second = 0; second < 12; second++) {
      world.report(id -> 1);
    }
    for (int second = 0; second < 8; second++) {
      world.report(id -> id.host().equals("h1") ? 0.6 : 1);
    }
    assertThat(world.grant("h1", "live")).isGreaterThan(RESERVED);
  }

  @Example
  void settingsAreInForceWithTheNextPlan() {
    AdaptiveSettings now = PlannerSettings.DEFAULT.adaptive();
    world.adaptive(AdaptiveSettings.of(200, now.rule(), now.period()));
    world.open(Office.conversation(1, "live", "video/live"));
    world.settle();
    assertThat(world.proof("h1", "live").state()).isEqualTo(ConversationState.UNSERVED);
    world.adaptive(AdaptiveSettings.of(300, now.rule(), now.period()));
    world.settle();
    assertThat(world.grant("h1", "live")).isGreaterThanOrEqualTo(RESERVED);
  }

  @Example
  void aPeriodIsInForceWithTheNextPlanHoweverLongTheOneBeforeWas() {
    AdaptiveSettings now = PlannerSettings.DEFAULT.adaptive();
    world.adaptive(AdaptiveSettings.of(now.shareThousandths(), now.rule(), Duration.ofHours(1)));
    world.open(Office.conversation(1, "live", "video/live"));
    world.open(Office.conversation(2, "rest", "video"));
    world.settle();
    world.adaptive(AdaptiveSettings.of(now.shareThousandths(), now.rule(), Duration.ofSeconds(2)));
    world.settle();
    for (int second = 0; second < 8; second++) {
      world.report(id -> id.host().equals("h1") ? 0.1 : 1);
    }
    assertThat(world.grant("h1", "live")).isLessThan(RESERVED / 5);
  }
}
