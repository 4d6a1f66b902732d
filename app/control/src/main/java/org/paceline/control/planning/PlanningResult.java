package org.paceline.control.planning;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.paceline.allocator.reservation.Loan;
import org.paceline.control.inventory.Routes;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.NodeNames;
import org.paceline.control.scheme.Arbiter;
import org.paceline.control.scheme.ClassMembership;
import org.paceline.control.scheme.Decision;
import org.paceline.control.scheme.Demand;
import org.paceline.control.scheme.ReservedRate;
import org.paceline.control.scheme.Snapshot;
import org.paceline.control.scheme.Standings;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.tree.SchemeName;

/** What was asked of the schemes, through which network, and what they decided. */
public final class PlanningResult {
  final Demands demands;
  private final Routes routes;

  /** Who has no way any more, and keeps what it had. */
  final DisconnectedConversations.Kept disconnected;

  final Decision decision;
  private final Arbiter arbiter;

  PlanningResult(
      Demands demands,
      Routes routes,
      DisconnectedConversations.Kept disconnected,
      Decision decision,
      Arbiter arbiter) {
    this.demands = demands;
    this.routes = routes;
    this.disconnected = disconnected;
    this.decision = decision;
    this.arbiter = arbiter;
  }

  /** The ways through the network that the plan was made for. */
  public Routes routes() {
    return routes;
  }

  /** What some have of what is reserved for others. */
  public List<Loan> loans() {
    return decision.loans();
  }

  /** What each is to its scheme. */
  public Standings standings() {
    return decision.standings();
  }

  PlanningResult with(Decision better) {
    return new PlanningResult(demands, routes, disconnected, better, arbiter);
  }

  /** Whether a scheme with more time may well find something clearly better. */
  public boolean isWorthMoreTime() {
    return decision.quality() != Decision.Quality.GOOD;
  }

  /** Asks the same again with other demands; any thread may. */
  public WhatIfResult whatIf(UnaryOperator<Demand> change, NodeNames names) {
    List<Application> changed = new ArrayList<>();
    Map<String, SchemeName> ruledBy = new HashMap<>();
    Map<String, ClassMembership> classes = new HashMap<>();
    Map<String, ReservedRate> reservations = new HashMap<>();
    for (Application application : demands.applications) {
      Demand demand = change.apply(demands.demand(application));
      changed.add(demand.application());
      ruledBy.put(application.id(), demand.scheme());
      demand.serviceClass().ifPresent(of -> classes.put(application.id(), of));
      demand.reservation().ifPresent(of -> reservations.put(application.id(), of));
    }
    // Routes of its own: they remember, and are not to be shared between threads.
    Routes own = new Routes(routes.network());
    Decision after =
        arbiter
            .decide(
                Snapshot.builder(changed, demands.incumbents, own)
                    // What utility grants is decided from nothing. The others go on from what they
                    // remember, as they would: who is taken to want what, and who has which seat.
                    .before(Optional.of(Arbiter.without(decision, SchemeName.UTILITY_FAIR)))
                    .classes(classes)
                    .throughput(demands.throughput)
                    .reservations(reservations)
                    .observations(demands.observations)
                    .ports(demands.ports)
                    .paths(demands.paths)
                    .build(),
                ruledBy)
            .orElseThrow(() -> new AssertionError("A scheme waits that may not."));
    return WhatIfResult.of(decision, after, names);
  }

  /**
   * What the utility-fair scheme had to solve, as one problem, though it may have solved parts
   * apart; empty where it ruled nobody.
   */
  public Optional<Problem> problem(PlannerSettings settings) {
    return Arbiter.partOf(decision, SchemeName.UTILITY_FAIR)
        .filter(part -> !part.applications().isEmpty())
        .map(
            part ->
                Problem.of(
                    "plan",
                    part.network(),
                    part.applications(),
                    settings.epsilonBillionths(),
                    settings.sharing()));
  }

  public PlanAssembly assemble(Set<ConversationId> alive, NodeNames names) {
    return PlanAssembly.of(this, alive, names);
  }
}
