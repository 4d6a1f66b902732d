package org.paceline.control.planning;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.paceline.control.port.Worker;

/**
 * Measures period by period for as long as a scheme that goes by it rules anybody, and asks for a
 * plan where that moves it. A period may be changed while it runs: then it ends a new period after
 * it began, or at once where that is over. All on the worker.
 */
final class MeasuringPeriod {
  /** So long nobody waits for who is asked what it counted: then what it said before counts. */
  private static final Duration PATIENCE = Duration.ofMillis(200);

  private final Worker worker;
  private final Measurement measurement;
  private final Runnable replan;
  private State state = State.UNWANTED;
  private Duration period = Duration.ZERO;
  private Duration began = Duration.ZERO;

  /** Of the one wait that counts, for the end of a period or for counters. */
  private long wait;

  private enum State {
    /** The scheme rules nobody. */
    UNWANTED,
    /** The next period begins with the next plan. */
    PAUSED,
    RUNNING,
    COUNTING
  }

  /** What is measured. */
  interface Measurement {
    /** Has counters brought up to date; completes on the worker. */
    default CompletableFuture<Void> count() {
      return CompletableFuture.allOf();
    }

    /** Counters are read once more. Whether that is a reason for a plan. */
    boolean measure();

    /** Nobody goes by it any more. */
    void clear();
  }

  MeasuringPeriod(Worker worker, Measurement measurement, Runnable replan) {
    this.worker = worker;
    this.measurement = measurement;
    this.replan = replan;
  }

  /**
   * A plan is made.
   *
   * @param now how long periods are from now on
   * @param isAnybodyRuled whether the scheme rules anybody in it
   */
  void planned(Duration now, boolean isAnybodyRuled) {
    if (!isAnybodyRuled) {
      state = State.UNWANTED;
      wait++;
      measurement.clear();
      return;
    }
    boolean isChanged = !now.equals(period);
    period = now;
    if (state == State.UNWANTED) {
      state = State.PAUSED;
      measurement.measure();
    }
    if (state == State.PAUSED) {
      begin();
    } else if (state == State.RUNNING && isChanged) {
      awaitEnd();
    }
  }

  private void begin() {
    state = State.RUNNING;
    began = worker.now();
    awaitEnd();
  }

  private void awaitEnd() {
    Duration left = began.plus(period).minus(worker.now());
    worker.after(left.isNegative() ? Duration.ZERO : left, onlyNow(this::end));
  }

  /** Once, and not where another wait has begun since. */
  private Runnable onlyNow(Runnable work) {
    long mine = ++wait;
    return () -> {
      if (mine == wait) {
        wait++;
        work.run();
      }
    };
  }

  /** Goes on when all have counted, or without who does not answer or cannot be asked. */
  private void end() {
    state = State.COUNTING;
    Runnable measured = onlyNow(this::measured);
    worker.after(PATIENCE, measured);
    // What was counted is written down on the worker, too: this comes after it.
    measurement.count().whenComplete((all, bug) -> worker.execute(measured));
  }

  private void measured() {
    state = State.PAUSED;
    boolean moves = false;
    try {
      moves = measurement.measure();
    } finally {
      // Also where measuring failed: it may go better next time.
      if (!moves) {
        begin();
      }
    }
    if (moves) {
      replan.run();
    }
  }
}
