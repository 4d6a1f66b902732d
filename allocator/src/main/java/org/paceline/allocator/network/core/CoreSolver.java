package org.paceline.allocator.network.core;

import java.time.Duration;

/**
 * Closes by search what the prices leave open. The allocator needs none to be correct: without one
 * its bound stays where the prices put it.
 */
public interface CoreSolver {
  /**
   * Looks for a choice with a greater sum of utilities than {@link CoreProblem#known}, or for any
   * choice at all where nothing is known. Equal problems get equal answers unless time ran out.
   */
  default CoreResult solve(CoreProblem problem, Duration timeLimit) {
    return attempt(problem, timeLimit, Double.POSITIVE_INFINITY, 1);
  }

  /**
   * The same, but gives up after so much effort.
   *
   * @param effort about seconds, but counted in steps: equal problems end in equal states
   * @param seed of whatever is left to chance
   */
  CoreResult attempt(CoreProblem problem, Duration timeLimit, double effort, int seed);

  /**
   * The prices of links, then of quotas, at which the linear relaxation is optimal, from 0: utility
   * per unit of their limits. Whatever they are, the bound that they give is to be computed from
   * them.
   */
  double[] prices(CoreProblem problem, Duration timeLimit);
}
