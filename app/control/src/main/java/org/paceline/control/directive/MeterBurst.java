package org.paceline.control.directive;

/** What a drop meter lets through at once. */
public final class MeterBurst {
  /** A burst of 125 ms at the rate: shorter starves TCP, longer lets the queues fill. */
  private static final long BURSTS_PER_SECOND = 8;

  /**
   * Two frames of 1518 bytes: a switch never lets through a frame that is longer than the burst.
   */
  private static final long LEAST_KILOBITS = 25;

  private MeterBurst() {}

  /** Of a meter of this rate. */
  public static long kilobits(long kbps) {
    return Math.max(LEAST_KILOBITS, kbps / BURSTS_PER_SECOND);
  }
}
