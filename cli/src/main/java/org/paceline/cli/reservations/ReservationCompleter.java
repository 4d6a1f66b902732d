package org.paceline.cli.reservations;

import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.NameCompleter;
import org.paceline.control.api.ReservationService;
import org.paceline.control.api.UseCases;
import org.paceline.control.reservations.Reservation;

/** Completes the ids of reservations. */
@Service
public final class ReservationCompleter extends NameCompleter<ReservationService> {
  public ReservationCompleter() {
    super(UseCases::reservations);
  }

  @Override
  protected Stream<String> names(ReservationService use) {
    return use.reservations().all().stream().map(Reservation::id);
  }
}
