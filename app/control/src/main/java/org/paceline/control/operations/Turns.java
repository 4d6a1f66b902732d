package org.paceline.control.operations;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.paceline.control.work.OneProcessor;

/**
 * Whose turn it is to have something reckoned that changes nothing, such as what another policy
 * would do: the planner needs the processors, too. Two at once, each on one processor after all
 * plans, and one of each who asks; a few wait for a while, and whoever comes then, or has used up
 * what processor time a user's questions may take, is told to come again. Any thread may call.
 */
public final class Turns {
  /** What whoever comes when too many wait is told. */
  public static final String BUSY = "Too many questions are being worked on.";

  private static final NotNow TOO_MANY = new NotNow(BUSY, Duration.ofSeconds(1));

  private static final int SERVED_AT_ONCE = 2;

  /** Each holds a thread of the web server's, or of the shell's. */
  private static final int MOST_WAITING = 20;

  /** Whoever looks at several conversations at a time asks for so many. */
  private static final int MOST_WAITING_OF_ONE = 5;

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Of a processor's time: hundreds of questions, each of thousands of applications. */
  private static final Duration AT_ONCE = Duration.ofSeconds(20);

  /** One in so many of a processor's time in the long run. */
  private static final int PART = 10;

  private final Duration patience;
  private final ProcessorAllowance allowance;
  private final Set<String> served = new HashSet<>();
  private final List<String> waiting = new ArrayList<>();

  public Turns() {
    this(PATIENCE, new ProcessorAllowance(AT_ONCE, PART));
  }

  Turns(Duration patience, ProcessorAllowance allowance) {
    this.patience = patience;
    this.allowance = allowance;
  }

  /** Why somebody was not let in, and when to come again. */
  public static final class NotNow {
    /** A sentence. */
    public final String why;

    /** Whole seconds, one at least. */
    public final Duration comeAgain;

    NotNow(String why, Duration comeAgain) {
      this.why = why;
      this.comeAgain = comeAgain;
    }
  }

  /**
   * Does it now, or soon, while this thread waits; not where too many wait, or have waited too
   * long, or its user's questions have taken too much of a processor.
   *
   * @param refusal what is thrown where it is not done, with what kept it from being done
   */
  public <T> T now(
      String actor, Supplier<T> work, Function<NotNow, ? extends RuntimeException> refusal) {
    Optional<NotNow> kept = letIn(actor);
    if (kept.isPresent()) {
      throw refusal.apply(kept.get());
    }
    return reckon(actor, work);
  }

  /**
   * Does it as soon as it is its turn, for those who do not wait for it and were not in debt
   * ({@link #debt}) when they asked: one thread does it for all of them, so that nobody's debt
   * holds it up.
   */
  <T> T whenever(String actor, Supplier<T> work) {
    synchronized (this) {
      boolean interrupted = false;
      while (!hasPlace(actor)) {
        interrupted |= !waits(patience.toNanos());
      }
      served.add(actor);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return reckon(actor, work);
  }

  /** Why the questions of this user may take no more of a processor now; empty where they may. */
  public synchronized Optional<NotNow> debt(String actor) {
    return Optional.of(owed(actor)).filter(debt -> !debt.isZero()).map(Turns::indebted);
  }

  private Duration owed(String actor) {
    return allowance.until(actor, System.nanoTime());
  }

  private static NotNow indebted(Duration until) {
    return new NotNow(
        "Your questions have taken what they may of a processor: "
            + AT_ONCE.toSeconds()
            + " s at once, and 1/"
            + PART
            + " of one in the long run.",
        Duration.ofSeconds(until.plusSeconds(1).minusNanos(1).toSeconds()));
  }

  private <T> T reckon(String actor, Supplier<T> work) {
    try {
      return OneProcessor.of(work, spent -> took(actor, spent));
    } finally {
      synchronized (this) {
        served.remove(actor);
        notifyAll();
      }
    }
  }

  private synchronized void took(String actor, Duration spent) {
    allowance.took(actor, spent, System.nanoTime());
  }

  /** Empty where it is its turn now. The reason is the one by which it was decided. */
  private synchronized Optional<NotNow> letIn(String actor) {
    if (!isFree(actor)) {
      Duration debt = owed(actor);
      if (debt.compareTo(patience) > 0) {
        return Optional.of(indebted(debt));
      }
      if (waiting.size() >= MOST_WAITING
          || Collections.frequency(waiting, actor) >= MOST_WAITING_OF_ONE) {
        return Optional.of(TOO_MANY);
      }
      waiting.add(actor);
      try {
        Optional<NotNow> refusal = soonFree(actor);
        if (refusal.isPresent()) {
          return refusal;
        }
      } finally {
        waiting.remove(actor);
      }
    }
    served.add(actor);
    return Optional.empty();
  }

  /** Waits for a place. Empty where there is one. */
  private Optional<NotNow> soonFree(String actor) {
    long until = System.nanoTime() + patience.toNanos();
    while (true) {
      boolean hasPlace = hasPlace(actor);
      Duration debt = owed(actor);
      if (hasPlace && debt.isZero()) {
        return Optional.empty();
      }
      long left = until - System.nanoTime();
      if (left <= 0) {
        // Without a place it would not have been its turn without the debt, either.
        return Optional.of(hasPlace ? indebted(debt) : TOO_MANY);
      }
      if (!waits(debt.isZero() ? left : Math.min(left, debt.toNanos()))) {
        Thread.currentThread().interrupt();
        return Optional.of(TOO_MANY);
      }
    }
  }

  /**
   * Until something has changed, or so long at the most. False where somebody wants the thread to
   * end.
   */
  private boolean waits(long nanos) {
    try {
      wait(Math.max(1, Duration.ofNanos(nanos).toMillis()));
      return true;
    } catch (InterruptedException ended) {
      return false;
    }
  }

  private boolean isFree(String actor) {
    return hasPlace(actor) && owed(actor).isZero();
  }

  private boolean hasPlace(String actor) {
    return served.size() < SERVED_AT_ONCE && !served.contains(actor);
  }
}
