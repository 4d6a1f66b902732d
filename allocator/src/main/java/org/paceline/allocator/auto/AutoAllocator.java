package org.paceline.allocator.auto;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.BestCells;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.exact.OneBottleneck;
import org.paceline.allocator.network.load.LoadCaps;
import org.paceline.allocator.network.load.LoadDelays;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;

/**
 * Picks the method by the problem: {@link OneBottleneck}, exact within microseconds, where one link
 * decides everything; else the general one. Applications that never meet on a link are problems of
 * their own ({@link Parts}), so that each direction of a line, say, is one exact small problem.
 * What the general one leaves undecided where types share cells is searched in boxes.
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
      return inParts(problem, options);
    }
    Outcome outcome = one.get();
    return options.lexicographic() && isSearchable(problem) && outcome.solution().isPresent()
        ? betterFilled(outcome, general.solve(problem, options))
        : outcome;
  }

  /** Levels are those of all together: to fill them is not left to parts. */
  private Outcome inParts(Problem problem, SolveOptions options) {
    List<Problem> parts = options.lexicographic() ? List.of(problem) : Parts.of(problem);
    return parts.size() == 1
        ? general(problem, options)
        : new Partwise(this::part, problem, parts, options).outcome();
  }

  private Outcome part(Problem part, SolveOptions options) {
    return exact.attempt(part, options).orElseGet(() -> general(part, options));
  }

  /**
   * Where types share cells the network method needs a core solver. Boxes need none, and are
   * searched in the time that is left.
   */
  private Outcome general(Problem problem, SolveOptions options) {
    long start = System.nanoTime();
    Outcome outcome = general.solve(problem, options);
    boolean isUndecided =
        outcome.infeasible().filter(why -> why.reason() == Infeasible.Reason.UNDECIDED).isPresent();
    if (!isUndecided || problem.sharing() == Sharing.FREE || LoadCaps.applies(problem.network())) {
      return outcome;
    }
    Duration left = options.timeLimit().minusNanos(System.nanoTime() - start);
    SolveOptions within =
        options.toBuilder().timeLimit(left.isNegative() ? Duration.ZERO : left).build();
    Outcome searched = new LoadDelays(problem, within, (again, limited) -> outcome).outcome();
    return BestCells.bounding(problem, searched);
  }

  /** Where a type shares a cell and delay depends on load, each of many caps is a long search. */
  private static boolean isSearchable(Problem problem) {
    boolean steady = problem.network().links().stream().allMatch(l -> l.delay().isConstant());
    return problem.size() <= FEW && (steady || problem.sharing() == Sharing.FREE);
  }

  /** The better filled; of equals the one that proves anything about its levels. */
  private static Outcome betterFilled(Outcome greedy, Outcome searched) {
    if (searched.solution().isEmpty()) {
      return greedy;
    }
    int better = Arrays.compare(utilities(searched), utilities(greedy));
    boolean proves =
        searched.orElseThrow().certificate().levels().stream()
            .anyMatch(level -> level.fewest() > 0);
    return better > 0 || (better == 0 && proves) ? searched : greedy;
  }

  private static long[] utilities(Outcome outcome) {
    return outcome.orElseThrow().grants().stream()
        .flatMapToLong(g -> LongStream.generate(g.utility()::billionths).limit(g.count()))
        .sorted()
        .toArray();
  }
}
