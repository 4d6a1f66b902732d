package org.paceline.agent.runtime;

import java.time.Instant;

/** The host's clock, in the unit of the protocol. */
public final class WallClock {
  private WallClock() {}

  public static long unixNanos() {
    Instant now = Instant.now();
    return Math.addExact(Math.multiplyExact(now.getEpochSecond(), 1_000_000_000L), now.getNano());
  }
}
