package org.paceline.control.telemetry;

import java.time.Duration;
import java.util.function.Supplier;
import org.paceline.control.port.Worker;

/**
 * Does something once a period, which may be changed meanwhile: then the next round comes a new
 * period after the last one, or at once where that is over. A round that throws is not the last. On
 * the worker; it ends with it.
 */
public final class Rounds {
  private final Worker worker;
  private final Supplier<Duration> period;
  private final Runnable round;
  private Duration last = Duration.ZERO;
  private Duration next = Duration.ZERO;

  /** Of the one wait that counts: a period that was changed leaves others behind. */
  private long wait;

  /**
   * @param period is asked anew for each round
   */
  public Rounds(Worker worker, Supplier<Duration> period, Runnable round) {
    this.worker = worker;
    this.period = period;
    this.round = round;
  }

  /** The first round comes after a period. */
  public void start() {
    last = worker.now();
    await();
  }

  /** The period may be another one than before. Nothing happens before the start. */
  public void changed() {
    if (wait > 0 && !last.plus(period.get()).equals(next)) {
      await();
    }
  }

  private void await() {
    long mine = ++wait;
    next = last.plus(period.get());
    Duration pause = next.minus(worker.now());
    worker.after(pause.isNegative() ? Duration.ZERO : pause, () -> end(mine));
  }

  private void end(long mine) {
    if (mine != wait) {
      return;
    }
    last = worker.now();
    // First, so that it also goes on where the round fails.
    await();
    round.run();
  }
}
