package org.paceline.cli.conversations;

import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.ChangingCommand;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.cli.table.Table;
import org.paceline.control.api.ConversationService;
import org.paceline.control.api.UseCases;
import org.paceline.control.model.ConversationId;

/** Ends an announced conversation. */
@Service
@Command(
    scope = "paceline",
    name = "conversation-end",
    description = "Ends a conversation that was announced by hand",
    detailedDescription = "classpath:help/announced.txt")
public final class ConversationEndCommand extends ChangingCommand<ConversationService> {
  @Argument(
      name = "conversation",
      required = true,
      description = "announced/NAME, as paceline:conversations shows it")
  @Completion(AnnouncedCompleter.class)
  String conversation = "";

  @Argument(
      index = 1,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  public ConversationEndCommand() {
    super(UseCases::conversations);
  }

  @Override
  protected Table table(ConversationService use) {
    ConversationId id = ConversationsCommand.find(use, conversation).conversation().id();
    use.end(user(), author(), "paceline:conversation-end " + conversation, id);
    Table table = new Table("conversation", "state");
    table.row(id.toString(), "ended");
    table.conclude("The conversation (" + id + ") is ended.");
    return table;
  }
}
