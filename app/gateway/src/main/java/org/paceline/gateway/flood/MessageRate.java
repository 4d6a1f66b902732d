package org.paceline.gateway;

/**
 * How fast messages are taken: a burst at once, as when an agent comes back and tells of all that
 * is open, and then so many a second. O(1): the generic cell rate algorithm (ITU-T I.371). Belongs
 * to who takes them one after the other.
 */
final class MessageRate {
  static final int A_SECOND = 2_000;
  static final int BURST = 20_000;

  private final long nanos;
  private final long burst;

  /** When all that was taken would have been taken at the steady rate. */
  private long due;

  private boolean hasBegun;

  MessageRate() {
    this(A_SECOND, BURST);
  }

  MessageRate(int aSecond, int burst) {
    this.nanos = 1_000_000_000L / aSecond;
    this.burst = burst * nanos;
  }

  /** Counts a message, unless it comes faster than this. */
  boolean fits(long now) {
    begin(now);
    if (due - now > burst) {
      return false;
    }
    due += nanos;
    return true;
  }

  /**
   * Counts a message.
   *
   * @param now of a clock that never goes back
   * @return nanoseconds after which the next one is to be taken; 0 for at once
   */
  long taken(long now) {
    begin(now);
    due += nanos;
    return Math.max(0, due - now - burst);
  }

  private void begin(long now) {
    if (!hasBegun || due - now < 0) {
      hasBegun = true;
      due = now;
    }
  }
}
