package org.paceline.cli.operations;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Tone;
import org.paceline.control.api.UseCases;
import org.paceline.control.operations.Operation;
import org.paceline.control.operations.Operations;
import org.paceline.control.operations.Outcome;

/** What was begun over REST by clients that did not wait; each sees their own, an admin all. */
@Service
@Command(
    scope = "paceline",
    name = "operations",
    description = "What was begun over REST by programs that do not wait for it",
    detailedDescription = "classpath:help/operations.txt")
public final class OperationsCommand extends PacelineCommand<Operations> {
  @Argument(name = "operation", description = "The id of one, to see what came of it")
  @Completion(OperationCompleter.class)
  String operation = "";

  @Argument(
      index = 1,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  public OperationsCommand() {
    super(UseCases::operations);
  }

  @Override
  protected Table table(Operations use) {
    List<Operation> mine = mine(use);
    return operation.isEmpty()
        ? table(mine)
        : whole(
            mine.stream()
                .filter(one -> one.id().equals(operation))
                .findFirst()
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            "There is no operation ("
                                + operation
                                + ") of yours. Maybe it ended more than an hour ago.")));
  }

  static List<Operation> mine(Operations use) {
    return use.all().stream()
        .filter(one -> user().maySeeWhatWasBegunBy(one.actor()))
        .collect(Collectors.toList());
  }

  static Table table(List<Operation> operations) {
    Table table =
        new Table("operation", "state", "by", "since", "ended", "what")
            .toned("state", Tone::ofState);
    for (Operation one : operations) {
      table.row(
          one.id(),
          one.state(),
          one.actor(),
          one.startedAt().toString(),
          one.endedAt().map(Instant::toString).orElse("-"),
          one.does());
    }
    long running = operations.stream().filter(Operation::isRunning).count();
    table.conclude(operations.size() + " operations, " + running + " of them run or wait.");
    return table;
  }

  static Table whole(Operation one) {
    Table table = new Table("what", "value");
    table.row("operation", one.id());
    table.row("state", one.state());
    table.row("by", one.actor());
    table.row("what", one.does());
    table.row("result", one.outcome().map(Outcome::text).orElse("-"));
    table.conclude(
        "The operation (" + one.id() + ") is " + one.state() + ".", Tone.ofState(one.state()));
    return table;
  }
}
