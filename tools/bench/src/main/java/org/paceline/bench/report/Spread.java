package org.paceline.bench.report;

import java.util.Arrays;
import java.util.Locale;

/** Least, middle and greatest of some durations, in milliseconds: a figure and its noise. */
public record Spread(double min, double median, double max, int samples) {
  public static Spread of(double... millis) {
    double[] sorted = millis.clone();
    Arrays.sort(sorted);
    return new Spread(
        sorted[0], sorted[sorted.length / 2], sorted[sorted.length - 1], sorted.length);
  }

  /** For a table: the middle, with the extremes in brackets. */
  public String shown() {
    return String.format(Locale.ROOT, "%s (%s..%s)", millis(median), millis(min), millis(max));
  }

  /** Three digits that matter. */
  public static String millis(double value) {
    return value >= 100
        ? String.format(Locale.ROOT, "%,.0f", value)
        : value >= 1
            ? String.format(Locale.ROOT, "%.2f", value)
            : String.format(Locale.ROOT, "%.4f", value);
  }
}
