package org.paceline.control.scheme.reservation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.paceline.allocator.reservation.AdaptationRule;
import org.paceline.allocator.reservation.DemandEstimate;
import org.paceline.allocator.reservation.Loan;
import org.paceline.allocator.reservation.LoanLedger;
import org.paceline.allocator.reservation.ReservationDivision;
import org.paceline.allocator.reservation.ReservedFlow;
import org.paceline.control.inventory.Routes;
import org.paceline.control.scheme.Decision;
import org.paceline.control.scheme.Observations;
import org.paceline.control.scheme.ReservedRate;
import org.paceline.control.scheme.Scheme;
import org.paceline.control.scheme.Seats;
import org.paceline.control.scheme.Snapshot;
import org.paceline.control.scheme.Standings;
import org.paceline.control.scheme.WorstCaseGrant;
import org.paceline.control.settings.AdaptiveSettings;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/**
 * Gives each conversation its reservation when it asks for it, and to others by priority what it
 * leaves. Boley et al. 2017 (AQoS), by {@link ReservationDivision}.
 *
 * <p>A reservation is admitted if all of it fits beside the others on a way through what the scheme
 * may promise: first what was reserved by name and time, then who is here already, then by
 * priority, then in the order of asking. Who is not admitted, and who reserves nothing, is best
 * effort. O(n (V + E) log V) for n conversations, and the division.
 */
public final class AdaptiveReservationScheme implements Scheme {
  private static final int RESERVABLE = 1_000 - ReservationDivision.BEST_EFFORT_THOUSANDTHS;

  private final AdaptationRule rule;

  public AdaptiveReservationScheme(AdaptiveSettings settings) {
    this.rule = settings.rule();
  }

  @Override
  public SchemeName name() {
    return SchemeName.ADAPTIVE_RESERVATIONS;
  }

  /**
   * Who gets what.
   *
   * @throws IllegalStateException if nobody says what a conversation reserves: a bug of who asks
   */
  @Override
  public Optional<Decision> decide(Snapshot snapshot) {
    long begin = System.nanoTime();
    Lending before =
        snapshot.before().map(AdaptiveReservationScheme::memory).orElse(Lending.NOTHING);
    Seats seats = seated(snapshot);
    Map<String, Path> ways = ways(seats, snapshot.routes());
    Map<String, DemandEstimate> demands = new HashMap<>();
    List<ReservedFlow> flows = new ArrayList<>();
    for (Application application : snapshot.applications()) {
      String id = application.id();
      ReservedRate reserved = reserved(application, snapshot);
      DemandEstimate was =
          before
              .demand(id)
              .map(known -> known.reserving(reserved.rate()))
              .orElseGet(() -> DemandEstimate.initial(reserved.rate()));
      DemandEstimate demand = seen(was, id, snapshot.observations(), before);
      demands.put(id, demand);
      Optional.ofNullable(ways.get(id))
          .ifPresent(
              way ->
                  flows.add(
                      seats.paths().containsKey(id)
                          ? flow(application, way, reserved, demand)
                          : bestEffort(application, way, reserved)));
    }
    Map<LinkId, Long> limits = limits(snapshot.routes());
    Map<String, DataRate> rates =
        ReservationDivision.of(limits(snapshot.promisable()), limits, flows);
    List<Loan> loans = LoanLedger.after(before.loans(), limits, flows, rates);
    return Optional.of(
        Decision.settled("adaptive reservations", snapshot, begin)
            .directing(
                name(),
                grants(snapshot, seats.paths().keySet(), ways, rates),
                grants(snapshot, idsOf(seats.crowdedOut()), ways, rates))
            .unserved(seats.unserved())
            .remarks(remarks(seats))
            .loans(loans)
            .standings(Standings.ofReservations(admitted(demands, seats)))
            .memory(new Lending(snapshot.observations().period(), demands, loans))
            .build());
  }

  private static Map<LinkId, Long> limits(Routes routes) {
    return routes.network().links().stream()
        .collect(Collectors.toUnmodifiableMap(Link::id, Link::limitMillibits));
  }

  /** More time finds nothing better. */
  @Override
  public boolean isWorthTheChange(Decision inForce, Decision fresh) {
    return false;
  }

  /** Whether anybody is taken to want something else. */
  @Override
  public boolean isMovedBy(Observations now, Decision inForce) {
    Lending before = memory(inForce);
    return before.demands().entrySet().stream()
        .anyMatch(one -> !seen(one.getValue(), one.getKey(), now, before).equals(one.getValue()));
  }

