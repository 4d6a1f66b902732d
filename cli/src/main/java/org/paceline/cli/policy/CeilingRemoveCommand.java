package org.paceline.cli.policy;

import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.ChangingCommand;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.cli.table.Table;
import org.paceline.control.api.PolicyService;
import org.paceline.control.api.UseCases;
import org.paceline.control.audit.Role;
import org.paceline.intents.tree.IntentPath;

/** Removes the ceiling of a branch: what is usual holds again. */
@Service
@Command(
    scope = "paceline",
    name = "ceiling-remove",
    description = "Removes the ceiling of a branch: what is usual holds again",
    detailedDescription = "classpath:help/ceilings.txt")
public final class CeilingRemoveCommand extends ChangingCommand<PolicyService> {
  @Argument(name = "intent", required = true, description = "As paceline:ceilings lists it")
  @Completion(IntentCompleter.class)
  String branch = "";

  @Argument(
      index = 1,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  public CeilingRemoveCommand() {
    super(UseCases::policy);
  }

  @Override
  protected Role needs() {
    return Role.ADMIN;
  }

  @Override
  protected Table table(PolicyService use) {
    String line = "paceline:ceiling-remove " + branch;
    if (!use.ceilings().remove(author(), line, IntentPath.parse(branch))) {
      throw new IllegalArgumentException(
          "There is no ceiling of ("
              + branch
              + "). Maybe \"paceline:ceilings\" lists the one that you mean.");
    }
    return new CeilingsCommand().table(use);
  }
}
