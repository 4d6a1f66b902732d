package org.paceline.control.borrowing;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/**
 * What a conversation sent of late, one sample a report. A sample that came close to the rate in
 * force then says nothing of what the conversation would have sent without it.
 */
final class UsageWindow {
  /** So long must somebody have left something before it counts as left. */
  private static final Duration LENGTH = Duration.ofSeconds(10);

  /** Reports come once a second; one may be late. */
  private static final Duration RECENT = Duration.ofSeconds(3);

  private static final double CONSTRAINED = 0.9;

  /**
   * More than 1 / {@link #CONSTRAINED}: who has so much more than it sends is seen to have enough.
   */
  private static final double GROWTH = 1.2;

  private final Deque<Sample> samples = new ArrayDeque<>();

  private static final class Sample {
    final Duration at;
    final long rate;
    final long inForce;

    Sample(Duration at, long rate, long inForce) {
      this.at = at;
      this.rate = rate;
      this.inForce = inForce;
    }

    boolean isConstrained() {
      return rate >= inForce * CONSTRAINED;
    }
  }

  void add(Duration at, long rate, long inForce) {
    samples.addLast(new Sample(at, rate, inForce));
    // One older than the window stays: it shows that the window is full.
    while (samples.size() > 2 && second().at.compareTo(at.minus(LENGTH)) < 0) {
      samples.removeFirst();
    }
  }

  private Sample second() {
    return samples.stream().skip(1).findFirst().orElseThrow();
  }

  /** The most that it sent, where it was free to send more for the whole window. */
  OptionalLong freePeak(Duration now) {
    if (samples.isEmpty()
        || samples.getFirst().at.compareTo(now.minus(LENGTH)) > 0
        || samples.getLast().at.compareTo(now.minus(RECENT)) < 0
        || samples.stream().anyMatch(Sample::isConstrained)) {
      return OptionalLong.empty();
    }
    return samples.stream().mapToLong(s -> s.rate).max();
  }

  /** The most that it sent of late; 0 where nothing was reported. */
  long recentPeak(Duration now) {
    return samples.stream()
        .filter(s -> s.at.compareTo(now.minus(RECENT)) >= 0)
        .mapToLong(s -> s.rate)
        .max()
        .orElse(0);
  }

  /** The rate in force at the last report, if that is not long ago. */
  long held(Duration now) {
    return samples.isEmpty() || samples.getLast().at.compareTo(now.minus(RECENT)) < 0
        ? 0
        : samples.getLast().inForce;
  }

  /**
   * How much more than its grant it would send if it could; infinite where it used all that it was
   * allowed to a moment ago, for nobody knows how much that would be.
   *
   * @param grant in millibits per second, as what is returned
   */
  double wantsBeyond(long grant, Duration now) {
    long peak = 0;
    for (Sample sample : samples) {
      if (sample.at.compareTo(now.minus(RECENT)) >= 0) {
        if (sample.isConstrained()) {
          return Double.POSITIVE_INFINITY;
        }
        peak = Math.max(peak, sample.rate);
      }
    }
    return peak < grant * CONSTRAINED ? 0 : Math.max(0, peak * GROWTH - grant);
  }
}
