package org.paceline.control.planning;

import java.util.Map;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.port.Worker;
import org.paceline.control.settings.ClassSettings;
import org.paceline.intents.unit.DataRate;

/**
 * Measures what conversations reach, period by period, for as long as service classes rule anybody,
 * and asks for a plan where that has changed. All on the worker.
 */
final class ClassPeriod {
  private final Worker worker;
  private final ProofBook book;
  private final Runnable replan;
  private final ThroughputAverages averages = new ThroughputAverages();
  private boolean isRunning;
  private boolean isWanted;

  ClassPeriod(Worker worker, ProofBook book, Runnable replan) {
    this.worker = worker;
    this.book = book;
    this.replan = replan;
  }

  /**
   * What is known at this moment, for a plan.
   *
   * @param isAnybodyRuled whether service classes rule anybody in it
   */
  Map<String, DataRate> throughput(ClassSettings settings, boolean isAnybodyRuled) {
    boolean begins = isAnybodyRuled && !isWanted;
    isWanted = isAnybodyRuled;
    if (!isWanted) {
      averages.clear();
      return averages.now();
    }
    if (begins) {
      averages.measure(book.all(), settings.delta());
    }
    if (!isRunning) {
      start(settings);
    }
    return averages.now();
  }

  private void start(ClassSettings settings) {
    isRunning = true;
    worker.after(settings.period(), () -> end(settings));
  }

  private void end(ClassSettings settings) {
    isRunning = false;
    if (!isWanted) {
      return;
    }
    Map<String, DataRate> before = averages.now();
    averages.measure(book.all(), settings.delta());
    if (averages.now().equals(before)) {
      start(settings);
    } else {
      replan.run();
    }
  }
}
