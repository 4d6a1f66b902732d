package org.paceline.cli;

import java.time.Duration;

/** What words of a command line stand for. */
final class Given {
  private Given() {}

  /**
   * @throws IllegalArgumentException if it is no whole number above 0
   */
  static Duration minutes(String text) {
    return Duration.ofMinutes(whole("minutes", text, 1, Integer.MAX_VALUE));
  }

  /**
   * @throws IllegalArgumentException if it is no whole number in this range
   */
  static long whole(String what, String text, long least, long greatest) {
    try {
      long value = Long.parseLong(text);
      if (value >= least && value <= greatest) {
        return value;
      }
    } catch (NumberFormatException none) {
      // Refused below, as a number out of range.
    }
    throw new IllegalArgumentException(
        "The "
            + what
            + " ("
            + text
            + ") must be a whole number from "
            + least
            + " to "
            + greatest
            + ".");
  }
}
