package org.paceline.cli.reservations;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.ChangingCommand;
import org.paceline.cli.Given;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.cli.conversations.ConversationCompleter;
import org.paceline.cli.conversations.ConversationsCommand;
import org.paceline.cli.table.Table;
import org.paceline.control.api.UseCases;
import org.paceline.control.model.Proof;
import org.paceline.control.reservations.ReservationRequest;
import org.paceline.intents.unit.DataRate;

/** Reserves a rate for a conversation from now on; it ends by itself. */
@Service
@Command(
    scope = "paceline",
    name = "boost",
    description = "Reserves a rate for a conversation from now on; it ends by itself",
    detailedDescription = "classpath:help/reservations.txt")
public final class BoostCommand extends ChangingCommand {
  @Argument(
      name = "conversation",
      required = true,
      description = "HOST/ID, as paceline:conversations shows it")
  @Completion(ConversationCompleter.class)
  String conversation = "";

  @Argument(index = 1, name = "rate", required = true, description = "Such as 2mbit")
  String rate = "";

  @Argument(index = 2, name = "minutes", required = true, description = "For how long")
  String minutes = "";

  @Argument(
      index = 3,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  @Override
  protected Table table(UseCases use) {
    Proof proof = ConversationsCommand.find(use, conversation);
    user().mustBeAllowed(Set.of(proof.requested().node()));
    Instant now = Instant.now();
    Duration length = Given.minutes(minutes);
    ReservationRequest requested =
        ReservationRequest.of(
            proof.requested().node().toString(),
            proof.conversation().localAddress(),
            proof.conversation().remoteAddress(),
            DataRate.parse(rate),
            now,
            length,
            now.plus(length));
    String line = "paceline:boost " + conversation + " " + rate + " " + length.toMinutes();
    return ReserveCommand.table(
        requested, use.reservationDesk().reserve(user(), author(), line, requested, true));
  }
}
