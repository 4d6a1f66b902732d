package org.paceline.control.work;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.paceline.control.port.Worker;

/**
 * Brings something up to date soon after it was asked for, once for all who asked meanwhile. Where
 * that fails it is tried again by itself after 1 s, 2 s and so on up to a minute; what was thrown
 * goes on to the worker, which writes it down, with the first failure only.
 */
public final class Upkeep {
  private final Worker worker;
  private final Duration soon;
  private final String failure;
  private final Runnable work;
  private final AtomicBoolean isDue = new AtomicBoolean();

  // On the worker.
  private final GrowingPause pause = new GrowingPause();
  private boolean isWaiting;

  /**
   * @param soon how long others who ask may come
   * @param failure what is not up to date where the work fails, a sentence
   */
  public Upkeep(Worker worker, Duration soon, String failure, Runnable work) {
    this.worker = worker;
    this.soon = soon;
    this.failure = failure;
    this.work = work;
  }

  /** What it goes by has changed. Any thread may say so. */
  public void ask() {
    if (isDue.compareAndSet(false, true)) {
      try {
        if (soon.isZero()) {
          worker.execute(this::run);
        } else {
          worker.after(soon, this::run);
        }
      } catch (RuntimeException | Error bug) {
        isDue.set(false);
        throw bug;
      }
    }
  }

  private void run() {
    // First: what changes from here on is for the next time.
    isDue.set(false);
    boolean wasFailing = pause.isOn();
    try {
      work.run();
      pause.end();
    } catch (RuntimeException | Error bug) {
      tryAgain();
      if (!wasFailing) {
        throw new IllegalStateException(failure + " It is tried again.", bug);
      }
    }
  }

  private void tryAgain() {
    Duration wait = pause.next();
    if (!isWaiting) {
      isWaiting = true;
      worker.after(
          wait,
          () -> {
            isWaiting = false;
            if (pause.isOn()) {
              ask();
            }
          });
    }
  }
}
