package org.paceline.cli.policy;

import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.ChangingCommand;
import org.paceline.cli.table.Table;
import org.paceline.control.api.PolicyService;
import org.paceline.control.api.UseCases;

/** Confirms the version in force, which otherwise goes back by itself. */
@Service
@Command(
    scope = "paceline",
    name = "policy-confirm",
    description = "Confirms the policy's version in force, which otherwise goes back by itself",
    detailedDescription = "classpath:help/policy.txt")
public final class PolicyConfirmCommand extends ChangingCommand<PolicyService> {
  public PolicyConfirmCommand() {
    super(UseCases::policy);
  }

  @Override
  protected Table table(PolicyService use) {
    return PolicyCommand.table(
        List.of(use.versions().confirm(user(), author(), "paceline:policy-confirm")));
  }
}
