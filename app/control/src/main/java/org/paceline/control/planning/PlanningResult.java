package org.paceline.control.planning;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.paceline.control.inventory.Routes;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.NodeNames;
import org.paceline.control.scheme.Decision;
import org.paceline.control.scheme.Scheme;
import org.paceline.control.scheme.Snapshot;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;

/** What was asked of the scheme, through which network, and what it decided. */
public final class PlanningResult {
  final Demands demands;
  private final Routes routes;

  /** Who has no way any more, and keeps what it had. */
  final Map<ConversationId, Grant> disconnected;

  final Decision decision;
  private final Scheme scheme;

  PlanningResult(
      Demands demands,
      Routes routes,
      Map<ConversationId, Grant> disconnected,
      Decision decision,
      Scheme scheme) {
    this.demands = demands;
    this.routes = routes;
    this.disconnected = disconnected;
    this.decision = decision;
    this.scheme = scheme;
  }

  /** The ways through the network that the plan was made for. */
  public Routes routes() {
    return routes;
  }

  PlanningResult with(Decision better) {
    return new PlanningResult(demands, routes, disconnected, better, scheme);
  }

  /** Whether a scheme with more time may well find something clearly better. */
  public boolean isWorthMoreTime() {
    return decision.quality() != Decision.Quality.GOOD;
  }

  /** Asks the same again with other applications; any thread may. */
  public WhatIfResult whatIf(UnaryOperator<Application> change, NodeNames names) {
    List<Application> changed =
        demands.applications.stream().map(change).collect(Collectors.toUnmodifiableList());
    // Routes of its own: they remember, and are not to be shared between threads.
    Routes own = new Routes(routes.network());
    Decision after =
        scheme
            .decide(Snapshot.builder(changed, demands.incumbents, own).build())
            .orElseThrow(() -> new AssertionError("A scheme waits that may not."));
    return WhatIfResult.of(decision, after, names);
  }

  public PlanAssembly assemble(Set<ConversationId> alive, NodeNames names) {
    return PlanAssembly.of(this, alive, names);
  }
}
