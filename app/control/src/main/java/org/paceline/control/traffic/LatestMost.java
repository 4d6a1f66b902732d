package org.paceline.control.traffic;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** The greatest rate of late: what looks less is maybe only counted at another time. */
final class LatestMost {
  /** So long traffic that is no longer seen still counts, and three readings at least. */
  private static final Duration KEPT = Duration.ofSeconds(15);

  static final int LEAST_KEPT = 3;

  private final Deque<Carried> recent = new ArrayDeque<>();

  /** In millibits a second. */
  private static final class Carried {
    final Duration at;
    final long rate;

    Carried(Duration at, long rate) {
      this.at = at;
      this.rate = rate;
    }
  }

  /**
   * @param at by the worker's time
   */
  void add(Duration at, long rate) {
    recent.addLast(new Carried(at, rate));
    while (recent.size() > LEAST_KEPT && recent.getFirst().at.plus(KEPT).compareTo(at) < 0) {
      recent.removeFirst();
    }
  }

  /** Whether it has been counted often enough to be sure of what is least. */
  boolean isSettled() {
    return recent.size() >= LEAST_KEPT;
  }

  long rate() {
    return recent.stream().mapToLong(one -> one.rate).max().orElse(0);
  }
}
