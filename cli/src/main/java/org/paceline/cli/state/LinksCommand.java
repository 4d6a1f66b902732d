package org.paceline.cli.state;

import static java.util.stream.Collectors.joining;

import java.util.Map;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Words;
import org.paceline.control.api.NetworkService;
import org.paceline.control.api.UseCases;
import org.paceline.control.explain.LinkUse;
import org.paceline.control.model.LinkPorts;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.NodeNames;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/** The links that the planner reckons with, what is granted on each, and what each carries. */
@Service
@Command(
    scope = "paceline",
    name = "links",
    description = "The links that the planner reckons with, granted and measured on each",
    detailedDescription = "classpath:help/network.txt")
public final class LinksCommand extends PacelineCommand<NetworkService> {
  public LinksCommand() {
    super(UseCases::network);
  }

  @Override
  protected Table table(NetworkService use) {
    return table(use.current(), use.nodeNames(), use.linkLoads().measured(), use.linkUses());
  }

  static Table table(
      NetworkState network,
      NodeNames names,
      Map<LinkId, DataRate> measured,
      Map<LinkId, LinkUse> uses) {
    Table table =
        new Table(
            "from",
            "from port",
            "to",
            "to port",
            "capacity",
            "granted",
            "at fixed rates",
            "measured");
    for (Link link : network.network().links()) {
      LinkUse use = uses.getOrDefault(link.id(), LinkUse.NONE);
      LinkPorts ports = network.ports().getOrDefault(link.id(), LinkPorts.NONE);
      table.row(
          names.of(link.from()),
          port(ports.from()),
          names.of(link.to()),
          port(ports.to()),
          Words.rate(link.capacity()),
          Words.rate(use.granted()),
          Words.rate(Optional.ofNullable(use.grantedBy().get(SchemeName.FIXED_RATE))),
          Words.rate(Optional.ofNullable(measured.get(link.id()))));
    }
    table.conclude(
        network.network().links().size()
            + " links."
            + network.warnings().stream().map(warning -> " " + warning).collect(joining()));
    return table;
  }

  private static String port(Optional<Long> port) {
    return port.map(number -> Long.toString(number)).orElse(Words.NONE);
  }
}
