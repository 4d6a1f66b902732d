package org.paceline.allocator;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.LongStream;
import org.paceline.allocator.exact.OneBottleneck;
import org.paceline.intents.network.Network;
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
  private static final int FEW = 500;

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
    Optional<Outcome> one = exact.attempt(problem, options);
    if (one.isEmpty()) {
      return general.solve(problem, options);
    }
    Outcome outcome = one.get();
    boolean few = problem.size() <= FEW && hasConstantDelays(problem.network());
    return options.lexicographic() && few && outcome.solution().isPresent()
        ? betterFilled(outcome, general.solve(problem, options))
        : outcome;
  }

  private static boolean hasConstantDelays(Network network) {
    return network.links().stream().allMatch(link -> link.delay().isConstant());
  }

  /** What the general method found, unless time ran out before it was as good. */
  private static Outcome betterFilled(Outcome greedy, Outcome searched) {
    return searched.solution().isPresent()
            && Arrays.compare(utilities(searched), utilities(greedy)) >= 0
        ? searched
        : greedy;
  }

  private static long[] utilities(Outcome outcome) {
    return outcome.orElseThrow().grants().stream()
        .flatMapToLong(g -> LongStream.generate(g.utility()::billionths).limit(g.count()))
        .sorted()
        .toArray();
  }
}
