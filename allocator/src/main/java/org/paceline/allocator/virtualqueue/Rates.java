package org.paceline.allocator.virtualqueue;

import org.paceline.intents.unit.DataRate;

/** Rates times fractions; the loops are no place where a millibit matters. */
final class Rates {
  private Rates() {}

  static DataRate times(DataRate rate, double factor) {
    return ofMillibits(rate.millibitsPerSecond() * factor);
  }

  static DataRate ofMillibits(double millibits) {
    return DataRate.ofMillibitsPerSecond((long) millibits);
  }
}
