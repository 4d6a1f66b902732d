package org.paceline.control.planning;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.paceline.control.model.Proof;
import org.paceline.intents.unit.DataRate;

/** What was counted of a conversation at one moment, to be held against an earlier one. */
final class CounterReading {
  /** Below, a conversation leaves some of its rate. What paces and what counts are not exact. */
  private static final double FULLY_USED = 0.95;

  private static final double MILLIBITS_PER_BYTE = 8_000;
  private static final double NANOS = 1e9;

  private final Instant at;
  private final long bytes;
  private final long packets;
  private final long droppedPackets;
  private final DataRate held;

  /** Whether a meter counts it, which sees what it drops. */
  private final boolean isMetered;

  private CounterReading(Instant at, Proof proof) {
    this.at = at;
    this.bytes = proof.sentBytes();
    this.packets = proof.sentPackets();
    this.droppedPackets = proof.droppedPackets();
    this.held = proof.installed().orElse(DataRate.MAX);
    this.isMetered = proof.conversation().isMetered();
  }

  /** Empty where nobody has counted it yet. */
  static Optional<CounterReading> of(Proof proof) {
    return proof.countedAt().map(at -> new CounterReading(at, proof));
  }

  /**
   * In millibits a second; empty without new counters, or where they began anew. What was sent
   * while another source began to count is not known.
   */
  Optional<Double> rateSince(CounterReading before) {
    long nanos = Duration.between(before.at, at).toNanos();
    return nanos > 0 && bytes >= before.bytes && isMetered == before.isMetered
        ? Optional.of((bytes - before.bytes) * MILLIBITS_PER_BYTE / (nanos / NANOS))
        : Optional.empty();
  }

  /** The rate that it had all the time since: it may have been raised only just now. */
  DataRate heldSince(CounterReading before) {
    return held.compareTo(before.held) < 0 ? held : before.held;
  }

  /** Whether it used all of its rate, so that this says not what it could reach. */
  boolean isHeldBack(CounterReading before, double rate) {
    return rate >= heldSince(before).millibitsPerSecond() * FULLY_USED;
  }

  /** The part of its packets that its meter dropped since; empty where no meter counts it. */
  Optional<Double> droppedSince(CounterReading before) {
    double dropped = Math.max(0, droppedPackets - before.droppedPackets);
    double all = dropped + Math.max(0, packets - before.packets);
    return isMetered ? Optional.of(all == 0 ? 0 : dropped / all) : Optional.empty();
  }
}
