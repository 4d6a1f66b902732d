package org.paceline.onos;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was opened, to be closed in reverse. */
final class Closers implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Closers.class);

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  void add(AutoCloseable closer) {
    opened.push(closer);
  }

  @Override
  public void close() {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        // The others must be closed all the same.
        log.error("Something could not be closed", e);
      }
    }
  }
}
