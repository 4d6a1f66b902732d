package org.paceline.agent.pace;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Rates as tc prints them. It drops digits of great rates, so only those are installed that it can
 * print in full: then a dump proves to the bit what the kernel holds.
 */
public final class TcRate {
  private static final long KILO = 1_000;
  private static final long MEGA = 1_000_000;
  private static final long GIGA = 1_000_000_000;
  private static final Pattern PRINTED = Pattern.compile("(\\d+)([KMGT]?)bit");
  // The kernel counts whole bytes per second.
  private static final long BITS_PER_BYTE = 8;

  private TcRate() {}

  /** The greatest rate that can be printed in full and is not above the granted one. */
  public static long atMost(long bitsPerSecond) {
    long step = bitsPerSecond >= GIGA ? MEGA : bitsPerSecond >= MEGA ? KILO : BITS_PER_BYTE;
    return Math.max(BITS_PER_BYTE, bitsPerSecond - bitsPerSecond % step);
  }

  /** Reads {@code 2500Kbit}. */
  public static long parse(String printed) {
    Matcher matcher = PRINTED.matcher(printed);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("The rate (" + printed + ") is none that tc prints.");
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "K" -> number * KILO;
      case "M" -> number * MEGA;
      case "G" -> number * GIGA;
      case "T" -> number * KILO * GIGA;
      default -> number;
    };
  }
}
