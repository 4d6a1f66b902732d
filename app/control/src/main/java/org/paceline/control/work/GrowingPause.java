package org.paceline.control.work;

import java.time.Duration;

/**
 * How long to wait before the next try, or look: 1 s, 2 s and so on up to a minute. Of one thread.
 */
public final class GrowingPause {
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private Duration last = Duration.ZERO;

  /** A try has failed, or is to be made once more in any case. */
  public Duration next() {
    Duration twice = last.multipliedBy(2);
    last = last.isZero() ? FIRST : twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
    return last;
  }

  /** One has succeeded. */
  public void end() {
    last = Duration.ZERO;
  }

  /** Whether the last try has failed. */
  public boolean isOn() {
    return !last.isZero();
  }
}
