package org.paceline.agent.smallnetwork;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What was sent in a window of the last seconds, and what might have been: how much of its rate
 * something uses is known only where both are counted over the same time.
 */
final class Meter {
  private final long windowNanos;
  private final Deque<Reading> readings = new ArrayDeque<>();
  private double sentBits;
  private double allowedInAll;
  private double allowedBitsPerSecond;
  private long nanos;

  private record Reading(long nanos, double sentBits, double allowedBits) {}

  Meter(Duration window, long nanos) {
    this.windowNanos = window.toNanos();
    this.nanos = nanos;
    readings.add(new Reading(nanos, 0, 0));
  }

  /** From now on it may send this. */
  void allow(double bitsPerSecond, long now) {
    pass(now);
    allowedBitsPerSecond = bitsPerSecond;
  }

  private void pass(long now) {
    allowedInAll += allowedBitsPerSecond * Math.max(0, now - nanos) / 1e9;
    nanos = now;
  }

  /** It has sent so much more. */
  void sent(double bits, long now) {
    pass(now);
    sentBits += bits;
    readings.add(new Reading(now, sentBits, allowedInAll));
    // One that is as old as the window is long stays, for the difference to it.
    Reading first = readings.remove();
    while (!readings.isEmpty() && now - readings.element().nanos() >= windowNanos) {
      first = readings.remove();
    }
    readings.addFirst(first);
  }

  private double seconds() {
    return (readings.getLast().nanos() - readings.getFirst().nanos()) / 1e9;
  }

  double sentBitsPerSecond() {
    double seconds = seconds();
    return seconds == 0
        ? 0
        : (readings.getLast().sentBits() - readings.getFirst().sentBits()) / seconds;
  }

  /** What was allowed in the window. */
  double allowedBits() {
    return readings.getLast().allowedBits() - readings.getFirst().allowedBits();
  }

  /** What was sent of what was allowed; 0 where nothing was. */
  double usedPart() {
    double allowed = allowedBits();
    double sent = readings.getLast().sentBits() - readings.getFirst().sentBits();
    return allowed <= 0 ? 0 : sent / allowed;
  }
}
