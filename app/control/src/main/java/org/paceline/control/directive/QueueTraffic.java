package org.paceline.control.directive;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.paceline.intents.unit.DataRate;

/** What came to the two queues of a port between two readings of their counters. */
@AutoValue
public abstract class QueueTraffic {
  /**
   * Of Ethernet: preamble 8, checksum 4, gap 12. Shares of queues count them, and counters do not.
   */
  private static final long WIRE_BYTES = 24;

  private static final double MILLIBITS_PER_BYTE = 8_000;
  private static final double NANOS = 1e9;

  public abstract QueueCounts.Queued elephants();

  public abstract QueueCounts.Queued others();

  /** From one reading to the other. */
  public abstract Duration over();

  /** When the second one came. */
  public abstract Instant at();

  /**
   * @return empty where the counters have begun anew, or none were read since
   */
  public static Optional<QueueTraffic> between(QueueCounts earlier, QueueCounts later, Instant at) {
    return later.follows(earlier)
        ? Optional.of(
            new AutoValue_QueueTraffic(
                later.elephants().minus(earlier.elephants()),
                later.others().minus(earlier.others()),
                later.running().minus(earlier.running()),
                at))
        : Optional.empty();
  }

  /**
   * What came to a queue, with what it dropped: each packet counts as long as those that left, and
   * with all that Ethernet adds, as the queue's share does.
   */
  public final DataRate offered(QueueCounts.Queued queue) {
    if (queue.packets() == 0) {
      return DataRate.ZERO;
    }
    double bytes = (double) queue.bytes() / queue.packets() + WIRE_BYTES;
    return rate(bytes * (queue.packets() + queue.droppedPackets()));
  }

  /** How much longer its packets are on the wire than conversations are counted. */
  public final double wirePart(QueueCounts.Queued queue) {
    return queue.bytes() == 0 ? 1 : 1 + (double) WIRE_BYTES * queue.packets() / queue.bytes();
  }

  /** What left a queue, with all that Ethernet adds. */
  public final DataRate sent(QueueCounts.Queued queue) {
    return rate(queue.bytes() + (double) WIRE_BYTES * queue.packets());
  }

  /** As a person reads it. */
  @Override
  public final String toString() {
    return "they sent "
        + sent(elephants()).toKbpsFloor()
        + " and "
        + sent(others()).toKbpsFloor()
        + ", dropped "
        + elephants().droppedPackets()
        + " and "
        + others().droppedPackets()
        + " packets";
  }

  private DataRate rate(double bytes) {
    return DataRate.ofMillibitsPerSecond(
        (long) (bytes * MILLIBITS_PER_BYTE / (over().toNanos() / NANOS)));
  }
}
