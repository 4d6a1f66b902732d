package org.paceline.allocator.virtualqueue;

import org.paceline.intents.unit.DataRate;

/**
 * How long frames occupy an 802.11g channel without RTS/CTS, so that the air can be shared like a
 * link: its utilisation is the sum of frames a second times {@link #seconds}. Gkantsidis et al.
 * 2009, section 3.4, equations 6 to 11 and table 2.
 */
public final class Airtime {
  private static final double SLOT = 9e-6;
  private static final double SIFS = 10e-6;
  private static final double DIFS = 28e-6;
  private static final double PHY = 20e-6;
  private static final int ACK_BITS = 112;
  private static final int MAC_BYTES = 36;
  private static final int LEAST_WINDOW = 15;

  private Airtime() {}

  /**
   * Seconds from one frame's first contention to its acknowledgement, T_ij.
   *
   * @param payloadBytes L, from 1
   * @param association r_ij, above 0
   * @param activeHosts n, from 1
   * @param slowestFrame seconds of the longest frame that may collide, see {@link #frame}
   */
  public static double seconds(
      int payloadBytes, DataRate association, int activeHosts, double slowestFrame) {
    double contention = contention(activeHosts, slowestFrame);
    double overhead = DIFS + SIFS + PHY + ACK_BITS / bitsPerSecond(association) + PHY;
    return contention + overhead + frame(payloadBytes, association);
  }

  /** T_C: waiting for the channel, and what collisions cost. */
  private static double contention(int hosts, double slowestFrame) {
    double collision = collisionProbability(hosts);
    if (collision == 0) {
      // Equation 10 knows no collisions of one host, and equation 11 divides by them: alone, a host
      // waits for half its window.
      return LEAST_WINDOW / 2.0 * SLOT;
    }
    return SLOT / ((1 - collision) * collision) + collision / (1 - collision) * slowestFrame;
  }

  /** Seconds of a frame alone, the fixed bytes of the MAC included. */
  public static double frame(int payloadBytes, DataRate association) {
    if (payloadBytes < 1) {
      throw new IllegalArgumentException(
          "A frame's payload (" + payloadBytes + " bytes) must be at least one byte.");
    }
    return (MAC_BYTES + payloadBytes) * 8.0 / bitsPerSecond(association);
  }

  /** gamma(n), equation 10. */
  static double collisionProbability(int hosts) {
    if (hosts < 1) {
      throw new IllegalArgumentException(
          "The number of active hosts (" + hosts + ") must be at least 1.");
    }
    double root = Math.sqrt(LEAST_WINDOW * (LEAST_WINDOW - 2.0) + Math.pow(4.0 * hosts - 3, 2));
    return (4.0 * hosts + LEAST_WINDOW - 5 - root) / (2.0 * (LEAST_WINDOW - 2));
  }

  private static double bitsPerSecond(DataRate association) {
    if (association.equals(DataRate.ZERO)) {
      throw new IllegalArgumentException(
          "The association rate must be above 0. Maybe the host is not associated.");
    }
    return association.millibitsPerSecond() / 1e3;
  }
}
