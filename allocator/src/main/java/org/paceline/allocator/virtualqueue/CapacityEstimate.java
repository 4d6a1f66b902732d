package org.paceline.allocator.virtualqueue;

import org.paceline.intents.unit.DataRate;

/**
 * What a link carries for the hosts that share it, found by how they fill it. Each host has one,
 * and all follow the lowest.
 *
 * <p>While hosts use all that they may, and no queue stands at the link, the estimate grows. Once a
 * queue stands the link is full, so what hosts send then is what it carries for them: that is the
 * estimate. The load settles below it, and the queue empties. What hosts outside send is missing
 * from it, as section 6 of Gkantsidis et al. 2009 has it: a queue stands while hosts send less.
 *
 * <p>A link is full only at an estimate of its capacity / (beta rho), a fifth above it. So from
 * time to time the estimate rises by that in small steps to look whether there is more, and falls
 * back; it rests the longer in between the more often it found the same. Owned by one thread.
 */
public final class CapacityEstimate {
  /** Until a queue was seen once: a hundred times the floor is reached in 26 periods. */
  private static final double FAST = 1.2;

  /** A queue is seen a step late at most, so what is found is off by about two of these. */
  private static final double SLOW = 1.02;

  /** A fast step may go so far beyond the link that what is sent tells little. */
  private static final double AFTER_FAST = 0.85;

  private static final double AFTER_SLOW = 0.98;
  private static final double STEEPEST = 0.5;

  /** Who sends less than this part of the estimate does not fill the link. */
  private static final double NOTABLE = 0.2;

  private static final double NEARLY_ALL = 0.95;

  /** As long as a queue needs to empty, and readings to show it. */
  private static final int DRAINING_PERIODS = 3;

  private static final int SHORTEST_REST = 30;
  private static final int LONGEST_REST = 150;
  private static final double SAME = 0.1;

  private final double floor;
  private final double ceiling;
  private double now;
  private double found;
  private boolean fast = true;
  private int draining;
  private int resting;
  private int rest = SHORTEST_REST;

  /** What is known of a queue at the link. */
  public enum Queue {
    /** Nothing: then the estimate stays. */
    UNKNOWN,
    NONE,
    STANDING
  }

  /**
   * Begins at the floor.
   *
   * @throws IllegalArgumentException if the floor is 0 or above the ceiling
   */
  public CapacityEstimate(DataRate floor, DataRate ceiling) {
    if (floor.equals(DataRate.ZERO) || floor.compareTo(ceiling) > 0) {
      throw new IllegalArgumentException(
          "The floor ("
              + floor
              + ") must be above 0 and at most the ceiling ("
              + ceiling
              + "). Maybe a tenth of it.");
    }
    this.floor = floor.millibitsPerSecond();
    this.ceiling = ceiling.millibitsPerSecond();
    this.now = this.floor;
  }

  public DataRate now() {
    return Rates.ofMillibits(now);
  }

  /** Whether it was found, and is not looked for again yet. */
  public boolean isResting() {
    return resting > 0;
  }

  /** Another host's, for one that sends nothing over the link or has just begun. */
  public void follow(DataRate other) {
    double theirs = bounded(other.millibitsPerSecond());
    if (theirs < now) {
      atMost(other);
      return;
    }
    // More than a step above: the others have come to it before this host began.
    fast = fast && theirs <= now * FAST * (1 + SAME);
    now = theirs;
  }

  /** Another host that fills the link has this one: the lowest counts. */
  public void atMost(DataRate other) {
    double lower = bounded(other.millibitsPerSecond());
    if (lower >= now) {
      return;
    }
    // Farther below than a step that was not heard of: it has seen a queue.
    if (lower * (fast ? FAST : 1) < now * (1 - SAME)) {
      fast = false;
      draining = DRAINING_PERIODS;
    }
    now = lower;
  }

  /**
   * Takes in what all hosts have sent in the last period.
   *
   * @param settled what they send where all that they may send is used
   */
  public void after(ResourceUse use, DataRate settled, Queue queue) {
    double sent = use.sent().millibitsPerSecond();
    if (draining > 0) {
      draining--;
    } else if (queue == Queue.STANDING && sent >= NOTABLE * now) {
      fall(sent);
    } else if (resting > 0) {
      resting--;
    } else if (queue == Queue.NONE
        && use.hungryWeight() > 0
        && sent >= NEARLY_ALL * settled.millibitsPerSecond()) {
      now = bounded(now * (fast ? FAST : SLOW));
    }
  }

  private void fall(double sent) {
    double carried = sent * (fast ? AFTER_FAST : AFTER_SLOW);
    now = bounded(Math.min(now, Math.max(now * STEEPEST, carried)));
    draining = DRAINING_PERIODS;
    if (!fast) {
      boolean same = Math.abs(now - found) <= SAME * found;
      rest = same ? Math.min(LONGEST_REST, 2 * rest) : SHORTEST_REST;
      resting = rest;
      found = now;
    }
    fast = false;
  }

  private double bounded(double millibits) {
    return Math.max(floor, Math.min(ceiling, millibits));
  }
}
