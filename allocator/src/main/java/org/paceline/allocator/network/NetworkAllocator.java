package org.paceline.allocator.network;

import java.util.Optional;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;

/**
 * Solves problems with many bottlenecks and unsplittable paths: theta by bisection ({@link
 * LevelSearch}), then the sum by link prices ({@link DualPrices}), columns ({@link PathBound}),
 * {@link Rounding} and {@link NeighbourhoodSearch}; what the prices leave open goes to a {@link
 * CoreSolver} where there is one and the problem is small.
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
    return new NetworkAttempt(problem, options, core).outcome();
  }
}
