package org.paceline.cli.policy;

import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.ChangingCommand;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Tone;
import org.paceline.control.api.IntentDesk;
import org.paceline.control.api.PolicyService;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.Role;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;

/** Changes the policy of an intent, or prepares that as a draft. */
@Service
@Command(
    scope = "paceline",
    name = "intent-set",
    description = "Changes the policy of an intent, or prepares that",
    detailedDescription = "classpath:help/policy.txt")
public final class IntentSetCommand extends IntentCommand {
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

  @Option(name = "--ticket", description = "The change ticket that asks for it")
  String ticket = "";

  /** Which branch of the tree, the command asks where it knows. */
  @Override
  protected Role needs() {
    return Role.BRANCH;
  }

  @Override
  protected Table table(PolicyService use) {
    IntentPath node = IntentPath.parse(intent);
    Author author = ChangingCommand.author(ticket);
    String line = "paceline:intent-set " + intent + options();
    if (!draft.isEmpty()) {
      IntentTree next = changed(use, use.drafts().goOnWith(draft), node);
      use.drafts().mustBeAllowed(user(), draft, next);
      use.drafts().put(draft, author, line, next);
      return new DraftsCommand().table(use);
    }
    mustChange(use.policies().tree(), node);
    IntentDesk.Outcome outcome =
        use.intentDesk()
            .set(user(), author, line, node, use.intentDesk().patch(node, patch()), parents());
    Table table = PolicyCommand.table(List.of(outcome.version()));
    if (outcome.isCreated()) {
      table.conclude(
          "The intent (" + node + ") is new in version " + outcome.version().number() + ".",
          Tone.NOTABLE);
    }
    return table;
  }
}
