package org.paceline.cli.reservations;

import java.time.Duration;
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
import org.paceline.control.api.ReservationService;
import org.paceline.control.api.UseCases;
import org.paceline.control.model.ConversationId;
import org.paceline.control.reservations.ReservationRequest;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.DataRate;

/** Reserves a rate for a conversation from now on; it ends by itself. */
@Service
@Command(
    scope = "paceline",
    name = "boost",
    description = "Reserves a rate for a conversation from now on; it ends by itself",
    detailedDescription = "classpath:help/reservations.txt")
public final class BoostCommand extends ChangingCommand<ReservationService> {
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

  public BoostCommand() {
    super(UseCases::reservations);
  }

  @Override
  protected Table table(ReservationService use) {
    Duration length = Given.minutes(minutes);
    ReservationRequest requested =
        ConversationId.tryParse(conversation)
            .flatMap(id -> use.boost(id, DataRate.parse(rate), length))
            .orElseThrow(() -> ConversationsCommand.absent(conversation));
    user().mustBeAllowed(Set.of(IntentPath.parse(requested.intent())));
    String line = "paceline:boost " + conversation + " " + rate + " " + length.toMinutes();
    return ReserveCommand.table(
        requested, use.desk().reserve(user(), author(), line, requested, true));
  }
}
