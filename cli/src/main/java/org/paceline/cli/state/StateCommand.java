package org.paceline.cli.state;

import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Tone;
import org.paceline.cli.table.Words;
import org.paceline.control.api.StateService;
import org.paceline.control.api.UseCases;
import org.paceline.control.assurance.BesideRules;
import org.paceline.control.planning.Plan;
import org.paceline.control.settings.PlanMode;
import org.paceline.intents.unit.DataRate;

/** The whole in a few numbers. */
@Service
@Command(
    scope = "paceline",
    name = "state",
    description = "The whole in a few numbers",
    detailedDescription = "classpath:help/plan.txt")
public final class StateCommand extends PacelineCommand<StateService> {
  public StateCommand() {
    super(UseCases::state);
  }

  @Override
  protected Table table(StateService use) {
    DataRate lent = use.loans().rates().values().stream().reduce(DataRate.ZERO, DataRate::plus);
    return table(
        use.plan(),
        use.mode(),
        use.agents().size(),
        use.proofs().all().size(),
        use.alarms().size(),
        lent,
        use.besideRules().senders(),
        use.agentsPort());
  }

  static Table table(
      Plan plan,
      PlanMode mode,
      int agents,
      int conversations,
      int alarms,
      DataRate lent,
      List<BesideRules.Sender> beside,
      String agentsPort) {
    Table table = new Table("what", "value");
    table.row("mode", mode.word());
    table.row("plan", Long.toString(plan.version()));
    table.row("agents", Integer.toString(agents));
    table.row("agents' port", agentsPort);
    table.row("conversations", Integer.toString(conversations));
    table.row("granted", Integer.toString(plan.grants().size()));
    table.row("unserved", Integer.toString(plan.unserved().size()));
    table.row("alarms", Integer.toString(alarms));
    table.row("lent", Words.rate(lent));
    table.row("beside the rules", Words.beside(beside));
    table.row("least utility", Words.utility(plan.summary().minimumUtility()));
    table.row("mean utility", Words.utility(plan.summary().meanUtility()));
    table.row("solved by", plan.summary().method());
    plan.summary().remarks().forEach(remark -> table.row("remark", remark));
    beside.stream()
        .filter(BesideRules.Sender::isNotable)
        .forEach(sender -> table.row("note", sender.sentence()));
    table.conclude(
        plan.grants().size()
            + " of "
            + conversations
            + " conversations are in plan "
            + plan.version()
            + "; "
            + alarms
            + " alarms."
            + Words.shadow(mode),
        alarms > 0 ? Tone.BAD : plan.unserved().isEmpty() ? Tone.GOOD : Tone.NOTABLE);
    return table;
  }
}
