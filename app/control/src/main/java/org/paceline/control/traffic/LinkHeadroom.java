package org.paceline.control.traffic;

import java.time.Duration;

/**
 * How much of one link conversations may use, by additive increase and abrupt decrease: at once 20
 * thousandths less where its queue grew, and one more for each 30 s in which it was full without a
 * queue. A link that is not full shows nothing. Where a queue began to grow is not tried again for
 * an hour. So a link that carries less than its capacity says is too full for one or two readings
 * an hour, and after each so much less is used that its queue empties. On the worker.
 */
final class LinkHeadroom {
  /** Twice what it takes to empty a queue of 50 ms within 5 s. */
  static final int DECREASE = 20;

  static final int INCREASE = 1;

  /** So long the link must have been full without a queue. */
  static final Duration CALM = Duration.ofSeconds(30);

  /** So long nothing is tried that was too much. */
  static final Duration REMEMBERED = Duration.ofHours(1);

  private int usable;
  private Duration calm = Duration.ZERO;
  private Duration readAt;

  /** A reading that began before the last change shows what was before it. */
  private boolean isSettling = true;

  /** Whether the last reading that showed anything showed a queue. */
  private boolean hasQueue;

  /** With how much in use a queue began to grow last. */
  private int tooMuch = Integer.MAX_VALUE;

  private Duration tooMuchAt = Duration.ZERO;

  /** What a reading of a link's counters shows. */
  enum Sight {
    /** It was not full, so that there is nothing to learn. */
    NOTHING,
    /** Nothing was dropped; nobody can say whether anybody waited. */
    NO_DROPS,
    /** Nothing was dropped, and nobody waited. */
    NO_QUEUE,
    /** Something was dropped, or many waited. */
    QUEUE
  }

  /** What an operator allows, in thousandths of the capacity. */
  static final class Bounds {
    final int least;
    final int usual;
    final int most;

    Bounds(int least, int usual, int most) {
      this.least = least;
      this.usual = usual;
      this.most = most;
    }

    int within(int usable) {
      return Math.max(least, Math.min(most, usable));
    }
  }

  /**
   * @param usual with what it begins, in thousandths of the capacity
   * @param now by the worker's time
   */
  LinkHeadroom(int usual, Duration now) {
    this.usable = usual;
    this.readAt = now;
  }

  /** A reading came that nobody has looked at yet. */
  void read(Sight sight, Duration now, Bounds bounds) {
    Duration over = now.minus(readAt);
    readAt = now;
    usable = bounds.within(usable);
    if (isSettling) {
      isSettling = false;
      return;
    }
    if (sight == Sight.QUEUE && !hasQueue) {
      tooMuch = usable;
      tooMuchAt = now;
    }
    hasQueue = sight == Sight.QUEUE;
    if (hasQueue) {
      change(bounds.within(usable - DECREASE));
    } else if (sight != Sight.NOTHING) {
      calm = calm.plus(over);
      // Only who sees that nobody waits may go beyond what is usual.
      int most = sight == Sight.NO_QUEUE ? bounds.most : bounds.usual;
      int next = Math.min(most, usable + INCREASE);
      boolean isTried = next >= tooMuch && tooMuchAt.plus(REMEMBERED).compareTo(now) > 0;
      if (calm.compareTo(CALM) >= 0 && next > usable && !isTried) {
        change(next);
      }
    }
  }

  private void change(int next) {
    isSettling = next != usable;
    usable = next;
    calm = Duration.ZERO;
  }

  int usable(Bounds bounds) {
    return bounds.within(usable);
  }
}
