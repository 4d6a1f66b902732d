package org.paceline.allocator.network.load;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.LongStream;
import org.paceline.allocator.Deadline;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.network.boxes.LoadBoxes;
import org.paceline.allocator.network.groups.Demands;
import org.paceline.allocator.network.groups.Ways;
import org.paceline.allocator.network.levels.Reachability;
import org.paceline.allocator.path.Topology;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;

/**
 * Networks whose delays depend on load. Where all paths can be listed {@link LoadBoxes} comes
 * first, which can prove its solution; {@link LoadCaps} has what time is left if it does not, or
 * where levels are to be filled. The better solution is taken with the tighter bounds, for each
 * holds for all allocations at its floor, and the better solution's floor is no lower.
 */
public final class LoadDelays {
  private static final double FOR_BOXES = 0.6;

  private final Problem problem;
  private final SolveOptions options;
  private final BiFunction<Problem, SolveOptions, Outcome> solver;
  private final long end;

  /**
   * @param solver for constant delays, or for those of full links
   */
  public LoadDelays(
      Problem problem, SolveOptions options, BiFunction<Problem, SolveOptions, Outcome> solver) {
    this.problem = problem;
    this.options = options;
    this.solver = solver;
    this.end = System.nanoTime() + options.timeLimit().toNanos();
  }

  public Outcome outcome() {
    Topology idle = Topology.whenIdle(problem.network());
    Demands demands = Demands.of(problem.applications());
    Optional<Infeasible> obstacle =
        new Reachability(problem, demands, Ways.of(idle, demands, 1, 0, new Deadline(end)), idle)
            .obstacle();
    if (obstacle.isPresent()) {
      return Outcome.infeasible(obstacle.get());
    }
    Optional<Outcome> boxes = LoadBoxes.of(problem, within(FOR_BOXES)).map(LoadBoxes::outcome);
    if (boxes.isPresent() && isFinal(boxes.get())) {
      return boxes.get();
    }
    Outcome caps = new LoadCaps(problem, within(1), solver).outcome();
    return boxes.map(other -> better(other, caps)).orElse(caps);
  }

  private SolveOptions within(double share) {
    long left = (long) ((end - System.nanoTime()) * share);
    return options.toBuilder().timeLimit(Duration.ofNanos(Math.max(1_000_000, left))).build();
  }

  /** Whether nothing better can be found, or nothing at all. */
  private boolean isFinal(Outcome boxes) {
    return boxes.fold(
        solution ->
            !options.lexicographic()
                && solution.theta1().equals(solution.certificate().thetaBound())
                && solution.gap() <= options.targetGap(),
        why -> why.reason() != Infeasible.Reason.UNDECIDED);
  }

  private Outcome better(Outcome boxes, Outcome caps) {
    if (boxes.solution().isEmpty() || caps.solution().isEmpty()) {
      return boxes.solution().isPresent() ? boxes : caps;
    }
    Solution a = boxes.orElseThrow();
    Solution b = caps.orElseThrow();
    if (options.lexicographic()) {
      return Arrays.compare(utilities(a), utilities(b)) > 0 ? boxes : caps;
    }
    boolean first = isBetter(a, b);
    Certificate certificate = tighter((first ? a : b).certificate(), (first ? b : a).certificate());
    Solution best = first ? a : b;
    return Outcome.solved(Solution.of(best.theta1(), best.grants(), certificate));
  }

  static boolean isBetter(Solution a, Solution b) {
    int byTheta = a.theta1().compareTo(b.theta1());
    return byTheta > 0 || (byTheta == 0 && a.sumBillionths() > b.sumBillionths());
  }

  static long[] utilities(Solution solution) {
    return solution.grants().stream()
        .flatMapToLong(g -> LongStream.generate(g.utility()::billionths).limit(g.count()))
        .sorted()
        .toArray();
  }

  private static Certificate tighter(Certificate one, Certificate other) {
    boolean theta = other.thetaBound().compareTo(one.thetaBound()) < 0;
    boolean sum = other.sumBound() < one.sumBound();
    Certificate forTheta = theta ? other : one;
    Certificate forSum = sum ? other : one;
    return forTheta.withLevels(List.of()).withSumOf(forSum);
  }
}
