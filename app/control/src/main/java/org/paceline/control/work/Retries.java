package org.paceline.control.work;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.paceline.control.port.Worker;

/**
 * Runs work that nobody asks for again. What throws is run again after 1 s, 2 s and so on up to a
 * minute, unless there is newer work of the same key. Belongs to the worker's thread.
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
  public void run(K key, Runnable work, Consumer<Throwable> failed) {
    failing.remove(key);
    attempt(key, new GrowingPause(), work, failed);
  }

  private void attempt(K key, GrowingPause pause, Runnable work, Consumer<Throwable> failed) {
    try {
      work.run();
      failing.remove(key);
    } catch (RuntimeException | Error bug) {
      failing.put(key, pause);
      worker.after(
          pause.next(),
          () -> {
            if (failing.get(key) == pause) {
              attempt(key, pause, work, failed);
            }
          });
      failed.accept(bug);
    }
  }
}
