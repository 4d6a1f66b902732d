package org.paceline.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.control.UseCases;
import org.paceline.control.reservations.Answer;
import org.paceline.control.reservations.Wish;
import org.paceline.intents.unit.DataRate;

/** Reserves a rate between two hosts, now or ahead; it ends by itself. */
@Service
@Command(
    scope = "paceline",
    name = "reserve",
    description = "Reserves a rate between two hosts, now or ahead; it ends by itself",
    detailedDescription = "classpath:help/reservations.txt")
public final class ReserveCommand extends ChangingCommand {
  @Argument(name = "intent", required = true, description = "CLASS/INTENT that shares the rate")
  @Completion(IntentCompleter.class)
  String intent = "";

  @Argument(index = 1, name = "from", required = true, description = "The address that sends")
  String from = "";

  @Argument(index = 2, name = "to", required = true, description = "The address that receives")
  String to = "";

  @Argument(index = 3, name = "rate", required = true, description = "Such as 20mbit")
  String rate = "";

  @Argument(index = 4, name = "minutes", required = true, description = "For how long")
  int minutes;

  @Option(name = "--start", description = "When, such as 2026-12-01T20:00:00Z; without, now")
  String start = "";

  @Option(name = "--dry-run", description = "Only say whether it would be admitted")
  boolean dryRun;

  @Override
  Table table(UseCases use) {
    Instant begin = start.isEmpty() ? Instant.now() : time(start);
    Duration length = Duration.ofMinutes(minutes);
    Wish wish = Wish.of(intent, from, to, DataRate.parse(rate), begin, length, begin.plus(length));
    return table(
        wish,
        dryRun
            ? use.reservations().ask(wish)
            : use.reservationDesk().reserve(author(), "paceline:reserve " + wish, wish, true));
  }

  private static Instant time(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException none) {
      throw new IllegalArgumentException(
          "The start (" + text + ") must be a time with its zone. Maybe 2026-12-01T20:00:00Z.",
          none);
    }
  }

  static Table table(Wish asked, Answer answer) {
    Table table = new Table("", "rate", "start", "end");
    row(table, "asked", asked);
    answer.counterOffer().ifPresent(offer -> row(table, "offered", offer));
    table.conclude(
        answer
            .refusal()
            .orElse(
                answer
                    .held()
                    .map(held -> "Reserved as " + held.id() + ".")
                    .orElse("It would be admitted.")));
    return table;
  }

  private static void row(Table table, String what, Wish wish) {
    table.row(what, Words.rate(wish.rate()), wish.start().toString(), wish.end().toString());
  }
}
