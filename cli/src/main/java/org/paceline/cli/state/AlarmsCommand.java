package org.paceline.cli.state;

import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Tone;
import org.paceline.control.api.StateService;
import org.paceline.control.api.UseCases;
import org.paceline.control.model.Alarm;

/** What is not as it should be and could not be put right. */
@Service
@Command(
    scope = "paceline",
    name = "alarms",
    description = "What the network does not hold as planned, and could not be put right",
    detailedDescription = "classpath:help/alarms.txt")
public final class AlarmsCommand extends PacelineCommand<StateService> {
  public AlarmsCommand() {
    super(UseCases::state);
  }

  @Override
  protected Table table(StateService use) {
    return table(use.alarms());
  }

  static Table table(List<Alarm> alarms) {
    Table table = new Table("since (UTC)", "about", "what").toned("what", Tone::ofTrouble);
    alarms.forEach(alarm -> table.row(alarm.since().toString(), alarm.about(), alarm.sentence()));
    table.conclude(
        alarms.isEmpty() ? "The network holds what is planned." : alarms.size() + " alarms.",
        alarms.isEmpty() ? Tone.GOOD : Tone.BAD);
    return table;
  }
}
