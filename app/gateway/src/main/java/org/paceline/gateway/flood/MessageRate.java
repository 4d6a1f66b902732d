package org.paceline.gateway.flood;

/**
 * How fast messages are taken: a burst at once, as when an agent comes back and tells of all that
 * is open, and then so many a second. O(1): the generic cell rate algorithm (ITU-T I.371). Any
 * thread may ask.
 */
public final class MessageRate {
  public static final int A_SECOND = 2_000;
  public static final int BURST = 20_000;

  private final long nanos;
  private final long burst;

  /** When all that was taken would have been taken at the steady rate. */
  private long due;

  private boolean hasBegun;

  /** When half of the burst was last left. */
  private long easyNanos;

  /** As an agent may speak. */
  public MessageRate() {
    this(A_SECOND, BURST);
  }

  public MessageRate(int aSecond, int burst) {
    this.nanos = 1_000_000_000L / aSecond;
    this.burst = burst * nanos;
  }

  /** Counts a message, unless it comes faster than this. */
  public synchronized boolean fits(long now) {
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
  public synchronized long taken(long now) {
    begin(now);
    if (due - now < burst / 2) {
      easyNanos = now;
    }
    due += nanos;
    return Math.max(0, due - now - burst);
  }

  /** For how many nanoseconds there has been no moment with half of the burst left. */
  public synchronized long strained(long now) {
    return hasBegun && due - now >= burst / 2 ? now - easyNanos : 0;
  }

  /** Whether nothing that was taken counts any more. */
  synchronized boolean isIdle(long now) {
    return !hasBegun || due - now <= 0;
  }

  private void begin(long now) {
    if (!hasBegun || due - now < 0) {
      hasBegun = true;
      due = now;
    }
  }
}
