package org.paceline.allocator.elephant;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.paceline.intents.address.IpAddress;

/**
 * Windows of length T in which one host sends another more than H bytes. What a window holds is
 * linear in its start as long as neither of its ends passes a start or end of a record, so these
 * are the only moments to look at: O(n log n) for n records.
 */
final class AlphaWindows {
  /** Bytes are whole, and sums of rates are not: less than half a byte more is no more. */
  private static final double ROUNDING = 0.5;

  private final Timeline timeline;
  private final long interval;
  private final double threshold;

  AlphaWindows(Timeline timeline, AlphaRule rule) {
    this.timeline = timeline;
    this.interval = rule.interval().toMillis();
    this.threshold = rule.bytes() + ROUNDING;
  }

  /** The alpha flows between the two: windows that overlap are one. */
  List<AlphaFlow> flows(IpAddress source, IpAddress destination) {
    List<AlphaFlow> flows = new ArrayList<>();
    long from = 0;
    long until = Long.MIN_VALUE;
    long[] kinks = kinks();
    for (int k = 0; k + 1 < kinks.length; k++) {
      double before = sentIn(kinks[k]);
      double after = sentIn(kinks[k + 1]);
      if (Math.max(before, after) < threshold) {
        continue;
      }
      long length = kinks[k + 1] - kinks[k];
      double crossing = (threshold - before) / (after - before) * length;
      long first = before >= threshold ? kinks[k] : kinks[k] + (long) Math.ceil(crossing);
      long last = after >= threshold ? kinks[k + 1] : kinks[k] + (long) Math.floor(crossing);
      if (first > until) {
        add(flows, source, destination, from, until);
        from = first;
      }
      until = Math.max(until, last + interval);
    }
    add(flows, source, destination, from, until);
    return flows;
  }

  /** The starts of windows at which one of their ends meets a change of the rate. */
  private long[] kinks() {
    long[] times = timeline.times();
    return Arrays.stream(times)
        .flatMap(time -> LongStream.of(time - interval, time))
        .sorted()
        .distinct()
        .toArray();
  }

  private double sentIn(long windowStart) {
    return timeline.sentUntil(windowStart + interval) - timeline.sentUntil(windowStart);
  }

  /** From its first byte in these windows to its last. */
  private void add(
      List<AlphaFlow> flows, IpAddress source, IpAddress destination, long from, long until) {
    if (until == Long.MIN_VALUE) {
      return;
    }
    long start = timeline.firstBusyFrom(from);
    long end = timeline.lastBusyUntil(until);
    long bytes = Math.round(timeline.sentUntil(end) - timeline.sentUntil(start));
    flows.add(
        AlphaFlow.of(
            source, destination, Instant.ofEpochMilli(start), Instant.ofEpochMilli(end), bytes));
  }
}
