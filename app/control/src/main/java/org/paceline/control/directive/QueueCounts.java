package org.paceline.control.directive;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.time.Instant;

/** What the two queues of a port had counted when whoever divides it read them. */
@AutoValue
public abstract class QueueCounts {
  /** When the counters began, by their reader's clock; others where they began anew. */
  public abstract Instant since();

  /** From then to the reading, by a clock that is never set. */
  public abstract Duration running();

  public abstract Queued elephants();

  public abstract Queued others();

  public static QueueCounts of(Instant since, Duration running, Queued elephants, Queued others) {
    return new AutoValue_QueueCounts(since, running, elephants, others);
  }

  /** Whether this is a later reading of the same counters. */
  final boolean follows(QueueCounts earlier) {
    return since().equals(earlier.since())
        && running().compareTo(earlier.running()) > 0
        && elephants().isNotBelow(earlier.elephants())
        && others().isNotBelow(earlier.others());
  }

  /** What came to one queue. */
  @AutoValue
  public abstract static class Queued {
    /** What left it, from the first byte of an Ethernet header on. */
    public abstract long bytes();

    /** What left it. */
    public abstract long packets();

    /** What found no room. */
    public abstract long droppedPackets();

    /**
     * @throws IllegalArgumentException if one of them is below zero
     */
    public static Queued of(long bytes, long packets, long droppedPackets) {
      if (bytes < 0 || packets < 0 || droppedPackets < 0) {
        throw new IllegalArgumentException(
            "A queue's counters ("
                + bytes
                + " bytes, "
                + packets
                + " packets, "
                + droppedPackets
                + " dropped) cannot be below zero. Maybe its agent counts otherwise.");
      }
      return new AutoValue_QueueCounts_Queued(bytes, packets, droppedPackets);
    }

    private boolean isNotBelow(Queued earlier) {
      return bytes() >= earlier.bytes()
          && packets() >= earlier.packets()
          && droppedPackets() >= earlier.droppedPackets();
    }

    final Queued minus(Queued earlier) {
      return of(
          bytes() - earlier.bytes(),
          packets() - earlier.packets(),
          droppedPackets() - earlier.droppedPackets());
    }
  }
}
