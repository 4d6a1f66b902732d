package org.paceline.cli.state;

import java.util.Optional;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Tone;
import org.paceline.cli.table.Words;
import org.paceline.control.api.StateService;
import org.paceline.control.api.UseCases;
import org.paceline.control.model.NodeNames;
import org.paceline.control.planning.Plan;
import org.paceline.control.settings.PlanMode;
import org.paceline.intents.unit.Latency;

/** The plan in force. */
@Service
@Command(
    scope = "paceline",
    name = "plan",
    description = "The plan in force and how good it is",
    detailedDescription = "classpath:help/plan.txt")
public final class PlanCommand extends PacelineCommand<StateService> {
  public PlanCommand() {
    super(UseCases::state);
  }

  @Override
  protected Table table(StateService use) {
    return table(use.plan(), use.mode(), use.nodeNames());
  }

  static Table table(Plan plan, PlanMode mode, NodeNames names) {
    Table table =
        new Table("conversation", "rate", "delay", "utility", "path")
            .toned("rate", rate -> rate.equals(Words.NONE) ? Tone.BAD : Tone.PLAIN);
    plan.grants()
        .forEach(
            (id, grant) ->
                table.row(
                    id.toString(),
                    Words.rate(Optional.of(grant.rate())),
                    Words.delay(Optional.of(grant.delay())),
                    Words.utility(Optional.of(grant.utility())),
                    names.of(grant.path())));
    plan.unserved()
        .forEach(
            (id, why) ->
                table.row(id.toString(), Words.NONE, Words.NONE, Words.NONE, why.reason()));
    table.conclude(
        "Plan "
            + plan.version()
            + ": least utility "
            + Words.utility(plan.summary().minimumUtility())
            + ", mean "
            + Words.utility(plan.summary().meanUtility())
            + ", solved by "
            + plan.summary().method()
            + " in "
            + Words.delay(Latency.ofNanos(plan.summary().elapsed().toNanos()))
            + "."
            + Words.shadow(mode));
    return table;
  }
}
