package org.paceline.runtime.providers;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes in reverse what was opened, each even where another fails. */
final class Closers {
  private static final Logger LOG = LoggerFactory.getLogger(Closers.class);

  private final Deque<Runnable> closers = new ArrayDeque<>();

  void add(Runnable closer) {
    closers.push(closer);
  }

  void closeAll() {
    while (!closers.isEmpty()) {
      try {
        closers.pop().run();
      } catch (RuntimeException failure) {
        LOG.warn("Something could not be closed.", failure);
      }
    }
  }
}
