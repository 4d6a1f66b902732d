package org.paceline.cli.state;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Words;
import org.paceline.control.api.ReservationService;
import org.paceline.control.ingress.ExporterCounts;
import org.paceline.control.ingress.IngressDay;
import org.paceline.control.ingress.IngressLists;
import org.paceline.control.ingress.IngressPair;
import org.paceline.control.ingress.IngressState;
import org.paceline.control.view.ElephantView;

/** Who is led apart as an elephant, and who is one by the flow records of each ingress. */
@Service
@Command(
    scope = "paceline",
    name = "elephants",
    description = "Who is an elephant by the flow records of each ingress, and who is led apart",
    detailedDescription = "classpath:help/elephants.txt")
public final class ElephantsCommand extends PacelineCommand<ElephantsCommand.Sources> {
  private static final int PERCENT = 100;

  /** Who knows of elephants. */
  static final class Sources {
    private final IngressLists lists;
    private final ReservationService circuits;

    private Sources(IngressLists lists, ReservationService circuits) {
      this.lists = lists;
      this.circuits = circuits;
    }
  }

  public ElephantsCommand() {
    super(all -> new Sources(all.elephants(), all.reservations()));
  }

  @Override
  protected Table table(Sources use) {
    return table(
        use.lists.states(), use.circuits.elephants(), use.lists.isApplied(), use.lists.due());
  }

  static Table table(
      List<IngressState> states, List<ElephantView> apart, boolean isApplied, Instant due) {
    Table table =
        new Table("exporter", "source", "destination", "sent", "last seen", "ages out", "is");
    for (IngressState state : states) {
      int place = 0;
      for (IngressPair pair : state.list().pairs()) {
        place++;
        table.row(
            state.exporter().toString(),
            pair.source().toString(),
            pair.destination().toString(),
            Words.bytes(pair.bytes()),
            pair.lastSeen().toString(),
            state.agesOutOn(pair).toString(),
            place > state.inForce() ? "beyond the bound" : isApplied ? "applied" : "shown");
      }
    }
    int pairs = states.stream().mapToInt(state -> state.list().pairs().size()).sum();
    table.conclude(
        pairs
            + " pairs of "
            + states.size()
            + " exporters, "
            + (isApplied ? "applied" : "only shown")
            + ". The next lists are made at "
            + due
            + ".");
    states.forEach(state -> table.add(said(state)));
    apart.forEach(one -> table.add(said(one)));
    return table;
  }

  private static String said(ElephantView one) {
    return " Conversation "
        + one.id()
        + " is led apart by "
        + one.path()
        + ": "
        + Words.rate(one.granted())
        + " are granted"
        + (one.isPaced() ? ", to which it is held" : "")
        + one.proof().measured().map(rate -> ", " + Words.rate(rate) + " sent").orElse("")
        + one.circuit().map(rate -> ", " + Words.rate(rate) + " promised by its circuit").orElse("")
        + ".";
  }

  private static String said(IngressState state) {
    List<IngressDay> days = state.list().days();
    Optional<IngressDay> last =
        days.isEmpty() ? Optional.empty() : Optional.of(days.get(days.size() - 1));
    return " Exporter "
        + state.exporter()
        + ": "
        + state.counts().map(ElephantsCommand::said).orElse("not listened to any more")
        + last.map(
                day ->
                    "; of "
                        + Words.bytes(day.alphaBytes())
                        + " in alpha flows on "
                        + day.day()
                        + " its list caught "
                        + Math.round(day.share() * PERCENT)
                        + " %")
            .orElse("")
        + ".";
  }

  private static String said(ExporterCounts counts) {
    return counts.records()
        + " records in "
        + counts.datagrams()
        + " datagrams, "
        + counts.malformed()
        + " of them malformed, "
        + (counts.lostRecords() + counts.lostDatagrams())
        + " lost";
  }
}
