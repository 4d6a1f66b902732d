package org.paceline.agent.ports;

/**
 * What the two queues of a port have; together it is the most that the port sends.
 *
 * @param dscp by which elephants are told
 */
public record PortShares(long elephantsBitsPerSecond, long othersBitsPerSecond, int dscp) {
  private static final int DSCP_VALUES = 64;

  /**
   * @throws IllegalArgumentException where a queue would never be served, or no packet could be
   *     told to be an elephant's
   */
  public PortShares {
    if (elephantsBitsPerSecond < Byte.SIZE || othersBitsPerSecond < Byte.SIZE) {
      throw new IllegalArgumentException(
          "The shares ("
              + elephantsBitsPerSecond
              + " and "
              + othersBitsPerSecond
              + " bit/s) must both be at least a byte a second.");
    }
    if (dscp < 1 || dscp >= DSCP_VALUES) {
      throw new IllegalArgumentException("The DSCP (" + dscp + ") must be from 1 to 63.");
    }
  }

  long totalBitsPerSecond() {
    return elephantsBitsPerSecond + othersBitsPerSecond;
  }
}
