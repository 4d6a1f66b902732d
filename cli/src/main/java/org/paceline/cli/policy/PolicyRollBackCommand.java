package org.paceline.cli.policy;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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
import org.paceline.control.policy.PolicyVersion;
import org.paceline.intents.tree.IntentPath;

/** Goes back to the tree before this one, or to the version that is named. */
@Service
@Command(
    scope = "paceline",
    name = "policy-rollback",
    description = "Goes back to the policy's tree before this one, or to the version that is named",
    detailedDescription = "classpath:help/policy.txt")
public final class PolicyRollBackCommand extends ChangingCommand<PolicyService> {
  @Argument(name = "version", description = "Where to go back to")
  @Completion(VersionCompleter.class)
  long version;

  @Argument(
      index = 1,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  public PolicyRollBackCommand() {
    super(UseCases::policy);
  }

  @Override
  protected Table table(PolicyService use) {
    Optional<Long> to = Optional.of(version).filter(number -> number > 0);
    String line = "paceline:policy-rollback" + to.map(number -> " " + number).orElse("");
    PolicyVersion back = use.versions().rollBack(user(), author(), line, to);
    return table(back, use.versions().changedBy(back));
  }

  static Table table(PolicyVersion back, Set<IntentPath> changed) {
    Table table = PolicyCommand.table(List.of(back));
    table.conclude(
        back.reason()
            + " Version "
            + back.number()
            + " is in force; what changed: "
            + changed.stream().map(IntentPath::toString).collect(Collectors.joining(", "))
            + ".");
    return table;
  }
}
