package org.paceline.allocator.elephant;

import com.google.auto.value.AutoValue;
import java.time.Duration;

/** From when on what one host sends to another is an alpha flow: more than H bytes within T. */
@AutoValue
public abstract class AlphaRule {
  private static final Duration LONGEST = Duration.ofDays(1);

  /** The paper's: 1 GB within a minute. */
  public static final AlphaRule DEFAULT = of(1_000_000_000, Duration.ofMinutes(1));

  /** H. */
  public abstract long bytes();

  /** T. */
  public abstract Duration interval();

  /**
   * @throws IllegalArgumentException if the bytes are below 1, or if the interval is shorter than a
   *     millisecond or longer than a day
   */
  public static AlphaRule of(long bytes, Duration interval) {
    if (bytes < 1) {
      throw new IllegalArgumentException(
          "An alpha flow's bytes (" + bytes + ") must be at least 1. Maybe 1000000000.");
    }
    if (interval.toMillis() < 1 || interval.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "An alpha flow's interval ("
              + interval
              + ") must lie from a millisecond to a day. Maybe a minute.");
    }
    return new AutoValue_AlphaRule(bytes, interval);
  }
}
