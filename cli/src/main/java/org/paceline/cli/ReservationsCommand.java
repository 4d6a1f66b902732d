package org.paceline.cli;

import java.time.Instant;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.control.UseCases;
import org.paceline.control.reservations.Reservation;

/** The rates that were asked for ahead and are not over. */
@Service
@Command(
    scope = "paceline",
    name = "reservations",
    description = "The rates that were asked for ahead and are not over",
    detailedDescription = "classpath:help/reservations.txt")
public final class ReservationsCommand extends PacelineCommand {
  @Override
  Table table(UseCases use) {
    return table(use.reservations().all(), Instant.now());
  }

  static Table table(List<Reservation> reservations, Instant now) {
    Table table = new Table("id", "state", "intent", "from", "to", "rate", "start", "end");
    for (Reservation one : reservations) {
      table.row(
          one.id(),
          state(one, now),
          one.wish().intent(),
          one.wish().from(),
          one.wish().to(),
          Words.rate(one.wish().rate()),
          one.wish().start().toString(),
          one.wish().end().toString());
    }
    long active = reservations.stream().filter(one -> one.isActive(now)).count();
    table.conclude(
        reservations.isEmpty()
            ? "Nothing is reserved."
            : reservations.size() + " reservations, " + active + " of them active.");
    return table;
  }

  private static String state(Reservation one, Instant now) {
    return one.heldUntil()
        .map(until -> "held until " + until)
        .orElse(one.isActive(now) ? "active" : "committed");
  }
}
