package org.paceline.cli.policy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.ChangingCommand;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.cli.table.Table;
import org.paceline.control.api.PolicyService;
import org.paceline.control.api.UseCases;
import org.paceline.control.policy.PolicyDraft;

/** Puts a draft in force. */
@Service
@Command(
    scope = "paceline",
    name = "draft-commit",
    description = "Puts a draft in force, for good or for a trial",
    detailedDescription = "classpath:help/policy.txt")
public final class DraftCommitCommand extends ChangingCommand<PolicyService> {
  @Option(
      name = "--confirm-within",
      description = "For a trial: the seconds in which somebody must confirm it")
  long seconds;

  @Argument(name = "draft", required = true, description = "As paceline:drafts lists it")
  @Completion(DraftCompleter.class)
  String draft = "";

  @Argument(
      index = 1,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  public DraftCommitCommand() {
    super(UseCases::policy);
  }

  @Override
  protected Table table(PolicyService use) {
    PolicyDraft found = DraftsCommand.find(use, draft);
    String line = "paceline:draft-commit --confirm-within " + seconds + " " + draft;
    Optional<Duration> within =
        seconds == 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(seconds));
    return PolicyCommand.table(List.of(use.drafts().commit(user(), found, author(), line, within)));
  }
}
