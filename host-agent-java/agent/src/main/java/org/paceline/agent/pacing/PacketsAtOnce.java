package org.paceline.agent.pacing;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * How many full packets a TCP socket may hand to an interface's queue as one. A socket has two of
 * what it hands over waiting there, so single packets keep a slow conversation's own wait short;
 * but each goes its own way through TCP and the queue's lock, and where so many leave that
 * processors run short, rates are missed and everybody waits. So it goes by what the interface's
 * conversations may send in all: upwards at once, and downwards only after a while, because each
 * change has the kernel look up the route of every socket anew.
 */
final class PacketsAtOnce {
  static final int FEWEST = 1;

  /** With fewer, what was measured to be missed with single packets is still missed. */
  static final int MOST = 4;

  static final long MOST_ABOVE_BITS_PER_SECOND = 200_000_000;
  static final long FEWEST_BELOW_BITS_PER_SECOND = MOST_ABOVE_BITS_PER_SECOND / 2;
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private final OptionalInt always;
  private int now = FEWEST;
  private long lastNeededNanos;

  /**
   * @param always whatever is granted; empty: by what is granted
   */
  PacketsAtOnce(OptionalInt always) {
    this.always = always;
  }

  /**
   * From now on.
   *
   * @param bitsPerSecond what all conversations of the interface may send together
   * @param nanos by a clock that nobody sets
   */
  int with(long bitsPerSecond, long nanos) {
    if (bitsPerSecond > MOST_ABOVE_BITS_PER_SECOND) {
      now = MOST;
    }
    if (bitsPerSecond >= FEWEST_BELOW_BITS_PER_SECOND) {
      lastNeededNanos = nanos;
    } else if (nanos - lastNeededNanos >= PATIENCE.toNanos()) {
      now = FEWEST;
    }
    return always.orElse(now);
  }
}
