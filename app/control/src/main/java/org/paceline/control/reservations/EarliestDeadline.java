package org.paceline.control.reservations;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What can be offered for a transfer that is refused: its deadline with a later start, or else the
 * earliest deadline that can be met, to the second.
 *
 * <p>From one start, a later deadline meets nothing new before the next start of another
 * reservation, and needs a smaller rate. So between two of those it fits from some deadline on: the
 * last one tells whether any does, and halving finds the first. Starts that are worth a try are the
 * asked one and the ends of other reservations, of which the first few are tried. O(k + log t)
 * admissions a start for k reservations and t seconds.
 */
final class EarliestDeadline {
  private static final Duration STEP = Duration.ofSeconds(1);
  private static final int MOST_STARTS = 16;

  private final ReservationRequest transfer;
  private final Collection<Reservation> reserved;
  private final Predicate<ReservationRequest> fits;

  /**
   * @param transfer that does not fit
   * @param fits whether one is admitted
   */
  EarliestDeadline(
      ReservationRequest transfer,
      Collection<Reservation> reserved,
      Predicate<ReservationRequest> fits) {
    this.transfer = transfer;
    this.reserved = reserved;
    this.fits = fits;
  }

  /**
   * @param latest no later deadline is looked for
   * @param longest how long a transfer may take
   */
  Optional<ReservationRequest> find(Instant latest, Duration longest) {
    Optional<ReservationRequest> best = Optional.empty();
    for (Instant start : starts()) {
      Instant bound = best.map(ReservationRequest::end).orElse(latest);
      Instant end = start.plus(longest).isBefore(bound) ? start.plus(longest) : bound;
      Optional<ReservationRequest> found = from(start, end);
      if (found.isPresent()) {
        best = found;
        if (!found.get().end().isAfter(transfer.end())) {
          return best;
        }
      }
    }
    return best;
  }

  private List<Instant> starts() {
    return Stream.concat(
            Stream.of(transfer.start()),
            reserved.stream()
                .map(other -> other.requested().end())
                .filter(end -> end.isAfter(transfer.start()))
                .sorted())
        .distinct()
        .limit(MOST_STARTS)
        .collect(Collectors.toUnmodifiableList());
  }

  /** The asked deadline, if it does from this start; else the first that does. */
  private Optional<ReservationRequest> from(Instant start, Instant latest) {
    Instant asked = transfer.end();
    boolean mayBeAsAsked = asked.isAfter(start) && !asked.isAfter(latest);
    if (mayBeAsAsked && fits(start, asked)) {
      return Optional.of(transfer.between(start, asked));
    }
    Instant tooEarly = mayBeAsAsked ? asked : start;
    TreeSet<Instant> bounds = new TreeSet<>();
    reserved.forEach(other -> bounds.add(other.requested().start()));
    bounds.removeIf(other -> !other.isBefore(latest));
    bounds.add(latest);
    for (Instant bound : bounds.tailSet(tooEarly, false)) {
      if (fits(start, bound)) {
        return Optional.of(transfer.between(start, first(start, tooEarly, bound)));
      }
      tooEarly = bound;
    }
    return Optional.empty();
  }

  private Instant first(Instant start, Instant notYet, Instant known) {
    // Invariant: a transfer with the deadline inTime fits; one with tooEarly is known not to.
    Instant tooEarly = notYet;
    Instant inTime = known;
    while (tooEarly.plus(STEP).isBefore(inTime)) {
      long half = Duration.between(tooEarly, inTime).getSeconds() / 2;
      Instant middle = tooEarly.plusSeconds(Math.max(1, half));
      if (fits(start, middle)) {
        inTime = middle;
      } else {
        tooEarly = middle;
      }
    }
    return inTime;
  }

  private boolean fits(Instant start, Instant deadline) {
    return fits.test(transfer.between(start, deadline));
  }
}
