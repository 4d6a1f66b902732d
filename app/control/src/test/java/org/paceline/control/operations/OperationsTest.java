package org.paceline.control.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;
import org.paceline.control.RememberedRecords;

final class OperationsTest {
  private final ManualWorker worker = new ManualWorker();
  private final ManualWorker answering = new ManualWorker();
  private final RememberedRecords<Operation> kept = new RememberedRecords<>();
  private final Operations operations = on("here");

  private Operations on(String node) {
    return new Operations(kept, node, worker::execute, answering::execute, worker);
  }

  @Test
  void itRunsUntilItsOutcomeIsThere() {
    Operation started = start("a");
    assertThat(operations.find(started.id()).map(Operation::isRunning)).contains(true);
    worker.pass(Duration.ofSeconds(1));
    Operation ended = operations.find(started.id()).orElseThrow();
    assertThat(ended.outcome()).contains(Outcome.done("a"));
    assertThat(ended.actor()).isEqualTo("anna");
    assertThat(ended.endedAt()).isPresent();
  }

  @Test
  void anOutcomeIsForgottenAfterAnHour() {
    Operation started = start("a");
    worker.pass(Duration.ofMinutes(59));
    assertThat(operations.find(started.id())).isPresent();
    worker.pass(Duration.ofMinutes(2));
    assertThat(operations.find(started.id())).isEmpty();
  }

  @Test
  void theOldestMakeRoomForNewOnes() {
    Operation first = start("first");
    worker.pass(Duration.ofSeconds(1));
    for (int i = 0; i < 50; i++) {
      start("later " + i);
      worker.pass(Duration.ofSeconds(1));
    }
    assertThat(operations.find(first.id())).isEmpty();
    assertThat(operations.all()).hasSize(50);
    assertThat(operations.all().get(0).outcome()).contains(Outcome.done("later 49"));
  }

  @Test
  void moreThanTenAtATimeAreNotBegun() {
    for (int i = 0; i < 5; i++) {
      start("waiting " + i);
      assertThat(ask("bert", "what if " + i)).isPresent();
      assertThat(startAs("bert")).isPresent();
    }
    assertThat(startAs("carl")).isEmpty();
    worker.pass(Duration.ofSeconds(1));
    assertThat(startAs("carl")).isPresent();
  }

  @Test
  void nobodysManyQuestionsKeepOthersFromAsking() {
    for (int i = 0; i < 5; i++) {
      assertThat(ask("flood", "what if " + i)).isPresent();
    }
    assertThat(ask("flood", "one more")).isEmpty();
    assertThat(ask("anna", "what if")).isPresent();
  }

  @Test
  void nobodysManyQuestionsTakeAwayWhatCameOfAnothersChange() {
    Operation change = start("committed");
    worker.pass(Duration.ofSeconds(1));
    for (int i = 0; i < 200; i++) {
      assertThat(ask("flood", "answer " + i)).isPresent();
      answering.pass(Duration.ofMillis(10));
    }
    assertThat(operations.find(change.id()).orElseThrow().outcome())
        .contains(Outcome.done("committed"));
    assertThat(operations.all()).hasSize(50);
    assertThat(operations.all().get(0).outcome()).contains(Outcome.done("answer 199"));
  }

  /** What waits for its turn is another thread's, and leaves changes their room. */
  @Test
  void questionsHoldUpNoChange() {
    for (int i = 0; i < 5; i++) {
      assertThat(ask("bert", "")).isPresent();
      assertThat(ask("carl", "")).isPresent();
    }
    assertThat(ask("anna", "")).isEmpty();
    Operation change = start("changed");
    worker.pass(Duration.ofSeconds(1));
    assertThat(operations.find(change.id()).orElseThrow().outcome())
        .contains(Outcome.done("changed"));
    assertThat(operations.all().stream().filter(Operation::isRunning)).hasSize(10);
    answering.pass(Duration.ofSeconds(1));
    assertThat(operations.all().stream().filter(Operation::isRunning)).isEmpty();
  }

  @Test
  void whatThrowsHasFailedAndMakesRoomForOthers() {
    Operation refused = tryToStart(failing(new IllegalStateException("no"))).orElseThrow();
    for (int i = 0; i < 4; i++) {
      assertThat(tryToStart(failing(new StackOverflowError("deep")))).isPresent();
    }
    worker.pass(Duration.ofSeconds(1));
    assertThat(operations.find(refused.id()).orElseThrow().outcome())
        .contains(Outcome.failed("IllegalStateException: no"));
    assertThat(operations.all().get(0).outcome())
        .contains(Outcome.failed("StackOverflowError: deep"));
    assertThat(tryToStart(() -> "one more")).isPresent();
  }

  @Test
  void whatARestartCutOffHasFailedAndWhatWasDoneIsStillKnown() {
    Operation done = start("done");
    worker.pass(Duration.ofSeconds(1));
    Operation cut = start("cut");
    Outcome cutOff = Outcome.failed("started anew");
    Operations elsewhere = on("elsewhere");
    elsewhere.restore(cutOff);
    assertThat(elsewhere.all()).isEmpty();
    Operations again = on("here");
    again.restore(cutOff);
    assertThat(again.find(done.id()).orElseThrow().outcome()).contains(Outcome.done("done"));
    assertThat(again.find(cut.id()).orElseThrow().outcome()).contains(cutOff);
    assertThat(again.all()).extracting(Operation::id).containsExactly(cut.id(), done.id());
    worker.pass(Duration.ofHours(2));
    assertThat(again.all()).isEmpty();
    assertThat(kept.size()).isZero();
  }

  @Test
  void whatCannotBeWrittenDownIsNotBegun() {
    kept.refuse();
    assertThatThrownBy(() -> start("lost")).hasMessageContaining("away");
    assertThat(operations.all()).isEmpty();
  }

  private static Supplier<String> failing(RuntimeException failure) {
    return () -> {
      throw failure;
    };
  }

  private static Supplier<String> failing(Error failure) {
    return () -> {
      throw failure;
    };
  }

  private Operation start(String text) {
    return tryToStart(() -> text).orElseThrow();
  }

  private Optional<Operation> ask(String actor, String text) {
    return operations.ask(actor, "what if", () -> text, Throwable::toString);
  }

  private Optional<Operation> startAs(String actor) {
    return operations.start(actor, "a change", () -> "", Throwable::toString);
  }

  private Optional<Operation> tryToStart(Supplier<String> work) {
    return operations.start(
        "anna",
        "what anna asks",
        work,
        failure -> failure.getClass().getSimpleName() + ": " + failure.getMessage());
  }
}
