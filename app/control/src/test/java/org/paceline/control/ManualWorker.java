package org.paceline.control;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.paceline.control.port.Worker;

/** A worker whose time passes when the test says so, and a clock that can be stepped. */
public final class ManualWorker extends Clock implements Worker {
  private final PriorityQueue<Entry> queue =
      new PriorityQueue<>(
          Comparator.<Entry>comparingLong(e -> e.due).thenComparingLong(e -> e.number));

  /** What was thrown, where it goes on as a real one does. */
  public final List<Throwable> faults = new ArrayList<>();

  private boolean goesOn;
  private long now;
  private Duration stepped = Duration.ZERO;
  private long count;

  private static final class Entry {
    final long due;
    final long number;
    final Runnable work;

    Entry(long due, long number, Runnable work) {
      this.due = due;
      this.number = number;
      this.work = work;
    }
  }

  @Override
  public Duration now() {
    return Duration.ofNanos(now);
  }

  @Override
  public void execute(Runnable work) {
    after(Duration.ZERO, work);
  }

  @Override
  public void after(Duration delay, Runnable work) {
    queue.add(new Entry(now + delay.toNanos(), count++, work));
  }

  public void pass(Duration time) {
    long until = now + time.toNanos();
    while (!queue.isEmpty() && queue.peek().due <= until) {
      Entry next = queue.remove();
      now = Math.max(now, next.due);
      run(next.work);
    }
    now = until;
  }

  private void run(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error bug) {
      if (!goesOn) {
        throw bug;
      }
      faults.add(bug);
    }
  }

  /** Whatever is thrown; else the test fails by it. */
  public ManualWorker goingOn() {
    goesOn = true;
    return this;
  }

  /** Time passes and nothing is done, as when the work before waits for something. */
  public void stand(Duration time) {
    now += time.toNanos();
  }

  /** Somebody sets the clock: forward, or back. */
  public void step(Duration by) {
    stepped = stepped.plus(by);
  }

  @Override
  public Instant instant() {
    return Instant.EPOCH.plusNanos(now).plus(stepped);
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
