package org.paceline.cli;

import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.control.UseCases;

/** Gives a reservation back. */
@Service
@Command(
    scope = "paceline",
    name = "reservation-cancel",
    description = "Gives a reservation back",
    detailedDescription = "classpath:help/reservations.txt")
public final class ReservationCancelCommand extends ChangingCommand {
  @Argument(name = "id", required = true, description = "As paceline:reservations lists it")
  @Completion(ReservationCompleter.class)
  String id = "";

  @Override
  Table table(UseCases use) {
    ReservationsCommand.mine(use, id);
    if (!use.reservationDesk().cancel(author(), "paceline:reservation-cancel " + id, id)) {
      throw ReservationsCommand.absent(id);
    }
    return new ReservationsCommand().table(use);
  }
}
