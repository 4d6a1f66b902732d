package org.paceline.agent.smallnetwork;

/**
 * Whether something would send more if it might. Who uses nearly all of its rate would; who has
 * packets waiting and uses most of it would too, for a socket of TCP seldom uses all. So would who
 * has packets waiting at a rate of so few a window that chance decides how many it has sent.
 */
final class Appetite {
  private static final double NEARLY_ALL = 0.92;
  private static final double MOST = 0.7;
  private static final double FEW_PACKETS_BITS = 4 * 1_514 * Byte.SIZE;

  private Appetite() {}

  static boolean isHungry(Meter meter, boolean waiting) {
    return meter.usedPart() >= NEARLY_ALL
        || waiting && (meter.usedPart() >= MOST || meter.allowedBits() < FEW_PACKETS_BITS);
  }
}
