package org.paceline.cli.state;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Words;
import org.paceline.control.api.NetworkService;
import org.paceline.control.api.UseCases;
import org.paceline.control.telemetry.LinkMeasurement;
import org.paceline.control.view.LinkView;
import org.paceline.intents.tree.SchemeName;

/** The links that the planner reckons with, what is granted on each, and what each carries. */
@Service
@Command(
    scope = "paceline",
    name = "links",
    description = "The links that the planner reckons with, granted and measured on each",
    detailedDescription = "classpath:help/network.txt")
public final class LinksCommand extends PacelineCommand<NetworkService> {
  private static final int PERCENT = 100;

  public LinksCommand() {
    super(UseCases::network);
  }

  @Override
  protected Table table(NetworkService use) {
    return table(use.links(), use.current().warnings());
  }

  static Table table(List<LinkView> links, List<String> warnings) {
    Table table =
        new Table(
            "from",
            "from port",
            "to",
            "to port",
            "capacity",
            "usable",
            "granted",
            "at fixed rates",
            "measured",
            "used",
            "dropped");
    for (LinkView link : links) {
      table.row(
          link.fromName(),
          port(link.ports().from()),
          link.toName(),
          port(link.ports().to()),
          Words.rate(link.link().capacity()),
          Words.rate(link.usable()),
          Words.rate(link.use().granted()),
          Words.rate(Optional.ofNullable(link.use().grantedBy().get(SchemeName.FIXED_RATE))),
          Words.rate(link.measured().map(LinkMeasurement::rate)),
          used(link),
          link.measured().map(one -> Long.toString(one.droppedEver())).orElse(Words.NONE));
    }
    table.conclude(
        links.size()
            + " links."
            + warnings.stream().map(warning -> " " + warning).collect(joining()));
    return table;
  }

  private static String used(LinkView link) {
    OptionalDouble part = link.utilisation();
    return part.isPresent() ? Math.round(part.getAsDouble() * PERCENT) + " %" : Words.NONE;
  }

  private static String port(Optional<Long> port) {
    return port.map(number -> Long.toString(number)).orElse(Words.NONE);
  }
}
