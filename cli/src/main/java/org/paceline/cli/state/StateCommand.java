package org.paceline.cli.state;

import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Tone;
import org.paceline.cli.table.Words;
import org.paceline.control.api.StateService;
import org.paceline.control.api.UseCases;
import org.paceline.control.view.StateView;

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
    return table(use.now());
  }

  static Table table(StateView now) {
    Table table = new Table("what", "value");
    table.row("mode", now.mode().word());
    table.row("plan", Long.toString(now.plan().version()));
    table.row("agents", Integer.toString(now.agents()));
    table.row("agents' port", now.agentsPort());
    table.row("conversations", Integer.toString(now.conversations()));
    table.row("granted", Integer.toString(now.granted()));
    table.row("unserved", Integer.toString(now.unserved()));
    table.row("alarms", Integer.toString(now.alarms()));
    table.row("lent", Words.rate(now.lent()));
    table.row("beside the rules", Words.beside(now));
    table.row("least utility", Words.utility(now.summary().minimumUtility()));
    table.row("mean utility", Words.utility(now.summary().meanUtility()));
    table.row("solved by", now.summary().method());
    now.summary().remarks().forEach(remark -> table.row("remark", remark));
    now.notes().forEach(note -> table.row("note", note));
    table.conclude(
        now.granted()
            + " of "
            + now.conversations()
            + " conversations are in plan "
            + now.plan().version()
            + "; "
            + now.alarms()
            + " alarms."
            + Words.shadow(now.mode()),
        now.alarms() > 0 ? Tone.BAD : now.unserved() == 0 ? Tone.GOOD : Tone.NOTABLE);
    return table;
  }
}
