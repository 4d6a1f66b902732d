package org.paceline.control.operations;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.paceline.control.work.OneProcessor;

/**
 * Whose turn it is to have something reckoned that changes nothing, such as what another policy
 * would do: the planner needs the processors, too. Two at once, each on one processor after all
 * plans, and one of each who asks; a few wait for a while, and whoever comes then is told to come
 * again. Any thread may call.
 */
public final class Turns {
  /** What whoever is not let in is told. */
  public static final String BUSY = "Too many questions are being worked on.";

  private static final int AT_ONCE = 2;

  /** Each holds a thread of the web server's, or of the shell's. */
  private static final int MOST_WAITING = 20;

  /** Whoever looks at several conversations at a time asks for so many. */
  private static final int MOST_WAITING_OF_ONE = 5;

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Duration patience;
  private final Set<String> served = new HashSet<>();
  private final List<String> waiting = new ArrayList<>();

  public Turns() {
    this(PATIENCE);
  }

  Turns(Duration patience) {
    this.patience = patience;
  }

  /**
   * Does it now, or soon, while this thread waits; empty where too many wait, or have waited too
   * long.
   */
  public <T> Optional<T> now(String actor, Supplier<T> work) {
    return isLetIn(actor) ? Optional.of(reckon(actor, work)) : Optional.empty();
  }

  /** Does it as soon as it is its turn, for those who do not wait for it. */
  <T> T whenever(String actor, Supplier<T> work) {
    synchronized (this) {
      boolean interrupted = false;
      while (!isFree(actor)) {
        interrupted |= !waits(patience.toNanos());
      }
      served.add(actor);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return reckon(actor, work);
  }

  private <T> T reckon(String actor, Supplier<T> work) {
    try {
      return OneProcessor.of(work);
    } finally {
      synchronized (this) {
        served.remove(actor);
        notifyAll();
      }
    }
  }

  private synchronized boolean isLetIn(String actor) {
    if (!isFree(actor)) {
      if (waiting.size() >= MOST_WAITING
          || Collections.frequency(waiting, actor) >= MOST_WAITING_OF_ONE) {
        return false;
      }
      waiting.add(actor);
      try {
        if (!isSoonFree(actor)) {
          return false;
        }
      } finally {
        waiting.remove(actor);
      }
    }
    served.add(actor);
    return true;
  }

  private boolean isSoonFree(String actor) {
    long until = System.nanoTime() + patience.toNanos();
    while (!isFree(actor)) {
      long left = until - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      if (!waits(left)) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return true;
  }

  /** False where somebody wants the thread to end. */
  private boolean waits(long nanos) {
    try {
      wait(Math.max(1, Duration.ofNanos(nanos).toMillis()));
      return true;
    } catch (InterruptedException ended) {
      return false;
    }
  }

  private boolean isFree(String actor) {
    return served.size() < AT_ONCE && !served.contains(actor);
  }
}
