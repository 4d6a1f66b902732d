package org.paceline.control.inventory;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.paceline.control.port.Journal;
import org.paceline.control.port.Worker;

/**
 * Writes down what somebody outside causes, who may do so as often as it likes: in a minute so many
 * sentences of each, and then how many more there were. So no agent fills the log, nor hides in it
 * what is said of others. O(1) a sentence; of more than a thousand at once the rest share what one
 * of them has. Any thread may write.
 */
public final class BoundedJournal {
  /** An operator still reads all that one mistake on a host brings about. */
  static final int WHOLE = 20;

  static final Duration PERIOD = Duration.ofMinutes(1);
  private static final int MOST = 1_000;
  private static final String OTHERS = "others";

  private final Journal journal;
  private final Worker worker;
  private final Map<String, Written> bySource = new HashMap<>();

  /** Of one source, since its first sentence of the period. */
  private static final class Written {
    int all;
    String last = "";
  }

  /**
   * @param worker says after each period what was left out
   */
  public BoundedJournal(Journal journal, Worker worker) {
    this.journal = journal;
    this.worker = worker;
  }

  /**
   * @param source who causes it: a host, or the address of a caller
   */
  public void note(String source, String sentence) {
    if (isToBeWritten(source, sentence)) {
      journal.note(sentence);
    }
  }

  /**
   * @param source who causes it: a host, or the address of a caller
   */
  public void warn(String source, String sentence) {
    if (isToBeWritten(source, sentence)) {
      journal.warn(sentence);
    }
  }

  /**
   * A bug of ours that somebody outside can have met again and again.
   *
   * @param source who causes it: a host, or the address of a caller
   */
  public void fault(String source, String sentence, Throwable bug) {
    if (isToBeWritten(source, sentence + ": " + bug)) {
      journal.fault(sentence, bug);
    }
  }

  private synchronized boolean isToBeWritten(String source, String sentence) {
    String counted = bySource.containsKey(source) || bySource.size() < MOST ? source : OTHERS;
    Written written = bySource.get(counted);
    if (written == null) {
      written = new Written();
      bySource.put(counted, written);
      worker.after(PERIOD, () -> end(counted));
    }
    written.all++;
    written.last = sentence;
    return written.all <= WHOLE;
  }

  private void end(String source) {
    Written written;
    synchronized (this) {
      written = bySource.remove(source);
    }
    if (written != null && written.all > WHOLE) {
      journal.warn(
          "More was to be said of ("
              + source
              + ") within "
              + PERIOD.toSeconds()
              + " s: "
              + (written.all - WHOLE)
              + " sentences are left out. The last: "
              + written.last);
    }
  }
}
