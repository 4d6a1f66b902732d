package org.paceline.control.reservations;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.paceline.intents.unit.DataRate;

/** A time in which the same reservations have their rate: a page of the calendar. */
@AutoValue
public abstract class Period {
  public abstract Instant from();

  public abstract Instant until();

  public abstract List<Reservation> reservations();

  /** All together. */
  public DataRate rate() {
    return reservations().stream()
        .map(reservation -> reservation.requested().rate())
        .reduce(DataRate.ZERO, DataRate::plus);
  }

  /** In the order of time; where nobody has anything, there is none. */
  public static List<Period> of(Collection<Reservation> reservations) {
    TreeSet<Instant> changes = new TreeSet<>();
    reservations.forEach(
        reservation -> {
          changes.add(reservation.requested().start());
          changes.add(reservation.requested().end());
        });
    List<Period> periods = new ArrayList<>();
    for (Instant from : changes) {
      Instant until = changes.higher(from);
      List<Reservation> there =
          reservations.stream()
              .filter(reservation -> reservation.takes(from))
              .collect(Collectors.toUnmodifiableList());
      if (until != null && !there.isEmpty()) {
        periods.add(new AutoValue_Period(from, until, there));
      }
    }
    return periods;
  }
}
