package org.paceline.cli.policy;

import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Tone;
import org.paceline.control.api.PolicyService;
import org.paceline.control.api.UseCases;
import org.paceline.control.policy.PolicyVersion;

/** The versions of the policy, the newest first. */
@Service
@Command(
    scope = "paceline",
    name = "policy",
    description = "The versions of the policy, the newest first",
    detailedDescription = "classpath:help/policy.txt")
public final class PolicyCommand extends PacelineCommand<PolicyService> {
  private static final int USUAL = 20;

  @Option(name = "--limit", description = "At most so many (20)")
  int limit = USUAL;

  public PolicyCommand() {
    super(UseCases::policy);
  }

  @Override
  protected Table table(PolicyService use) {
    return table(use.versions().newest(limit, Long.MAX_VALUE));
  }

  static Table table(List<PolicyVersion> versions) {
    Table table = new Table("version", "at", "by", "ticket", "intents", "why");
    for (PolicyVersion version : versions) {
      table.row(
          Long.toString(version.number()),
          version.at().toString(),
          version.author().actor(),
          version.author().ticket().orElse("-"),
          Integer.toString(version.tree().policies().size()),
          version.reason());
    }
    PolicyVersion now = versions.get(0);
    table.conclude(
        "Version "
            + now.number()
            + " is in force"
            + now.confirmUntil()
                .map(until -> ", and goes back unless it is confirmed until " + until)
                .orElse("")
            + ".",
        now.confirmUntil().isPresent() ? Tone.NOTABLE : Tone.PLAIN);
    return table;
  }
}
