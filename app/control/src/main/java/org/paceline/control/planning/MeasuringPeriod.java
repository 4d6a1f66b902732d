package org.paceline.control.planning;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.paceline.control.port.Worker;

/**
 * Measures period by period for as long as a scheme that goes by it rules anybody, and asks for a
 * plan where that moves it. All on the worker.
 */
final class MeasuringPeriod {
  /** So long nobody waits for who is asked what it counted: then what it said before counts. */
  private static final Duration PATIENCE = Duration.ofMillis(200);

  private final Worker worker;
  private final Measurement measurement;
  private final Runnable replan;
  private boolean isRunning;
  private boolean isWanted;

  /** How many periods have: each ends once. */
  private long ended;

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
   * @param isAnybodyRuled whether the scheme rules anybody in it
   */
  void planned(Duration period, boolean isAnybodyRuled) {
    boolean begins = isAnybodyRuled && !isWanted;
    isWanted = isAnybodyRuled;
    if (!isWanted) {
      measurement.clear();
      return;
    }
    if (begins) {
      measurement.measure();
    }
    if (!isRunning) {
      start(period);
    }
  }

  private void start(Duration period) {
    isRunning = true;
    worker.after(period, () -> end(period));
  }

  /** Goes on once: when all have counted, or without who does not answer. */
  private void end(Duration period) {
    if (!isWanted) {
      isRunning = false;
      return;
    }
    long ending = ended;
    Runnable measured =
        () -> {
          if (ended == ending) {
            ended++;
            measured(period);
          }
        };
    CompletableFuture<Void> counted = measurement.count();
    // What was counted is written down on the worker, too: this comes after it.
    counted.whenComplete((all, bug) -> worker.execute(measured));
    if (!counted.isDone()) {
      worker.after(PATIENCE, measured);
    }
  }

  private void measured(Duration period) {
    isRunning = false;
    if (!isWanted) {
      return;
    }
    boolean moves = false;
    try {
      moves = measurement.measure();
    } finally {
      // Also where measuring failed: it may go better next time.
      if (!moves) {
        start(period);
      }
    }
    if (moves) {
      replan.run();
    }
  }
}
