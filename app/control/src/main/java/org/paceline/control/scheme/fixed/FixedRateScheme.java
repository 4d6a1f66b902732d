package org.paceline.control.scheme.fixed;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.paceline.control.inventory.Routes;
import org.paceline.control.scheme.Decision;
import org.paceline.control.scheme.LeastShares;
import org.paceline.control.scheme.Scheme;
import org.paceline.control.scheme.Snapshot;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

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
        Decision.builder()
            .directing(name(), seats.grants(), trickles)
            .unserved(seats.unserved())
            .prices(Map.of())
            .remarks(remarks(seats))
            .method("fixed rate")
            .gap(0)
            .elapsed(Duration.ofNanos(System.nanoTime() - begin))
            .quality(Decision.Quality.GOOD)
            .isStep(false)
            .applications(snapshot.applications())
            .network(snapshot.routes().network())
            .memory(new Nothing())
            .build());
  }

  /** More time finds nothing better. */
  @Override
  public boolean isWorthTheChange(Decision inForce, Decision fresh) {
    return false;
  }

  private static Seats seated(List<Application> ordered, Snapshot snapshot, Routes room) {
    Map<String, Grant> before = snapshot.before().map(Decision::grants).orElse(Map.of());
    Seats seats = new Seats(room);
    for (Application application : ordered) {
      seats.seat(
          application,
          Optional.ofNullable(before.get(application.id())).map(Grant::path),
          snapshot.routes());
    }
    return seats;
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
        .filter(held -> held.toKbpsFloor() == Seats.rate(application).toKbpsFloor())
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

  /** A decision follows from its snapshot alone. */
  private static final class Nothing implements Memory {}
}
