package org.paceline.agent.session;

import java.util.Arrays;

/**
 * How many rates the controller has told, and how long each of its messages took until the kernel
 * was read to hold them. Owned by one thread.
 */
public final class RateChanges {
  private static final double[] BOUNDS = {
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2.5, Double.POSITIVE_INFINITY
  };

  private final long[] messages = new long[BOUNDS.length];
  private double secondsInAll;
  private long rates;

  /**
   * At one moment.
   *
   * @param messages as many as took at most so long as the bound of the same index, and longer than
   *     the one before
   */
  public record Figures(long rates, double[] bounds, long[] messages, double secondsInAll) {}

  void took(int changed, long nanos) {
    double seconds = nanos / 1e9;
    int bucket = 0;
    while (seconds > BOUNDS[bucket]) {
      bucket++;
    }
    messages[bucket]++;
    secondsInAll += seconds;
    rates += changed;
  }

  public Figures now() {
    return new Figures(
        rates,
        Arrays.copyOf(BOUNDS, BOUNDS.length),
        Arrays.copyOf(messages, messages.length),
        secondsInAll);
  }
}
