package org.paceline.cli.reservations;

import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.control.audit.Author;
import org.paceline.control.reservations.ReservationDesk;

/** Makes a held reservation firm. */
@Service
@Command(
    scope = "paceline",
    name = "reservation-commit",
    description = "Makes a held reservation firm",
    detailedDescription = "classpath:help/reservations.txt")
public final class ReservationCommitCommand extends OneReservationCommand {
  @Override
  boolean change(ReservationDesk desk, Author author) {
    return desk.commit(user(), author, "paceline:reservation-commit " + id, id).isPresent();
  }
}
