package org.paceline.control.reservations;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What is reserved at the times of a request. O(k log k) for k reservations. */
final class Overlap {
  private Overlap() {}

  /** The greatest sum, in millibits per second, that others have at one of the request's times. */
  static long most(ReservationRequest requested, Collection<Reservation> others) {
    Map<Instant, Long> steps = new TreeMap<>();
    for (Reservation other : others) {
      ReservationRequest its = other.requested();
      if (its.start().isBefore(requested.end()) && its.end().isAfter(requested.start())) {
        long rate = its.rate().millibitsPerSecond();
        steps.merge(its.start(), rate, Long::sum);
        steps.merge(its.end(), -rate, Long::sum);
      }
    }
    long sum = 0;
    long most = 0;
    // None of them ends before the request begins: until then the sum only grows.
    for (long step : steps.values()) {
      sum += step;
      most = Math.max(most, sum);
    }
    return most;
  }

  /** How long there is at least one of them; what two share counts once. */
  static Duration together(Collection<ReservationRequest> wishes) {
    Duration all = Duration.ZERO;
    Instant until = Instant.MIN;
    for (ReservationRequest requested :
        wishes.stream()
            .sorted((a, b) -> a.start().compareTo(b.start()))
            .collect(Collectors.toUnmodifiableList())) {
      Instant from = requested.start().isAfter(until) ? requested.start() : until;
      if (requested.end().isAfter(from)) {
        all = all.plus(Duration.between(from, requested.end()));
        until = requested.end();
      }
    }
    return all;
  }
}
