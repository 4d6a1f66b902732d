package org.paceline.cli;

import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.control.UseCases;

/** Makes a held reservation firm. */
@Service
@Command(
    scope = "paceline",
    name = "reservation-commit",
    description = "Makes a held reservation firm",
    detailedDescription = "classpath:help/reservations.txt")
public final class ReservationCommitCommand extends ChangingCommand {
  @Argument(name = "id", required = true, description = "As paceline:reservations lists it")
  @Completion(ReservationCompleter.class)
  String id = "";

  @Override
  Table table(UseCases use) {
    ReservationsCommand.mine(use, id);
    if (use.reservationDesk().commit(author(), "paceline:reservation-commit " + id, id).isEmpty()) {
      throw ReservationsCommand.absent(id);
    }
    return new ReservationsCommand().table(use);
  }
}
