package org.paceline.agent.pacing;

import java.time.Duration;

/**
 * What a rate is worth while its controller is silent. For one lease it holds: the others were told
 * theirs with it in mind. Then the plan grows stale, and the rate doubles with every third of a
 * lease up to a safe rate that the operator names. After three leases nobody decides any more, and
 * pacing ends: best effort, as it was before.
 */
public record Lease(Duration length) {
  private static final int STEPS_OF_A_LEASE = 3;
  private static final int LEASES = 3;

  /** How far it is relaxed: 0 holds, each step doubles, and the last ends pacing. */
  public static final int OVER = 1 + (LEASES - 1) * STEPS_OF_A_LEASE;

  /**
   * @param length zero: for as long as the agent runs
   */
  public Lease {
    if (length.isNegative()) {
      throw new IllegalArgumentException(
          "The lease (" + length + ") must not be negative. Maybe zero, for one without an end.");
    }
  }

  /** How far rates are relaxed when nothing was heard for this long. */
  public int stepAfter(Duration silence) {
    if (length.isZero() || silence.compareTo(length) < 0) {
      return 0;
    }
    long steps = 1 + silence.minus(length).multipliedBy(STEPS_OF_A_LEASE).dividedBy(length);
    return (int) Math.min(OVER, steps);
  }

  /** What a step means, for a person. */
  public static String text(int step) {
    return switch (step) {
      case 0 -> "the controller is heard again: rates are as it granted them";
      case OVER -> "no controller for three leases: nothing is paced until it comes back";
      default -> "no controller for a lease: rates are relaxed, step " + step;
    };
  }

  /** The rate at a step; never below what was granted. */
  static long relaxed(long bitsPerSecond, int step, long safeBitsPerSecond) {
    if (step == 0 || bitsPerSecond >= safeBitsPerSecond) {
      return bitsPerSecond;
    }
    return bitsPerSecond > safeBitsPerSecond >> step ? safeBitsPerSecond : bitsPerSecond << step;
  }
}
