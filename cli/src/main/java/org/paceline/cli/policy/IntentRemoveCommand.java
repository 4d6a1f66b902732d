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
import org.paceline.control.api.IntentDesk;
import org.paceline.control.api.PolicyService;
import org.paceline.control.api.UseCases;
import org.paceline.control.inventory.IntentUse;
import org.paceline.control.policy.PolicyVersion;
import org.paceline.intents.tree.IntentPath;

/** Takes a branch away from the intent tree. */
@Service
@Command(
    scope = "paceline",
    name = "intent-remove",
    description = "Takes an intent and all below it away from the tree",
    detailedDescription = "classpath:help/policy.txt")
public final class IntentRemoveCommand extends ChangingCommand<PolicyService> {
  /** A branch may have thousands. */
  private static final int MOST_NAMED = 20;

  @Argument(name = "intent", required = true, description = "CLASS/INTENT")
  @Completion(IntentCompleter.class)
  String intent = "";

  @Argument(
      index = 1,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  public IntentRemoveCommand() {
    super(UseCases::policy);
  }

  @Override
  protected Table table(PolicyService use) {
    IntentDesk.Removal removal =
        use.intentDesk()
            .remove(user(), author(), "paceline:intent-remove " + intent, IntentPath.parse(intent));
    return table(removal.version(), removal.stillNamed());
  }

  static Table table(PolicyVersion version, List<IntentUse> stillNamed) {
    Table table = PolicyCommand.table(List.of(version));
    warn(table, stillNamed, "from now on");
    return table;
  }

  /**
   * Who names intents that go, below the table of what takes them away.
   *
   * @param since from when on their conversations are served as something else
   */
  static void warn(Table table, List<IntentUse> uses, String since) {
    uses.stream().limit(MOST_NAMED).forEach(use -> table.add("\n" + warning(use, since)));
    int more = uses.size() - MOST_NAMED;
    if (more > 0) {
      table.add("\nAnd " + more + " more intents that go are named.");
    }
  }

  private static String warning(IntentUse use, String since) {
    return String.format(
        "The intent (%s) is still named by %s; its %d open conversations are served as (%s) %s.",
        use.intent(), use.who(), use.conversations(), use.servedAs(), since);
  }
}
