package org.paceline.control.planning;

import java.time.Duration;
import org.paceline.control.port.Worker;

/**
 * Measures period by period for as long as a scheme that goes by it rules anybody, and asks for a
 * plan where that moves it. All on the worker.
 */
final class MeasuringPeriod {
  private final Worker worker;
  private final Measurement measurement;
  private final Runnable replan;
  private boolean isRunning;
  private boolean isWanted;

  /** What is measured. */
  interface Measurement {
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

  private void end(Duration period) {
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
