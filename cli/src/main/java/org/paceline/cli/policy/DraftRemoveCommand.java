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

/** Takes a draft away. */
@Service
@Command(
    scope = "paceline",
    name = "draft-remove",
    description = "Takes a draft away",
    detailedDescription = "classpath:help/policy.txt")
public final class DraftRemoveCommand extends ChangingCommand<PolicyService> {
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

  public DraftRemoveCommand() {
    super(UseCases::policy);
  }

  @Override
  protected Table table(PolicyService use) {
    use.drafts().mustBeTheirs(user(), DraftsCommand.find(use, draft).tree());
    use.drafts().remove(draft, author(), "paceline:draft-remove " + draft);
    return new DraftsCommand().table(use);
  }
}
