package org.paceline.bench.agent;

import java.util.Arrays;
import java.util.Locale;

/** Some values in their order. */
record Figures(double[] sorted) {
  static Figures of(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return new Figures(sorted);
  }

  double at(double share) {
    return sorted[(int) Math.min(sorted.length - 1L, Math.round(sorted.length * share))];
  }

  /** Median, 95th percentile and greatest. */
  String shown() {
    return String.format(Locale.ROOT, "%.2f | %.2f | %.2f", at(0.5), at(0.95), at(1));
  }
}
