package org.paceline.cli;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.paceline.intents.document.WholeNumber;

/** What words of a command line stand for. */
public final class Given {
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,15})(kB|MB|GB|TB|)");
  private static final Map<String, Long> UNITS =
      Map.of(
          "", 1L, "kB", 1_000L, "MB", 1_000_000L, "GB", 1_000_000_000L, "TB", 1_000_000_000_000L);

  private Given() {}

  /**
   * @throws IllegalArgumentException if it is no number of bytes
   */
  public static long bytes(String text) {
    Matcher size = SIZE.matcher(text);
    if (!size.matches()) {
      throw new IllegalArgumentException(
          "The bytes ("
              + text
              + ") must be a whole number with kB, MB, GB or TB, or without. Maybe 20GB.");
    }
    try {
      return Math.multiplyExact(
          Long.parseLong(size.group(1)), UNITS.getOrDefault(size.group(2), 1L));
    } catch (ArithmeticException more) {
      throw new IllegalArgumentException(
          "The bytes (" + text + ") are more than can be counted. Maybe 20GB.", more);
    }
  }

  /**
   * @throws IllegalArgumentException if it is no whole number above 0
   */
  public static Duration minutes(String text) {
    return Duration.ofMinutes(WholeNumber.parse("minutes", text, 1, Integer.MAX_VALUE));
  }
}
