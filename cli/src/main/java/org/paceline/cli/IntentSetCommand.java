package org.paceline.cli;

import java.util.List;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.control.UseCases;
import org.paceline.intents.tree.IntentTree;

/** Changes the policy of an intent, or prepares that as a draft. */
@Service
@Command(
    scope = "paceline",
    name = "intent-set",
    description = "Changes the policy of an intent, or prepares that",
    detailedDescription = "classpath:help/policy.txt")
public final class IntentSetCommand extends ChangingCommand {
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

  @Option(name = "--least", description = "Its least rate in kbit/s")
  long least;

  @Option(name = "--greatest", description = "Its greatest rate in kbit/s")
  long greatest;

  @Option(name = "--priority", description = "Its priority; a greater one is served first")
  int priority = Integer.MIN_VALUE;

  @Option(name = "--draft", description = "Only prepares it, as the draft of this name")
  @Completion(DraftCompleter.class)
  String draft = "";

  @Override
  Table table(UseCases use) {
    String line =
        "paceline:intent-set "
            + intent
            + (least > 0 ? " --least " + least : "")
            + (greatest > 0 ? " --greatest " + greatest : "")
            + (priority == Integer.MIN_VALUE ? "" : " --priority " + priority)
            + (draft.isEmpty() ? "" : " --draft " + draft);
    if (!draft.isEmpty()) {
      IntentTree next = changed(use.policies().tree(), use);
      use.drafts().mustBeAllowed(user(), draft, next);
      use.drafts().put(draft, author(), line, next);
      return new DraftsCommand().table(use);
    }
    return PolicyCommand.table(
        List.of(
            use.versions()
                .commit(
                    author(),
                    "The intent (" + intent + ") is set.",
                    line,
                    now -> allowed(now, changed(now, use)),
                    Optional.empty())));
  }

  private IntentTree changed(IntentTree now, UseCases use) {
    return WhatIfCommand.changed(now, WhatIfCommand.known(use, intent), least, greatest, priority);
  }
}
