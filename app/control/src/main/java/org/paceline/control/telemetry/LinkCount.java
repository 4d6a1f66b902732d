package org.paceline.control.telemetry;

import com.google.auto.value.AutoValue;
import java.time.Duration;

/** What has been counted at a link, all traffic together, since its port's counters began. */
@AutoValue
public abstract class LinkCount {
  /** What was sent into the link, from the first byte of an Ethernet header on. */
  public abstract long bytes();

  /** What was to be sent and was not: the port, or one of its queues, had no room. */
  public abstract long droppedPackets();

  /** What was sent. */
  public abstract long packets();

  /** For how long it had been counted when it was read, by the switch's own clock. */
  public abstract Duration running();

  /**
   * @throws IllegalArgumentException if one of them is below zero
   */
  public static LinkCount of(long bytes, long packets, long droppedPackets, Duration running) {
    if (bytes < 0 || packets < 0 || droppedPackets < 0 || running.isNegative()) {
      throw new IllegalArgumentException(
          "A link's counters ("
              + bytes
              + " bytes, "
              + packets
              + " packets, "
              + droppedPackets
              + " dropped, running for "
              + running
              + ") cannot be below zero. Maybe the switch that counts them wrapped around.");
    }
    return new AutoValue_LinkCount(bytes, droppedPackets, packets, running);
  }

  /** Whether this is the same reading of the port, with a later one of its queues. */
  boolean addsDropsTo(LinkCount earlier) {
    return running().equals(earlier.running())
        && bytes() == earlier.bytes()
        && packets() == earlier.packets()
        && droppedPackets() > earlier.droppedPackets();
  }

  /** Whether this is a later reading of the same counters. */
  boolean follows(LinkCount earlier) {
    return running().compareTo(earlier.running()) > 0
        && bytes() >= earlier.bytes()
        && packets() >= earlier.packets()
        && droppedPackets() >= earlier.droppedPackets();
  }
}
