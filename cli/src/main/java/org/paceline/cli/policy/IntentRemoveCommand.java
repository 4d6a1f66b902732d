package org.paceline.cli.policy;

import java.util.List;
import java.util.Optional;
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
import org.paceline.intents.tree.IntentPath;

/** Takes a branch away from the intent tree. */
@Service
@Command(
    scope = "paceline",
    name = "intent-remove",
    description = "Takes an intent and all below it away from the tree",
    detailedDescription = "classpath:help/policy.txt")
public final class IntentRemoveCommand extends ChangingCommand<PolicyService> {
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
    IntentPath node = known(use, intent);
    return PolicyCommand.table(
        List.of(
            use.versions()
                .commit(
                    author(),
                    "The intent (" + node + ") is taken away.",
                    "paceline:intent-remove " + intent,
                    now -> allowed(use, now, now.contains(node) ? now.without(node) : now),
                    Optional.empty())));
  }

  /**
   * @throws IllegalArgumentException if the tree has no such node
   */
  private static IntentPath known(PolicyService use, String intent) {
    IntentPath node = IntentPath.parse(intent);
    if (!use.policies().tree().contains(node)) {
      throw new IllegalArgumentException(
          "There is no intent ("
              + intent
              + "). Maybe you meant "
              + String.join(" or ", use.policies().nearest(intent))
              + ".");
    }
    return node;
  }
}