  private static Lending memory(Decision decision) {
    return decision.memory() instanceof Lending ? (Lending) decision.memory() : Lending.NOTHING;
  }

  /** Each period counts once, however many plans are made within it. */
  private DemandEstimate seen(DemandEstimate was, String id, Observations now, Lending before) {
    return now.period() == before.period()
        ? was
        : Optional.ofNullable(now.seen().get(id)).map(seen -> was.after(seen, rule)).orElse(was);
  }

  private static Seats seated(Snapshot snapshot) {
    Map<String, Grant> before = new HashMap<>();
    snapshot
        .before()
        .ifPresent(
            decision -> {
              before.putAll(decision.restrained());
              before.putAll(decision.grants());
            });
    Routes reservable =
        new Routes(PlannerSettings.scaled(snapshot.promisable().network(), RESERVABLE));
    Seats seats = new Seats(reservable, snapshot.routes());
    for (Application application : ordered(snapshot)) {
      seats.seat(
          application,
          reserved(application, snapshot).rate(),
          Optional.ofNullable(before.get(application.id())).map(Grant::path));
    }
    return seats;
  }

  private static List<Application> ordered(Snapshot snapshot) {
    Set<String> incumbents = snapshot.incumbents();
    List<Application> ordered = new ArrayList<>(snapshot.applications());
    // Sorting keeps the order of asking among equals.
    ordered.sort(
        Comparator.comparing((Application a) -> !reserved(a, snapshot).isPromised())
            .thenComparing(
                a -> !incumbents.contains(a.id()) && !snapshot.inForce().containsKey(a.id()))
            .thenComparing(Application::priority, Comparator.reverseOrder()));
    return ordered;
  }

  private static ReservedRate reserved(Application application, Snapshot snapshot) {
    return Optional.ofNullable(snapshot.reservations().get(application.id()))
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "The conversation ("
                        + application.id()
                        + ") is ruled by reservations, and what it reserves is not said."));
  }

  /** Of all who have one: who is not admitted goes the shortest. */
  private static Map<String, Path> ways(Seats seats, Routes routes) {
    Map<String, Path> ways = new HashMap<>(seats.paths());
    for (Application application : seats.crowdedOut()) {
      routes
          .shortest(application.from(), application.to())
          .ifPresent(way -> ways.put(application.id(), way));
    }
    return ways;
  }

  private static ReservedFlow flow(
      Application application, Path way, ReservedRate reserved, DemandEstimate demand) {
    return ReservedFlow.of(
        application.id(),
        way.hops(),
        application.priority(),
        reserved.firm(),
        reserved.most(),
        demand);
  }

  private static ReservedFlow bestEffort(Application application, Path way, ReservedRate reserved) {
    return ReservedFlow.of(
        application.id(),
        way.hops(),
        application.priority(),
        DataRate.ZERO,
        reserved.most(),
        DemandEstimate.initial(DataRate.ZERO));
  }

  /** Of those whose reservation is kept, as far as they have one. */
  private static Map<String, DemandEstimate> admitted(
      Map<String, DemandEstimate> demands, Seats seats) {
    return demands.entrySet().stream()
        .filter(one -> seats.paths().containsKey(one.getKey()))
        .filter(one -> !one.getValue().reserved().equals(DataRate.ZERO))
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static Set<String> idsOf(List<Application> applications) {
    return applications.stream().map(Application::id).collect(Collectors.toUnmodifiableSet());
  }

  private static Map<String, Grant> grants(
      Snapshot snapshot, Set<String> ids, Map<String, Path> ways, Map<String, DataRate> rates) {
    Map<String, Grant> grants = new TreeMap<>();
    for (Application application : snapshot.applications()) {
      if (ids.contains(application.id())) {
        grants.put(
            application.id(),
            WorstCaseGrant.of(
                application,
                Objects.requireNonNull(rates.get(application.id())),
                Objects.requireNonNull(ways.get(application.id())),
                snapshot.routes().network()));
      }
    }
    return grants;
  }

  private static List<String> remarks(Seats seats) {
    int out = seats.crowdedOut().size();
    return out == 0
        ? List.of()
        : List.of(
            out
                + " conversations are best effort, for what they reserve does not fit in what the"
                + " scheme may promise.");
  }
}
