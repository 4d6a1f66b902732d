package org.paceline.allocator;

import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;

/** Turns a problem into a solution. Holds no state; equal input gives equal output. */
public interface Allocator {
  Outcome solve(Problem problem, SolveOptions options);
}
