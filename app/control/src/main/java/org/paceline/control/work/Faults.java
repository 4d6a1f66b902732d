package org.paceline.control.work;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.paceline.control.port.Journal;

/**
 * Bugs of ours, written down. What is thrown again at the same place, as by work that is done once
 * a second, is written down once a minute. Any thread may meet one.
 */
public final class Faults {
  private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

  /** Places that are remembered, of which the newest stay. */
  private static final int MOST = 100;

  private final Journal journal;

  /** Where something was thrown that was written down, and when that was. */
  private final Map<String, Long> writtenNanos = new LinkedHashMap<>();

  public Faults(Journal journal) {
    this.journal = journal;
  }

  /**
   * Does it; what it throws, an error too, is written down and goes no further. A class that is
   * missing from the bundle comes as an error, and would be heard of by nobody.
   *
   * @param sentence what then goes on
   */
  public void guard(String sentence, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error bug) {
      write(sentence, bug);
    }
  }

  /**
   * @param sentence what goes on
   */
  public void write(String sentence, Throwable bug) {
    if (isToBeWritten(bug)) {
      journal.fault(sentence, bug);
    }
  }

  private synchronized boolean isToBeWritten(Throwable bug) {
    String place = placeOf(bug);
    long now = System.nanoTime();
    Long before = writtenNanos.get(place);
    if (before != null && now - before <= QUIET_NANOS) {
      return false;
    }
    writtenNanos.remove(place);
    if (writtenNanos.size() >= MOST) {
      writtenNanos.remove(writtenNanos.keySet().iterator().next());
    }
    writtenNanos.put(place, now);
    return true;
  }

  /** What is only passed on, as by all {@link Upkeep}, is told apart by what is said with it. */
  private static String placeOf(Throwable bug) {
    StackTraceElement[] trace = bug.getStackTrace();
    String place = bug.getClass().getName() + (trace.length > 0 ? trace[0] : "");
    Throwable cause = bug.getCause();
    return cause == null ? place : place + bug.getMessage();
  }
}
