package org.paceline.cli.policy;

import java.util.List;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.ChangingCommand;
import org.paceline.cli.Given;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.cli.table.Table;
import org.paceline.control.api.PolicyService;
import org.paceline.control.api.UseCases;
import org.paceline.control.audit.Role;
import org.paceline.control.policy.Ceiling;
import org.paceline.intents.document.WholeNumber;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.DataRate;

/** Says how much those may ask for who may change a branch and not all of the tree. */
@Service
@Command(
    scope = "paceline",
    name = "ceiling-set",
    description = "Says how much those may ask for to whom a branch of the tree is delegated",
    detailedDescription = "classpath:help/ceilings.txt")
public final class CeilingSetCommand extends ChangingCommand<PolicyService> {
  @Argument(name = "intent", required = true, description = "The branch, CLASS or CLASS/INTENT")
  @Completion(IntentCompleter.class)
  String branch = "";

  @Argument(
      index = 1,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  @Option(name = "--rate", description = "Of all its reservations together, such as 20mbit")
  String rate = "";

  @Option(name = "--share", description = "Of each link, for all of them together, in percent")
  String share = "";

  @Option(name = "--duration", description = "Of the times reserved between two hosts, in minutes")
  String minutes = "";

  @Option(name = "--priority", description = "Of an intent of the branch")
  String priority = "";

  public CeilingSetCommand() {
    super(UseCases::policy);
  }

  @Override
  protected Role needs() {
    return Role.ADMIN;
  }

  @Override
  protected Table table(PolicyService use) {
    Ceiling ceiling =
        Ceiling.of(IntentPath.parse(branch))
            .rate(given(rate).map(DataRate::parse))
            .sharePercent(number("share", share))
            .duration(given(minutes).map(Given::minutes))
            .priority(number("priority", priority))
            .build();
    use.ceilings().set(author(), "paceline:ceiling-set " + ceiling, ceiling);
    return new CeilingsCommand().table(use);
  }

  /** What range it must be in, the ceiling says. */
  private static Optional<Integer> number(String what, String text) {
    return given(text)
        .map(word -> (int) WholeNumber.parse(what, word, Integer.MIN_VALUE, Integer.MAX_VALUE));
  }

  private static Optional<String> given(String text) {
    return Optional.of(text).filter(word -> !word.isEmpty());
  }
}
