package org.paceline.control.view;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.util.Optional;
import org.paceline.control.reservations.Reservation;
import org.paceline.intents.unit.DataRate;

/** A reservation, and how it stands with it. */
@AutoValue
public abstract class ReservationView {
  public abstract Reservation reservation();

  /** Where it stood when it was looked at. */
  public abstract Reservation.State state();

  /** What it lacks, for a person; empty where its promise is kept. */
  public abstract Optional<String> shortfall();

  /** What of it its conversations can use; empty where that is all of it. */
  public abstract Optional<DataRate> usable();

  /** Which ceiling it is above, for a person. */
  public abstract Optional<String> aboveCeiling();

  public static ReservationView of(
      Reservation reservation,
      Instant now,
      Optional<String> shortfall,
      Optional<DataRate> usable,
      Optional<String> aboveCeiling) {
    return new AutoValue_ReservationView(
        reservation, reservation.state(now), shortfall, usable, aboveCeiling);
  }

  /** What its conversations can use. */
  public final DataRate usableRate() {
    return usable().orElse(reservation().requested().rate());
  }
}
