package org.paceline.cli.reservations;

import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Completion;
import org.paceline.cli.ChangingCommand;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.cli.table.Table;
import org.paceline.control.api.ReservationService;
import org.paceline.control.api.UseCases;
import org.paceline.control.audit.Author;
import org.paceline.control.reservations.ReservationDesk;

/** What is done to one reservation, and shows those that there are afterwards. */
abstract class OneReservationCommand extends ChangingCommand<ReservationService> {
  @Argument(name = "id", required = true, description = "As paceline:reservations lists it")
  @Completion(ReservationCompleter.class)
  String id = "";

  @Argument(
      index = 1,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  OneReservationCommand() {
    super(UseCases::reservations);
  }

  @Override
  protected final Table table(ReservationService use) {
    ReservationsCommand.mine(use, id);
    if (!change(use.desk(), author())) {
      throw ReservationsCommand.absent(id);
    }
    return new ReservationsCommand().table(use);
  }

  /** Whether it was still there. */
  abstract boolean change(ReservationDesk desk, Author author);
}
