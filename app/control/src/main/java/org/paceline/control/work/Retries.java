package org.paceline.control.work;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.paceline.control.port.Worker;

/**
 * Takes in what is said once of each of many, and by nobody again. Where that throws it is taken in
 * again after 1 s, 2 s and so on up to a minute, unless something newer was said of the same.
 * Belongs to the worker's thread.
 */
public final class Retries<K> {
  private final Worker worker;
  private final Map<K, GrowingPause> failing = new HashMap<>();

  public Retries(Worker worker) {
    this.worker = worker;
  }

  /**
   * Does it now.
   *
   * @param failed gets what it throws, each time
   */
  public void run(K of, Runnable work, Consumer<Throwable> failed) {
    failing.remove(of);
    attempt(of, new GrowingPause(), work, failed);
  }

  private void attempt(K of, GrowingPause pause, Runnable work, Consumer<Throwable> failed) {
    try {
      work.run();
      failing.remove(of);
    } catch (RuntimeException | Error bug) {
      failing.put(of, pause);
      worker.after(
          pause.next(),
          () -> {
            if (failing.get(of) == pause) {
              attempt(of, pause, work, failed);
            }
          });
      failed.accept(bug);
    }
  }
}
