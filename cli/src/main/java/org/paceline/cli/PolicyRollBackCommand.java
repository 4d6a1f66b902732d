package org.paceline.cli;

import java.util.List;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.control.UseCases;

/** Goes back to the version before, or to the one that is named. */
@Service
@Command(
    scope = "paceline",
    name = "policy-rollback",
    description = "Goes back to the policy's version before, or to the one that is named",
    detailedDescription = "classpath:help/policy.txt")
public final class PolicyRollBackCommand extends ChangingCommand {
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

  @Override
  Table table(UseCases use) {
    Optional<Long> to = Optional.of(version).filter(number -> number > 0);
    return PolicyCommand.table(
        List.of(
            use.versions().rollBack(user(), author(), "paceline:policy-rollback " + version, to)));
  }
}
