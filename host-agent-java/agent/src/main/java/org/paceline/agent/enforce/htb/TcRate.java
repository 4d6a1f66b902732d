package org.paceline.agent.enforce.htb;

/**
 * Rates as tc prints them. It drops digits of great rates, so only those are installed that it can
 * print in full: then whoever looks with tc sees to the bit what the kernel holds.
 */
public final class TcRate {
  private static final long KILO = 1_000;
  private static final long MEGA = 1_000_000;
  private static final long GIGA = 1_000_000_000;
  // The kernel counts whole bytes per second.
  private static final long BITS_PER_BYTE = 8;

  private TcRate() {}

  /** The greatest rate that can be printed in full and is not above the granted one. */
  public static long atMost(long bitsPerSecond) {
    long step = bitsPerSecond >= GIGA ? MEGA : bitsPerSecond >= MEGA ? KILO : BITS_PER_BYTE;
    return Math.max(BITS_PER_BYTE, bitsPerSecond - bitsPerSecond % step);
  }
}
