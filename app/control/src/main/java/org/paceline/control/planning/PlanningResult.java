package org.paceline.control.planning;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.paceline.control.inventory.Routes;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.NodeNames;
import org.paceline.control.scheme.utility.PlanAnswer;
import org.paceline.control.scheme.utility.PlanSolver;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;

/** What was asked of the solver, through which network, and what it said. */
public final class PlanningResult {
  final Demands demands;
  private final Routes routes;

  /** Who has no way any more, and keeps what it had. */
  final Map<ConversationId, Grant> disconnected;

  final PlanAnswer answer;
  private final PlanSolver solver;

  PlanningResult(
      Demands demands,
      Routes routes,
      Map<ConversationId, Grant> disconnected,
      PlanAnswer answer,
      PlanSolver solver) {
    this.demands = demands;
    this.routes = routes;
    this.disconnected = disconnected;
    this.answer = answer;
    this.solver = solver;
  }

  /** The ways through the network that the plan was made for. */
  public Routes routes() {
    return routes;
  }

  PlanningResult with(PlanAnswer better) {
    return new PlanningResult(demands, routes, disconnected, better, solver);
  }

  /** Whether a solver with more time may well find something clearly better. */
  public boolean isWorthMoreTime() {
    return answer.ranOutOfTime() || answer.methods.contains(PlanSolver.FOLLOWED);
  }

  /** Asks the same again with other applications; any thread may. */
  public WhatIfResult whatIf(UnaryOperator<Application> change, NodeNames names) {
    List<Application> changed =
        demands.applications.stream().map(change).collect(Collectors.toUnmodifiableList());
    // Routes of its own: they remember, and are not to be shared between threads.
    PlanAnswer after = solver.solve(changed, demands.incumbents, new Routes(routes.network()));
    return WhatIfResult.of(routes.network(), answer, after, names);
  }

  public PlanAssembly assemble(Set<ConversationId> alive, NodeNames names) {
    return PlanAssembly.of(this, alive, names);
  }
}
