package org.paceline.allocator.network;

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
  CoreResult solve(CoreProblem problem, Duration timeLimit);
}
