package org.paceline.cli.reservations;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.paceline.cli.ChangingCommand;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.cli.policy.IntentCompleter;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Tone;
import org.paceline.cli.table.Words;
import org.paceline.control.api.ReservationService;
import org.paceline.control.api.UseCases;
import org.paceline.control.audit.Role;
import org.paceline.control.reservations.AdmissionDecision;
import org.paceline.control.reservations.Reservation;
import org.paceline.control.reservations.ReservationRequest;
import org.paceline.intents.tree.IntentPath;

/**
 * What commands share that ask for something ahead between two hosts, and say what is admitted or
 * could be.
 */
abstract class AskCommand extends ChangingCommand<ReservationService> {
  @Argument(name = "intent", required = true, description = "CLASS/INTENT that shares the rate")
  @Completion(IntentCompleter.class)
  String intent = "";

  @Argument(
      index = 1,
      name = "from",
      required = true,
      description = "The address that sends, or for a circuit a prefix")
  String from = "";

  @Argument(
      index = 2,
      name = "to",
      required = true,
      description = "The address that receives, or for a circuit a prefix")
  String to = "";

  @Argument(
      index = 5,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  @Option(name = "--start", description = "When, such as 2026-12-01T20:00:00Z; without, now")
  String start = "";

  @Option(
      name = "--hold",
      description = "Only hold it for a minute, in which paceline:reservation-commit makes it firm")
  boolean hold;

  @Option(
      name = "--conversations",
      description = "How many will share it, so that more than one can use is of use (1)")
  long conversations = 1;

  @Option(
      name = "--adaptive",
      description = "Others may have what its conversations leave unused, until they ask for it")
  boolean adaptive;

  @Option(name = "--dry-run", description = "Only say whether it would be admitted")
  boolean dryRun;

  AskCommand() {
    super(UseCases::reservations);
  }

  /** What is asked for, for one conversation. */
  abstract ReservationRequest requested(Instant begin);

  /** The command's own name. */
  abstract String name();

  /** Asking is for everybody who may look. */
  @Override
  protected Role needs() {
    return dryRun ? Role.VIEWER : super.needs();
  }

  @Override
  protected boolean isReckoned() {
    return dryRun;
  }

  @Override
  protected Table table(ReservationService use) {
    Instant begin = start.isEmpty() ? Instant.now() : time("start", start);
    ReservationRequest requested = requested(begin).sharedBy(conversations).adaptive(adaptive);
    return dryRun
        ? table(requested, use.reservations().ask(user(), requested))
        : reserve(use, requested);
  }

  private Table reserve(ReservationService use, ReservationRequest requested) {
    user().mustBeAllowed(Set.of(IntentPath.parse(requested.intent())));
    String line = "paceline:" + name() + " " + (hold ? "--hold " : "") + requested;
    return table(requested, use.desk().reserve(user(), author(), line, requested, !hold));
  }

  static Instant time(String what, String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException none) {
      throw new IllegalArgumentException(
          "The "
              + what
              + " ("
              + text
              + ") must be a time with its zone. Maybe 2026-12-01T20:00:00Z.",
          none);
    }
  }

  static Table table(ReservationRequest asked, AdmissionDecision answer) {
    Table table = new Table("", "rate", "start", "end");
    row(table, "asked", asked);
    answer.counterOffer().ifPresent(offer -> row(table, "offered", offer));
    table.conclude(
        answer
            .refusal()
            .orElse(answer.held().map(AskCommand::said).orElse("It would be admitted.")),
        answer.refusal().isPresent() ? Tone.BAD : Tone.GOOD);
    return table;
  }

  private static String said(Reservation made) {
    return made.heldUntil()
        .map(until -> "Held as " + made.id() + " until " + until + ".")
        .orElse("Reserved as " + made.id() + ".");
  }

  private static void row(Table table, String what, ReservationRequest requested) {
    table.row(
        what,
        Words.rate(requested.rate()),
        requested.start().toString(),
        requested.end().toString());
  }
}
