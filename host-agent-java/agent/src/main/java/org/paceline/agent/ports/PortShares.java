package org.paceline.agent.ports;

/**
 * What the two queues of a port have; together it is the most that the port sends.
 *
 * @param othersBitsPerSecond with what frames of {@link PortTree#CONTROL} have of it
 * @param dscp by which elephants are told
 */
public record PortShares(long elephantsBitsPerSecond, long othersBitsPerSecond, int dscp) {
  static final long LEAST_BITS_PER_SECOND = 2 * Byte.SIZE;
  private static final int DSCP_VALUES = 64;

  /** For a hundred frames of ARP a second: few ports see more. */
  private static final long CONTROL_BITS_PER_SECOND = 64_000;

  /** Behind a wide port are many hosts. */
  private static final long PART_OF_THE_PORT = 1_000;

  /**
   * @throws IllegalArgumentException where a queue would never be served, or no packet could be
   *     told to be an elephant's
   */
  public PortShares {
    if (elephantsBitsPerSecond < LEAST_BITS_PER_SECOND
        || othersBitsPerSecond < LEAST_BITS_PER_SECOND) {
      throw new IllegalArgumentException(
          "The shares ("
              + elephantsBitsPerSecond
              + " and "
              + othersBitsPerSecond
              + " bit/s) must both be at least two bytes a second.");
    }
    if (dscp < 1 || dscp >= DSCP_VALUES) {
      throw new IllegalArgumentException("The DSCP (" + dscp + ") must be from 1 to 63.");
    }
  }

  long totalBitsPerSecond() {
    return elephantsBitsPerSecond + othersBitsPerSecond;
  }

  /** Of others' share, in whole bytes a second: at most half of it, however small it is. */
  long controlBitsPerSecond() {
    long wished = Math.max(CONTROL_BITS_PER_SECOND, totalBitsPerSecond() / PART_OF_THE_PORT);
    return Math.min(wished, othersBitsPerSecond / 2) / Byte.SIZE * Byte.SIZE;
  }

  /** What is left of it for packets. */
  long packetsOfOthersBitsPerSecond() {
    return othersBitsPerSecond - controlBitsPerSecond();
  }
}
