package org.paceline.control.scheme.fixed;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.paceline.control.inventory.Routes;
import org.paceline.control.scheme.Decision;
import org.paceline.control.scheme.LeastShares;
import org.paceline.control.scheme.Scheme;
import org.paceline.control.scheme.Seats;
import org.paceline.control.scheme.Snapshot;
import org.paceline.control.scheme.WorstCaseGrant;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Gives each conversation the greatest rate of its intent and nothing else, for as many as fit.
 *
 * <p>Who comes first is seated first: by priority, among equals those that are served already, then
 * in the order of asking. Each takes the quickest way that has room for all of its rate, or stays
 * on the one that it has. Whoever finds no room is held to a trickle out of a small part of the
 * scheme's room, which is kept for this as soon as somebody is not admitted, so that queues stay
 * empty. O(n (V + E) log V) for n conversations.
 */
public final class FixedRateScheme implements Scheme {
  /** Of the scheme's room on a link, the part that the trickles share. */
  private static final int TRICKLE_THOUSANDTHS = 20;

  private static final int THOUSAND = 1_000;

  @Override
  public SchemeName name() {
    return SchemeName.FIXED_RATE;
  }

  @Override
  public Optional<Decision> decide(Snapshot snapshot) {
    long begin = System.nanoTime();
    List<Application> ordered = ordered(snapshot);
    Seats seats = seated(ordered, snapshot, snapshot.routes());
    Map<String, Grant> trickles = Map.of();
    if (!seats.crowdedOut().isEmpty()) {
      Routes kept = scaled(snapshot.routes(), THOUSAND - TRICKLE_THOUSANDTHS);
      seats = seated(ordered, snapshot, kept);
      trickles =
          LeastShares.of(
              seats.crowdedOut(),
              snapshot.routes(),
              scaled(snapshot.routes(), TRICKLE_THOUSANDTHS).network());
    }
    return Optional.of(
        Decision.settled("fixed rate", snapshot, begin)
            .directing(name(), grants(ordered, seats, snapshot), trickles)
            .unserved(seats.unserved())
            .remarks(remarks(seats))
            .build());
  }

  /** More time finds nothing better. */
  @Override
  public boolean isWorthTheChange(Decision inForce, Decision fresh) {
    return false;
  }

  private static Seats seated(List<Application> ordered, Snapshot snapshot, Routes room) {
    Map<String, Grant> before = snapshot.before().map(Decision::grants).orElse(Map.of());
    Seats seats = new Seats(room, snapshot.routes());
    for (Application application : ordered) {
      seats.seat(
          application,
          rate(application),
          Optional.ofNullable(before.get(application.id())).map(Grant::path));
    }
    return seats;
  }

  private static Map<String, Grant> grants(
      List<Application> applications, Seats seats, Snapshot snapshot) {
    Map<String, Grant> grants = new TreeMap<>();
    for (Application application : applications) {
      Optional.ofNullable(seats.paths().get(application.id()))
          .ifPresent(
              path ->
                  grants.put(
                      application.id(),
                      WorstCaseGrant.of(
                          application, rate(application), path, snapshot.routes().network())));
    }
    return grants;
  }

  /** The one rate of an application of this scheme. */
  private static DataRate rate(Application application) {
    UtilityFunction function = application.utilityFunction();
    return function.throughput(function.throughputBins() - 1);
  }

  private static List<Application> ordered(Snapshot snapshot) {
    Set<String> incumbents = snapshot.incumbents();
    Map<String, DataRate> inForce = snapshot.inForce();
    List<Application> ordered = new ArrayList<>(snapshot.applications());
    // Sorting keeps the order of asking among equals.
    ordered.sort(
        Comparator.comparing(Application::priority, Comparator.reverseOrder())
            .thenComparing(a -> !incumbents.contains(a.id()) && !isHeld(a, inForce)));
    return ordered;
  }

  /** Whether its host holds the rate by a controller before this one; enforcers round down. */
  private static boolean isHeld(Application application, Map<String, DataRate> inForce) {
    return Optional.ofNullable(inForce.get(application.id()))
        .filter(held -> held.toKbpsFloor() == rate(application).toKbpsFloor())
        .isPresent();
  }

  private static Routes scaled(Routes routes, int thousandths) {
    return new Routes(PlannerSettings.scaled(routes.network(), thousandths));
  }

  private static List<String> remarks(Seats seats) {
    int out = seats.crowdedOut().size();
    return out == 0
        ? List.of()
        : List.of(
            out
                + " conversations are not admitted, for their fixed rates do not fit in what the"
                + " scheme may use.");
  }
}
