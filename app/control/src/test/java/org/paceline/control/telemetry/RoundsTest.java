package org.paceline.control.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.paceline.control.ManualWorker;
import org.paceline.control.SolverBug;

final class RoundsTest {
  private final ManualWorker worker = new ManualWorker().goingOn();
  private final List<Long> rounds = new ArrayList<>();
  private Duration period = Duration.ofSeconds(30);
  private Runnable work = () -> {};
  private final Rounds made =
      new Rounds(
          worker,
          () -> period,
          () -> {
            rounds.add(worker.now().toSeconds());
            work.run();
          });

  private void change(int seconds) {
    period = Duration.ofSeconds(seconds);
    made.changed();
  }

  private void pass(int seconds) {
    worker.pass(Duration.ofSeconds(seconds));
  }

  @Test
  void oneComesOncePerPeriod() {
    made.start();
    pass(95);
    assertThat(rounds).containsExactly(30L, 60L, 90L);
  }

  @Test
  void aShorterPeriodHoldsAtOnce() {
    made.start();
    pass(40);
    change(4);
    pass(9);
    // Ten seconds after the round at 30 s is more than a period: one comes at once.
    assertThat(rounds).containsExactly(30L, 40L, 44L, 48L);
  }

  @Test
  void aLongerPeriodHoldsAtOnceAndTheRoundThatWasDueDoesNotCome() {
    period = Duration.ofSeconds(5);
    made.start();
    pass(7);
    change(20);
    pass(20);
    assertThat(rounds).containsExactly(5L, 25L);
  }

  @Test
  void whoeverSaysAgainAndAgainThatNothingChangedDelaysNoRound() {
    made.start();
    for (int i = 0; i < 70; i++) {
      pass(1);
      made.changed();
    }
    assertThat(rounds).containsExactly(30L, 60L);
  }

  @Test
  void nothingComesBeforeTheStart() {
    change(1);
    pass(10);
    assertThat(rounds).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aRoundThatThrowsIsNotTheLast(SolverBug bug) {
    work = bug::thrown;
    made.start();
    pass(65);
    assertThat(rounds).containsExactly(30L, 60L);
    assertThat(worker.faults).hasSize(2);
  }
}
