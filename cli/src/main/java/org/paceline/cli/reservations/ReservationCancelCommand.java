package org.paceline.cli.reservations;

import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.control.audit.Author;
import org.paceline.control.reservations.ReservationDesk;

/** Gives a reservation back. */
@Service
@Command(
    scope = "paceline",
    name = "reservation-cancel",
    description = "Gives a reservation back",
    detailedDescription = "classpath:help/reservations.txt")
public final class ReservationCancelCommand extends OneReservationCommand {
  @Override
  boolean change(ReservationDesk desk, Author author) {
    return desk.cancel(author, "paceline:reservation-cancel " + id, id);
  }
}
