package org.paceline.onos.flow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.paceline.control.port.Worker;

/** Does at once what is asked at once, and what was put off when the test says that time passed. */
public final class StepWorker implements Worker {
  private final List<Later> later = new ArrayList<>();
  private long now;

  /** Equal times keep their order. */
  private static final class Later {
    final long due;
    final Runnable work;

    Later(long due, Runnable work) {
      this.due = due;
      this.work = work;
    }
  }

  @Override
  public Duration now() {
    return Duration.ofNanos(now);
  }

  @Override
  public void execute(Runnable work) {
    work.run();
  }

  @Override
  public void after(Duration delay, Runnable work) {
    later.add(new Later(now + delay.toNanos(), work));
    later.sort(Comparator.comparingLong(each -> each.due));
  }

  /** What comes next of all that was put off. */
  public void passUntilNext() {
    perform(later.get(0));
  }

  /** All that was put off until now. */
  public void passTime() {
    List.copyOf(later).forEach(this::perform);
  }

  private void perform(Later one) {
    later.remove(one);
    now = one.due;
    one.work.run();
  }
}
