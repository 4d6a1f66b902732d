package org.paceline.cli.policy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.ChangingCommand;
import org.paceline.cli.SentFile;
import org.paceline.cli.table.Table;
import org.paceline.control.api.PolicyService;
import org.paceline.control.api.UseCases;
import org.paceline.intents.tree.IntentTree;

/** Puts the policy of a YAML file in force, or prepares that. */
@Service
@Command(
    scope = "paceline",
    name = "policy-import",
    description = "Puts the policy of a YAML file in force, or prepares that; reads what is sent",
    detailedDescription = "classpath:help/policy-file.txt")
public final class PolicyImportCommand extends ChangingCommand<PolicyService> {
  @Option(name = "--draft", description = "Only prepares it, as the draft of this name")
  @Completion(DraftCompleter.class)
  String draft = "";

  @Option(
      name = "--confirm-within",
      description = "For a trial: the seconds in which somebody must confirm it")
  long seconds;

  public PolicyImportCommand() {
    super(UseCases::policy);
  }

  @Override
  protected Table table(PolicyService use) {
    String text = SentFile.read("paceline:policy-import < policy.yaml");
    IntentTree tree = use.file().read(text);
    if (!draft.isEmpty()) {
      use.drafts().mustBeAllowed(user(), draft, tree);
      use.drafts().put(draft, author(), text, tree);
      return new DraftsCommand().table(use);
    }
    Optional<Duration> within =
        seconds == 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(seconds));
    return PolicyCommand.table(
        List.of(
            use.versions()
                .commit(
                    author(),
                    "A policy file is put in force.",
                    text,
                    now -> allowed(use, now, tree),
                    within)));
  }
}
