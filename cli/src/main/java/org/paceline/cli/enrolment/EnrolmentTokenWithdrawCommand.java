package org.paceline.cli.enrolment;

import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.ChangingCommand;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.cli.table.Table;
import org.paceline.control.api.UseCases;
import org.paceline.control.audit.Role;
import org.paceline.control.enrolment.EnrolmentTokens;

/** No host enrols by the token any more. */
@Service
@Command(
    scope = "paceline",
    name = "enrolment-token-withdraw",
    description = "Withdraws a token: no host enrols by it any more",
    detailedDescription = "classpath:help/enrolment.txt")
public final class EnrolmentTokenWithdrawCommand extends ChangingCommand<EnrolmentTokens> {
  @Argument(
      name = "token",
      required = true,
      description = "Its id, as paceline:enrolment-tokens lists it")
  @Completion(EnrolmentTokenCompleter.class)
  String token = "";

  @Argument(
      index = 1,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  public EnrolmentTokenWithdrawCommand() {
    super(UseCases::enrolment);
  }

  @Override
  protected Role needs() {
    return Role.ADMIN;
  }

  @Override
  protected Table table(EnrolmentTokens use) {
    use.withdraw(author(), token);
    return new EnrolmentTokensCommand().table(use);
  }
}
