package org.paceline.cli.naming;

import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Tone;
import org.paceline.control.api.NamingService;
import org.paceline.control.api.UseCases;
import org.paceline.control.naming.NamingRule;
import org.paceline.control.naming.NamingRulesStore;

/** By which rules flows of hosts without an agent are named. */
@Service
@Command(
    scope = "paceline",
    name = "naming-rules",
    description = "By which rules flows of hosts without an agent are named",
    detailedDescription = "classpath:help/naming-rules.txt")
public final class NamingRulesCommand extends PacelineCommand<NamingService> {
  public NamingRulesCommand() {
    super(UseCases::naming);
  }

  @Override
  protected Table table(NamingService use) {
    return table(use.store().inForce(), use.store().warnings(), use.found());
  }

  static Table table(NamingRulesStore.Version version, List<String> warnings, int found) {
    Table table = new Table("rule", "intent", "match", "group");
    for (NamingRule rule : version.rules().rules()) {
      table.row(
          rule.name(),
          rule.intent().map(Object::toString).orElse("(left alone)"),
          rule.conditions().text(),
          rule.grouping() == NamingRule.Grouping.SOCKET ? "socket" : "address");
    }
    String sentence =
        "Version "
            + version.number()
            + ": "
            + version.rules().rules().size()
            + " rules, the first that matches decides; "
            + found
            + " conversations are found.";
    table.conclude(
        warnings.isEmpty() ? sentence : sentence + "\n" + String.join("\n", warnings),
        warnings.isEmpty() ? Tone.PLAIN : Tone.NOTABLE);
    return table;
  }
}
