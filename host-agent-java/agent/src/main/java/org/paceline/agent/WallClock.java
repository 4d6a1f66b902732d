package org.paceline.agent;

import java.time.Instant;

/** The host's clock, in the unit of the protocol. */
final class WallClock {
  private WallClock() {}

  static long unixNanos() {
    Instant now = Instant.now();
    return Math.addExact(Math.multiplyExact(now.getEpochSecond(), 1_000_000_000L), now.getNano());
  }
}
