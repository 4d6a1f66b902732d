package org.paceline.control.reservations;

import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The reservations that are known, by id. Its map is replaced as a whole, so that whoever reads
 * waits for nobody; whoever changes it holds its lock.
 */
final class Calendar {
  private final Clock clock;
  private volatile Map<String, Reservation> reservations = Map.of();

  Calendar(Clock clock) {
    this.clock = clock;
  }

  /** As it is now; it does not change any more. */
  Map<String, Reservation> now() {
    return reservations;
  }

  /** Those that go on, of what the calendar was at one time. */
  List<Reservation> goingOn(Map<String, Reservation> then) {
    return notOver(then)
        .filter(one -> one.endedAt().isEmpty())
        .collect(Collectors.toUnmodifiableList());
  }

  /** With the transfers that have ended and are still shown. */
  List<Reservation> withEnded() {
    return notOver(reservations).collect(Collectors.toUnmodifiableList());
  }

  private Stream<Reservation> notOver(Map<String, Reservation> then) {
    Instant now = clock.instant();
    return then.values().stream().filter(one -> !one.isOver(now));
  }

  /** One that is not over. */
  Optional<Reservation> find(String id) {
    return Optional.ofNullable(reservations.get(id)).filter(one -> !one.isOver(clock.instant()));
  }

  /** One that goes on. */
  Optional<Reservation> findGoingOn(String id) {
    return find(id).filter(one -> one.endedAt().isEmpty());
  }

  synchronized void put(Reservation reservation) {
    Map<String, Reservation> next = new TreeMap<>(reservations);
    next.put(reservation.id(), reservation);
    reservations = Collections.unmodifiableMap(next);
  }

  synchronized void remove(Collection<String> ids) {
    Map<String, Reservation> next = new TreeMap<>(reservations);
    next.keySet().removeAll(ids);
    reservations = Collections.unmodifiableMap(next);
  }

  /** Those that are over at that time, which are taken out. */
  synchronized List<Reservation> takeOver(Instant time) {
    List<Reservation> over =
        reservations.values().stream()
            .filter(one -> one.isOver(time))
            .collect(Collectors.toUnmodifiableList());
    remove(over.stream().map(Reservation::id).collect(Collectors.toUnmodifiableList()));
    return over;
  }
}
