package org.paceline.cli.reservations;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Tone;
import org.paceline.cli.table.Words;
import org.paceline.control.api.ReservationService;
import org.paceline.control.api.UseCases;
import org.paceline.control.reservations.Period;
import org.paceline.control.reservations.Reservation;
import org.paceline.control.view.ReservationView;
import org.paceline.intents.tree.IntentPath;

/** The rates that were asked for ahead and are not over. */
@Service
@Command(
    scope = "paceline",
    name = "reservations",
    description = "The rates that were asked for ahead and are not over",
    detailedDescription = "classpath:help/reservations.txt")
public final class ReservationsCommand extends PacelineCommand<ReservationService> {
  @Option(name = "--calendar", description = "When how much is due, instead of who asked for it")
  boolean calendar;

  public ReservationsCommand() {
    super(UseCases::reservations);
  }

  @Override
  protected Table table(ReservationService use) {
    return calendar ? calendar(Period.of(use.reservations().all())) : table(use.all());
  }

  /**
   * The one of this id, if the user may change it.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Reservation mine(ReservationService use, String id) {
    Reservation found = use.reservations().find(id).orElseThrow(() -> absent(id));
    user().mustBeAllowed(Set.of(IntentPath.parse(found.requested().intent())));
    return found;
  }

  static IllegalArgumentException absent(String id) {
    return new IllegalArgumentException(
        "There is no reservation ("
            + id
            + "). Maybe \"paceline:reservations\" lists the one that you mean.");
  }

  static Table calendar(List<Period> periods) {
    Table table = new Table("from", "until", "rate", "reservations");
    for (Period period : periods) {
      table.row(
          period.from().toString(),
          period.until().toString(),
          Words.rate(period.rate()),
          period.reservations().stream().map(Reservation::id).collect(Collectors.joining(" ")));
    }
    table.conclude(periods.isEmpty() ? "Nothing is reserved." : periods.size() + " periods.");
    return table;
  }

  static Table table(List<ReservationView> all) {
    Table table =
        new Table("id", "state", "intent", "from", "to", "rate", "usable", "sent", "start", "end")
            .toned("state", Tone::ofState);
    for (ReservationView view : all) {
      Reservation one = view.reservation();
      table.row(
          one.id(),
          state(view),
          one.requested().intent(),
          one.requested().from().toString(),
          one.requested().to().toString(),
          Words.rate(one.requested().rate()),
          Words.rate(view.usableRate()),
          one.transfer()
              .map(
                  transfer ->
                      Words.bytes(transfer.sentBytes()) + " of " + Words.bytes(transfer.bytes()))
              .orElse(Words.NONE),
          one.requested().start().toString(),
          one.requested().end().toString());
    }
    long active = all.stream().filter(one -> one.state() == Reservation.State.ACTIVE).count();
    String lacking =
        all.stream()
            .flatMap(one -> one.shortfall().stream())
            .map(lacks -> " " + lacks)
            .collect(Collectors.joining());
    String unused =
        all.stream()
            .filter(one -> one.usable().isPresent())
            .map(one -> one.reservation().id())
            .collect(Collectors.joining(", "));
    table.conclude(
        all.isEmpty()
            ? "Nothing is reserved."
            : all.size()
                + " reservations, "
                + active
                + " of them active."
                + lacking
                + (unused.isEmpty()
                    ? ""
                    : " More than their conversations can use: " + unused + "."));
    all.forEach(
        one ->
            one.aboveCeiling()
                .ifPresent(
                    why -> table.add(" Above a ceiling: " + one.reservation().id() + ". " + why)));
    return table;
  }

  private static String state(ReservationView view) {
    return view.shortfall().isPresent()
        ? "short"
        : view.reservation()
            .heldUntil()
            .map(until -> "held until " + until)
            .orElse(view.state().word());
  }
}
