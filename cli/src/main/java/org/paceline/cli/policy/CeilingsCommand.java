package org.paceline.cli.policy;

import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Words;
import org.paceline.control.api.PolicyService;
import org.paceline.control.api.UseCases;
import org.paceline.control.policy.Ceiling;
import org.paceline.control.policy.Ceilings;
import org.paceline.intents.tree.IntentPath;

/** How much those may ask for to whom a branch is delegated. */
@Service
@Command(
    scope = "paceline",
    name = "ceilings",
    description = "How much those may ask for to whom a branch of the tree is delegated",
    detailedDescription = "classpath:help/ceilings.txt")
public final class CeilingsCommand extends PacelineCommand<PolicyService> {
  public CeilingsCommand() {
    super(UseCases::policy);
  }

  @Override
  protected Table table(PolicyService use) {
    return table(use.ceilings().all());
  }

  static Table table(List<Ceiling> ceilings) {
    Table table = new Table("branch", "rate", "share", "duration", "priority");
    ceilings.forEach(ceiling -> row(table, ceiling.branch().toString(), ceiling));
    row(table, "usual", Ceilings.usual(IntentPath.ROOT));
    table.conclude(
        ceilings.size() + " are set; what they do not say is as usual for a delegated branch.");
    return table;
  }

  private static void row(Table table, String name, Ceiling ceiling) {
    table.row(
        name,
        Words.rate(ceiling.rate()),
        ceiling.sharePercent().map(share -> share + " %").orElse(Words.NONE),
        ceiling.duration().map(time -> time.toMinutes() + " min").orElse(Words.NONE),
        ceiling.priority().map(most -> Integer.toString(most)).orElse(Words.NONE));
  }
}
