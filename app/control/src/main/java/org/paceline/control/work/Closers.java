package org.paceline.control.work;

import java.util.ArrayDeque;
import java.util.Deque;
import org.paceline.control.port.Journal;

/** What was opened, to be closed in reverse. */
public final class Closers implements AutoCloseable {
  private final Journal journal;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  /**
   * @param journal hears of what cannot be closed
   */
  public Closers(Journal journal) {
    this.journal = journal;
  }

  public void add(AutoCloseable closer) {
    opened.push(closer);
  }

  @Override
  public void close() {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception | Error e) {
        journal.fault("Something could not be closed; the others are", e);
      }
    }
  }
}
