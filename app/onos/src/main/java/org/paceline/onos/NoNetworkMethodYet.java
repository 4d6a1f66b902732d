package org.paceline.onos;

import java.util.Optional;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;

/** Says that it does not decide, until the network method moves in. */
final class NoNetworkMethodYet implements Allocator {
  @Override
  public Outcome solve(Problem problem, SolveOptions options) {
    return Outcome.infeasible(
        Infeasible.of(
            Infeasible.Reason.UNDECIDED,
            problem.applications().get(0).id(),
            Optional.empty(),
            "Several links bind at once, which this version does not solve."));
  }
}
