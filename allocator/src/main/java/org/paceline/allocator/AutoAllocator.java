package org.paceline.allocator;

import org.paceline.allocator.exact.OneBottleneck;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;

/**
 * Picks the method by the problem: {@link OneBottleneck}, exact within microseconds, where one link
 * decides everything; else the general one.
 *
 * <p>Whether one link decides is known for sure only when its solution turns out to fit all other
 * links too, so the exact method is tried and not merely asked.
 */
public final class AutoAllocator implements Allocator {
  private final OneBottleneck exact = new OneBottleneck();
  private final Allocator general;

  /**
   * @param general for problems with several bottlenecks or paths
   */
  public AutoAllocator(Allocator general) {
    this.general = general;
  }

  @Override
  public Outcome solve(Problem problem, SolveOptions options) {
    return exact.attempt(problem, options).orElseGet(() -> general.solve(problem, options));
  }
}
