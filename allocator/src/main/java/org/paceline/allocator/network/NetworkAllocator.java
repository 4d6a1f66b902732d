package org.paceline.allocator.network;

import java.util.Optional;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.BestCells;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.network.cells.SharedCells;
import org.paceline.allocator.network.core.CoreSolver;
import org.paceline.allocator.network.load.LoadCaps;
import org.paceline.allocator.network.load.LoadDelays;
import org.paceline.allocator.network.packing.Packing;
import org.paceline.allocator.network.prices.PriceSearch;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.Utility;

/**
 * Solves problems with many bottlenecks and unsplittable paths: theta by bisection ({@link
 * LevelSearch}), then the sum by link prices and the paths that they ask for ({@link PriceSearch}),
 * and an allocation that fits beside them ({@link Packing}); what the prices leave open goes to a
 * {@link CoreSolver} where there is one and the problem is small.
 *
 * <p>Where types share cells, {@link SharedCells} does both steps with the core solver. Where
 * delays depend on load, {@link LoadDelays} does.
 *
 * <p>The problem is NP-hard; the certificate says how far from the optimum the solution can be. Its
 * bound holds over all loop-free paths, not only over candidates.
 */
public final class NetworkAllocator implements Allocator {
  private final Optional<CoreSolver> core;

  public NetworkAllocator(Optional<CoreSolver> core) {
    this.core = core;
  }

  @Override
  public Outcome solve(Problem problem, SolveOptions options) {
    Outcome outcome =
        LoadCaps.applies(problem.network())
            ? new LoadDelays(problem, options, this::attempt).outcome()
            : attempt(problem, options);
    return BestCells.bounding(problem, outcome);
  }

  /** What is granted may show that a level which stayed open, for want of time, can be had. */
  private static Solution withReached(Solution solution) {
    Utility reached = solution.minimumUtility();
    return reached.compareTo(solution.theta1()) > 0
        ? Solution.of(reached, solution.grants(), solution.certificate())
        : solution;
  }

  /** With the delays of full links. */
  private Outcome attempt(Problem problem, SolveOptions options) {
    Optional<Infeasible> refusal = refusal(problem);
    if (refusal.isPresent()) {
      return Outcome.infeasible(refusal.get());
    }
    Outcome outcome =
        core.isPresent() && problem.sharing() == Sharing.SAME_UTILITY_PER_TYPE
            ? new SharedCells(problem, options, core.get()).outcome()
            : new NetworkAttempt(problem, options, core).outcome();
    return outcome
        .solution()
        .map(solution -> Outcome.solved(withReached(solution)))
        .orElse(outcome);
  }

  /** What this method does not know is refused: an answer to another question would mislead. */
  private Optional<Infeasible> refusal(Problem problem) {
    String first =
        problem.applications().stream().map(Application::id).min(String::compareTo).orElse("");
    if (core.isEmpty() && problem.sharing() == Sharing.SAME_UTILITY_PER_TYPE) {
      return Optional.of(
          Infeasible.of(
              Infeasible.Reason.UNDECIDED,
              first,
              Optional.empty(),
              "The network method does not grant all of a type the same. Maybe use the milp method,"
                  + " or let applications of a type differ."));
    }
    return Optional.empty();
  }
}
