package org.paceline.agent.application;

import java.time.Duration;
import java.util.function.BinaryOperator;

/**
 * What an application has measured of how it fares.
 *
 * @param nanos when it said so, by {@link System#nanoTime}
 */
public record ReportedKpi(double value, long nanos) {
  /** Of two applications that report of one conversation, who did last. */
  public static final BinaryOperator<ReportedKpi> LATEST =
      (one, other) -> other.nanos - one.nanos > 0 ? other : one;

  public Duration age(long now) {
    return Duration.ofNanos(Math.max(0, now - nanos));
  }
}
