package org.paceline.cli.operations;

import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.control.api.UseCases;
import org.paceline.control.audit.Change;
import org.paceline.control.audit.ChangeLog;

/** Who changed what, when, and for which ticket; the newest first. */
@Service
@Command(
    scope = "paceline",
    name = "history",
    description = "Who changed what, when, and for which ticket; the newest first",
    detailedDescription = "classpath:help/history.txt")
public final class HistoryCommand extends PacelineCommand<ChangeLog> {
  private static final int USUAL = 20;

  @Argument(name = "change", description = "The number of one change, to see it in full")
  long number;

  @Argument(
      index = 1,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  @Option(name = "--limit", description = "At most so many (20)")
  int limit = USUAL;

  @Option(name = "--actor", description = "Only what this user changed")
  String actor = "";

  @Option(name = "--ticket", description = "Only what was changed for this ticket")
  String ticket = "";

  public HistoryCommand() {
    super(UseCases::changes);
  }

  @Override
  protected Table table(ChangeLog use) {
    if (number > 0) {
      return table(use.mustFind(number, "Maybe \"paceline:history\" lists the one that you mean."));
    }
    return table(
        use.newest(
            limit,
            Long.MAX_VALUE,
            change ->
                (actor.isEmpty() || change.author().actor().equals(actor))
                    && (ticket.isEmpty() || change.author().ticket().orElse("").equals(ticket))));
  }

  static Table table(List<Change> changes) {
    Table table = new Table("change", "at", "by", "ticket", "what");
    for (Change change : changes) {
      table.row(
          Long.toString(change.number()),
          change.at().toString(),
          change.author().actor(),
          change.author().ticket().orElse("-"),
          change.operation());
    }
    table.conclude(
        changes.isEmpty()
            ? "Nothing was changed."
            : changes.size() + " changes; \"paceline:history NUMBER\" shows one in full.");
    return table;
  }

  static Table table(Change change) {
    Table table = new Table("what", "value");
    table.row("change", Long.toString(change.number()));
    table.row("at", change.at().toString());
    table.row("by", change.author().toString());
    table.row("what", change.operation());
    table.row("body", change.body());
    table.row("before", change.before());
    table.row("after", change.after());
    table.conclude("Change " + change.number() + " by " + change.author() + ".");
    return table;
  }
}
