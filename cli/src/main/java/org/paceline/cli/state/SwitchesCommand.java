package org.paceline.cli.state;

import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Tone;
import org.paceline.control.api.NetworkService;
import org.paceline.control.api.UseCases;
import org.paceline.control.directive.PortScheduler;
import org.paceline.control.view.SwitchReport;

/** What each switch can do, and how much of it conversations use. */
@Service
@Command(
    scope = "paceline",
    name = "switches",
    description = "What each switch can do, and how much of it conversations use",
    detailedDescription = "classpath:help/network.txt")
public final class SwitchesCommand extends PacelineCommand<NetworkService> {
  public SwitchesCommand() {
    super(UseCases::network);
  }

  @Override
  protected Table table(NetworkService use) {
    return table(use.switches());
  }

  static Table table(List<SwitchReport> switches) {
    Table table =
        new Table(
                "switch",
                "is",
                "meters",
                "allowed",
                "rules",
                "allowed ",
                "table",
                "separation",
                "divided by")
            .toned("is", Tone::ofState);
    for (SwitchReport one : switches) {
      table.row(
          one.id(),
          one.isConnected() ? "connected" : "away",
          Long.toString(one.metersUsed()),
          Long.toString(one.metersAllowed()),
          Long.toString(one.rulesUsed()),
          Long.toString(one.rulesAllowed()),
          one.tableSize().map(String::valueOf).orElse("-"),
          one.separation(),
          one.scheduler().map(PortScheduler::toString).orElse("-"));
    }
    long away = switches.stream().filter(one -> !one.isConnected()).count();
    table.conclude(switches.size() + " switches, " + away + " of them away.");
    return table;
  }
}
