package org.paceline.onos.flow;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.paceline.control.port.Worker;

/** Does at once what is asked at once, and what was put off when the test says that time passed. */
public final class StepWorker implements Worker {
  private final Deque<Runnable> later = new ArrayDeque<>();

  @Override
  public void execute(Runnable work) {
    work.run();
  }

  @Override
  public void after(Duration delay, Runnable work) {
    later.add(work);
  }

  /** The first that was put off and has not been done. */
  void passUntilNext() {
    later.remove().run();
  }

  /** All that was put off until now. */
  public void passTime() {
    for (int left = later.size(); left > 0; left--) {
      later.remove().run();
    }
  }
}
