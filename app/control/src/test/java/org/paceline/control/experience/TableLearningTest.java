package org.paceline.control.experience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;
import org.paceline.control.RememberedRecords;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.Proof;
import org.paceline.intents.kpi.KpiModel;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/** Pages at 1 Mbit/s within 20 ms, which the function (any) calls 4.5. */
final class TableLearningTest {
  private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);

  /** As 2.21. */
  private static final double BAD = 17.4;

  /** As 4.72. */
  private static final double GOOD = 1;

  private final ManualWorker clock = new ManualWorker();
  private final ProofBook book = new ProofBook();
  private final Experiences experiences = new Experiences(book, () -> Duration.ofMinutes(2), clock);
  private final RememberedRecords<LearnedTable> kept = new RememberedRecords<>();
  private final Proof page =
      Talking.proof("h1", Talking.PAGE, "10.0.0.1", "10.0.0.2").toBuilder()
          .measured(Talking.GRANTED)
          .build();
  private final UtilityFunction any = page.requested().utilityFunction().value();
  private IntentTree tree = IntentTree.withDefault(any);
  private TableLearning learning = new TableLearning(kept, () -> tree, clock, Runnable::run);

  TableLearningTest() {
    book.put(page);
    look();
    clock.pass(HALF_A_MINUTE);
  }

  @Test
  void tenReportsThatAreWorseThanPromisedAreAnAlarmThatNamesTheCell() {
    assertThat(reports(BAD, 9)).isEmpty();
    assertThat(reports(BAD, 1))
        .singleElement()
        .satisfies(
            alarm -> {
              assertThat(alarm.kind()).isEqualTo(Alarm.Kind.TABLE_DRIFT);
              assertThat(alarm.utilityFunction()).contains("any");
              assertThat(alarm.about()).isEqualTo("utility function any");
              assertThat(alarm.sentence())
                  .isEqualTo(
                      "The utility function (any) promises 4.50 for 1000 kbit/s within 20 ms, and 10"
                          + " reports say 2.21 (95 % sure: 2.21 to 2.21). Maybe look at"
                          + " paceline:learned any.");
            });
    assertThat(cell().reports()).isEqualTo(10);
    assertThat(cell().mean()).isCloseTo(2.21, within(0.01));
  }

  @Test
  void reportsThatAreAsPromisedAreNone() {
    assertThat(reports(GOOD, 40)).isEmpty();
    assertThat(cell().reports()).isEqualTo(40);
  }

  @Test
  void aCallTeachesThoughItsPhoneAddsItsTimeToTheNetworks() {
    Proof call = Talking.proof("h1", Talking.CALL, "10.0.0.1", "10.0.0.2");
    for (int i = 0; i < 10; i++) {
      book.put(
          call.toBuilder()
              .kpis(Talking.kpis(clock.instant(), "loss_fraction", 0.1, "delay_ms", 85.0))
              .build());
      look();
      clock.pass(HALF_A_MINUTE);
    }
    assertThat(cell().reports()).isEqualTo(9);
    assertThat(cell().mean()).isCloseTo(3.7, within(0.01));
  }

  @Test
  void whatVariesSaysNothingForSure() {
    for (int pair = 0; pair < 10; pair++) {
      assertThat(reports(BAD, 1)).isEmpty();
      assertThat(reports(GOOD, 2)).isEmpty();
    }
    assertThat(cell().halfWidth()).isGreaterThan(0.4);
  }

  @Test
  void itEndsWhereNoIntentNamesTheFunctionAnyMore() {
    assertThat(reports(BAD, 10)).hasSize(1);
    tree = IntentTree.withDefault(any.named("other"));
    assertThat(look()).isEmpty();
  }

  @Test
  void oneUserCountsTwiceAMinuteAtMost() {
    for (int second = 0; second < 120; second++) {
      clock.pass(Duration.ofSeconds(1));
      report(BAD);
      look();
    }
    assertThat(cell().reports()).isEqualTo(4);
  }

  @Test
  void whatIsReportedSoonAfterAnotherGrantMayTellOfTheOneBefore() {
    book.change(
        page.conversation().id(),
        p -> p.computed(page.computed().map(TableLearningTest::ofLessDelay)));
    look();
    clock.pass(Duration.ofSeconds(9));
    report(BAD);
    look();
    assertThat(learning.tables()).isEmpty();
    clock.pass(Duration.ofSeconds(1));
    report(BAD);
    look();
    assertThat(cell().reports()).isEqualTo(1);
  }

  private static Grant ofLessDelay(Grant grant) {
    return Grant.of(
        grant.applicationId(),
        1,
        grant.rate(),
        Latency.ofMillis(10),
        grant.utility(),
        grant.path());
  }

  @Test
  void whoHasMoreThanItsGrantTeachesNothingOfItsGrant() {
    measured(DataRate.ofKilobitsPerSecond(1_200));
    assertThat(reports(GOOD, 20)).isEmpty();
    assertThat(learning.tables()).isEmpty();
  }

  @Test
  void norDoesWhoIsSlowForAnotherReason() {
    measured(DataRate.ofKilobitsPerSecond(400));
    assertThat(reports(BAD, 20)).as("it asks for less than half").isEmpty();
    assertThat(cell().reports()).as("that before which it asked for all").isEqualTo(1);
  }

  @Test
  void norDoesWhomNobodyHolds() {
    book.change(page.conversation().id(), p -> p.state(ConversationState.RECOMMENDED));
    assertThat(reports(BAD, 20)).isEmpty();
    assertThat(learning.tables()).isEmpty();
  }

  /** A user has one experience of both directions. */
  @Test
  void ofBothDirectionsTheOneThatCarriesMoreTeaches() {
    Proof back =
        Talking.proof("h2", Talking.PAGE, "10.0.0.2", "10.0.0.1").toBuilder()
            .measured(Talking.GRANTED)
            .sentBytes(1_000_000)
            .build();
    book.put(back);
    look();
    reports(BAD, 10);
    assertThat(cell().reports()).isEqualTo(10);
  }

  @Test
  void itGoesOnAfterARestartAndAnewForAnotherTable() {
    reports(BAD, 6);
    learning = new TableLearning(kept, () -> tree, clock, Runnable::run);
    look();
    clock.pass(HALF_A_MINUTE);
    assertThat(cell().reports()).as("kept once a minute").isBetween(4L, 6L);
    reports(BAD, 6);
    assertThat(cell().reports()).isGreaterThanOrEqualTo(10);
    assertThat(learning.tables()).singleElement().satisfies(t -> assertThat(t.away()).hasSize(1));

    UtilityFunction better =
        UtilityFunction.of(
            "any",
            List.of(any.throughput(0)),
            List.of(any.delay(0)),
            List.of(List.of(Utility.of(2.2))));
    book.change(
        page.conversation().id(),
        p ->
            p.requested(
                IntentTree.withDefault(better)
                    .with(IntentPath.parse("web"), Policy.builder().kpiModel(KpiModel.WEB).build())
                    .resolve(Talking.PAGE)));
    tree = IntentTree.withDefault(better);
    assertThat(reports(BAD, 20)).isEmpty();
    assertThat(cell().reports()).isEqualTo(20);
  }

  @Test
  void aStoreThatDoesNotAnswerHoldsUpNobody() {
    learning = new TableLearning(kept, () -> tree, clock, write -> {});
    look();
    assertThat(reports(BAD, 11)).hasSize(1);
    assertThat(kept.keys()).isEmpty();
  }

  @Test
  void whereThereAreTooManyOneIsForgottenThatNobodyIsPromisedAnyMore() {
    for (int i = 0; i < TableLearning.MOST_TABLES; i++) {
      UtilityFunction old = any.named("old" + i);
      kept.replace(old.name(), LearnedTable.of(old, clock.instant(), List.of()));
    }
    learning = new TableLearning(kept, () -> tree, clock, Runnable::run);
    look();
    reports(BAD, 3);
    assertThat(learning.tables())
        .hasSize(TableLearning.MOST_TABLES)
        .extracting(LearnedTable::name)
        .contains("any");
    assertThat(kept.keys()).hasSize(TableLearning.MOST_TABLES).contains("any");
  }

  private LearnedCell cell() {
    return learning.tables().get(0).cells().iterator().next();
  }

  private void measured(DataRate rate) {
    book.change(page.conversation().id(), p -> p.measured(rate));
  }

  private List<Alarm> reports(double seconds, int times) {
    List<Alarm> alarms = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      clock.pass(HALF_A_MINUTE);
      report(seconds);
      alarms = look();
    }
    return alarms;
  }

  private void report(double seconds) {
    book.change(
        page.conversation().id(),
        p -> p.kpis(Talking.kpis(clock.instant(), "page_load_s", seconds)));
  }

  private List<Alarm> look() {
    experiences.refresh();
    return learning.look(book.all());
  }
}
