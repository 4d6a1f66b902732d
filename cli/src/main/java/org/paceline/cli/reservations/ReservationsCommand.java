package org.paceline.cli.reservations;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
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
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.DataRate;

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
    return calendar
        ? calendar(Period.of(use.reservations().all()))
        : table(use, use.reservations().withEnded());
  }

  private static Table table(ReservationService use, List<Reservation> all) {
    Table table =
        table(all, use.brokenPromises()::shortfall, use.reservations()::usable, Instant.now());
    all.forEach(
        one ->
            use.reservations()
                .aboveCeiling(one)
                .ifPresent(why -> table.add(" Above a ceiling: " + one.id() + ". " + why)));
    return table;
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

  /**
   * @param shortfall what one lacks; empty where its promise is kept
   * @param usable what of one its conversations can use; empty where that is all of it
   */
  static Table table(
      List<Reservation> reservations,
      Function<Reservation, Optional<String>> shortfall,
      Function<Reservation, Optional<DataRate>> usable,
      Instant now) {
    Table table =
        new Table("id", "state", "intent", "from", "to", "rate", "usable", "sent", "start", "end")
            .toned("state", Tone::ofState);
    for (Reservation one : reservations) {
      table.row(
          one.id(),
          shortfall.apply(one).isPresent() ? "short" : state(one, now),
          one.requested().intent(),
          one.requested().from(),
          one.requested().to(),
          Words.rate(one.requested().rate()),
          Words.rate(usable.apply(one).orElse(one.requested().rate())),
          one.transfer()
              .map(
                  transfer ->
                      Words.bytes(transfer.sentBytes()) + " of " + Words.bytes(transfer.bytes()))
              .orElse(Words.NONE),
          one.requested().start().toString(),
          one.requested().end().toString());
    }
    long active = reservations.stream().filter(one -> one.isActive(now)).count();
    String lacking =
        reservations.stream()
            .flatMap(one -> shortfall.apply(one).stream())
            .map(lacks -> " " + lacks)
            .collect(Collectors.joining());
    String unused =
        reservations.stream()
            .filter(one -> usable.apply(one).isPresent())
            .map(Reservation::id)
            .collect(Collectors.joining(", "));
    table.conclude(
        reservations.isEmpty()
            ? "Nothing is reserved."
            : reservations.size()
                + " reservations, "
                + active
                + " of them active."
                + lacking
                + (unused.isEmpty()
                    ? ""
                    : " More than their conversations can use: " + unused + "."));
    return table;
  }

  private static String state(Reservation one, Instant now) {
    return one.heldUntil().map(until -> "held until " + until).orElse(one.state(now).word());
  }
}
