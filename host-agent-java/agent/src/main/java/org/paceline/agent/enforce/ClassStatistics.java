package org.paceline.agent.enforce;

/**
 * One conversation's class as the kernel shows it.
 *
 * @param sentBytes with departure times: of frames that have got theirs
 */
public record ClassStatistics(
    int minor,
    ClassRate rate,
    long sentBytes,
    long sentPackets,
    long droppedPackets,
    long backlogBytes) {
  public long rateBitsPerSecond() {
    return rate.bitsPerSecond();
  }

  public ClassStatistics withRate(ClassRate other) {
    return new ClassStatistics(minor, other, sentBytes, sentPackets, droppedPackets, backlogBytes);
  }

  /** Counts what the other one has counted, too. */
  public ClassStatistics plus(ClassStatistics other) {
    return counting(
        sentBytes + other.sentBytes,
        sentPackets + other.sentPackets,
        droppedPackets + other.droppedPackets);
  }

  /** Counts from where the other one was. */
  public ClassStatistics minus(ClassStatistics other) {
    return counting(
        sentBytes - other.sentBytes,
        sentPackets - other.sentPackets,
        droppedPackets - other.droppedPackets);
  }

  private ClassStatistics counting(long bytes, long packets, long dropped) {
    return new ClassStatistics(minor, rate, bytes, packets, dropped, backlogBytes);
  }
}
