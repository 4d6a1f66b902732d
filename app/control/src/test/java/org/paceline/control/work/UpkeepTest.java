package org.paceline.control.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.paceline.control.ManualWorker;
import org.paceline.control.SolverBug;

/** What is brought up to date, whatever is thrown on the way. */
final class UpkeepTest {
  private static final Duration SOON = Duration.ofMillis(50);

  private final ManualWorker worker = new ManualWorker().goingOn();
  private final Upkeep upkeep = new Upkeep(worker, SOON, "It is old.", this::work);
  private Optional<SolverBug> broken = Optional.empty();
  private int tries;

  private void work() {
    tries++;
    broken.ifPresent(SolverBug::thrown);
  }

  @Test
  void whoAsksTogetherIsServedOnceAndWhoAsksMeanwhileOnceMore() {
    upkeep.ask();
    upkeep.ask();
    worker.pass(SOON);
    assertThat(tries).isEqualTo(1);
    upkeep.ask();
    worker.pass(Duration.ofHours(1));
    assertThat(tries).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void whatFailsIsSaidOnceAndTriedAgainLessAndLessOften(SolverBug bug) {
    broken = Optional.of(bug);
    upkeep.ask();
    worker.pass(SOON);
    assertThat(tries).isEqualTo(1);
    worker.pass(Duration.ofSeconds(1).plus(SOON));
    assertThat(tries).isEqualTo(2);
    worker.pass(Duration.ofSeconds(2).plus(SOON));
    assertThat(tries).isEqualTo(3);
    worker.pass(Duration.ofHours(1));
    assertThat(tries).isBetween(60, 70);
    assertThat(worker.faults).singleElement().asString().contains("It is old. It is tried again.");
    assertThat(worker.faults.get(0).getCause()).asString().contains(bug.said);

    broken = Optional.empty();
    worker.pass(Duration.ofMinutes(1).plus(SOON));
    int enough = tries;
    worker.pass(Duration.ofHours(1));
    assertThat(tries).as("it is up to date").isEqualTo(enough);

    broken = Optional.of(bug);
    upkeep.ask();
    worker.pass(SOON);
    assertThat(worker.faults).as("another time").hasSize(2);
  }

  /** Else each event while it fails would begin a chain of tries of its own. */
  @Test
  void eventsWhileItFailsDoNotMultiplyTheTries() {
    broken = Optional.of(SolverBug.INDEX);
    for (int i = 0; i < 100; i++) {
      upkeep.ask();
      worker.pass(Duration.ofSeconds(1));
    }
    int before = tries;
    worker.pass(Duration.ofHours(1));
    assertThat(tries - before).isBetween(50, 61);
  }
}
