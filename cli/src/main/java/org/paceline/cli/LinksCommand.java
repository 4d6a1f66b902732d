package org.paceline.cli;

import static java.util.stream.Collectors.joining;

import java.util.HashMap;
import java.util.Map;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.control.UseCases;
import org.paceline.control.plan.Plan;
import org.paceline.control.port.NetworkState;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/** The links that the planner reckons with, and what is granted on each. */
@Service
@Command(
    scope = "paceline",
    name = "links",
    description = "The links that the planner reckons with, and what is granted on each",
    detailedDescription = "classpath:help/network.txt")
public final class LinksCommand extends PacelineCommand {
  @Override
  Table table(UseCases use) {
    return table(use.network(), use.planner().plan());
  }

  static Table table(NetworkState network, Plan plan) {
    Map<LinkId, DataRate> granted = new HashMap<>();
    plan.grants()
        .values()
        .forEach(
            grant ->
                grant
                    .path()
                    .hops()
                    .forEach(hop -> granted.merge(hop, grant.rate(), DataRate::plus)));
    Table table = new Table("from", "to", "capacity", "granted");
    for (Link link : network.network().links()) {
      table.row(
          link.from(),
          link.to(),
          Words.rate(link.capacity()),
          Words.rate(granted.getOrDefault(link.id(), DataRate.ZERO)));
    }
    table.conclude(
        network.network().links().size()
            + " links."
            + network.warnings().stream().map(warning -> " " + warning).collect(joining()));
    return table;
  }
}
