package org.paceline.gateway;

/**
 * How fast the messages of one stream are taken: a burst at once, as when an agent comes back and
 * tells of all that is open, and then so many a second. O(1): the generic cell rate algorithm
 * (ITU-T I.371). Belongs to the stream, whose messages come one after the other.
 */
final class MessageRate {
  static final int A_SECOND = 2_000;
  static final int BURST = 20_000;
  private static final long NANOS = 1_000_000_000L / A_SECOND;

  /** When all that was taken would have been taken at the steady rate. */
  private long due;

  private boolean hasBegun;

  /**
   * Counts a message.
   *
   * @param now of a clock that never goes back
   * @return nanoseconds after which the next one is to be taken; 0 for at once
   */
  long taken(long now) {
    if (!hasBegun || due - now < 0) {
      hasBegun = true;
      due = now;
    }
    due += NANOS;
    return Math.max(0, due - now - BURST * NANOS);
  }
}
