package org.paceline.allocator.network.cells;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.paceline.allocator.Deadline;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.network.core.CoreProblem;
import org.paceline.allocator.network.core.CoreResult;
import org.paceline.allocator.network.core.CoreSolver;
import org.paceline.allocator.network.filling.Filling;
import org.paceline.allocator.network.groups.Demands;
import org.paceline.allocator.network.groups.Ways;
import org.paceline.allocator.network.levels.LevelEffort;
import org.paceline.allocator.network.levels.LevelSearch;
import org.paceline.allocator.network.levels.Reachability;
import org.paceline.allocator.path.Topology;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.Utility;

/**
 * Networks in which all applications of a function share one cell, the paper's sameUtilityPerType:
 * a {@link CoreSolver} is needed, and small networks are solved to the proven optimum.
 *
 * <p>Theta by bisection over the levels, each one search; then the sum by branch and bound over the
 * cells ({@link CellTree}), or level by level ({@link Filling}).
 */
public final class SharedCells {
  private static final int ALL_PATHS = 130;

  private final Problem problem;
  private final SolveOptions options;
  private final CoreSolver core;
  private final long deadline;
  private final Topology full;
  private final Topology idle;
  private final Demands demands;
  private final Ways ways;
  private final boolean whole;

  public SharedCells(Problem problem, SolveOptions options, CoreSolver core) {
    this.problem = problem;
    this.options = options;
    this.core = core;
    this.deadline = System.nanoTime() + options.timeLimit().toNanos();
    this.full = Topology.whenFull(problem.network());
    this.idle = Topology.whenIdle(problem.network());
    this.demands = Demands.of(problem.applications());
    this.ways = Ways.of(full, demands, options.paths(), ALL_PATHS, () -> false);
    this.whole = ways.complete() && full.sameDelays(idle);
  }

  public Outcome outcome() {
    Reachability reach = new Reachability(problem, demands, ways, idle);
    if (reach.obstacle().isPresent()) {
      return Outcome.infeasible(reach.obstacle().get());
    }
    long[] levels = SharedColumns.levels(demands);
    int reached = -1;
    int refuted = levels.length;
    int open = levels.length;
    @Nullable CoreResult best = null;
    @Nullable SharedColumns bestColumns = null;
    while (open - reached > 1) {
      int middle = best == null && open == levels.length ? 0 : (open + reached) >>> 1;
      Optional<SharedColumns> columns = SharedColumns.from(demands, ways, levels[middle], false);
      CoreResult result =
          columns.isEmpty()
              ? CoreResult.noneBetter(CoreProblem.NOTHING)
              : core.solve(columns.get().problem(), timeLeft(0.3));
      if (result.hasChoice()) {
        reached = middle;
        best = result;
        bestColumns = columns.get();
      } else {
        open = middle;
        refuted = whole && result.status() == CoreResult.Status.NONE_BETTER ? middle : refuted;
      }
    }
    if (best == null || bestColumns == null) {
      return Outcome.infeasible(noRoom(reach, refuted == 0));
    }
    options.progress().accept("least utility " + levels[reached] / 1e9);
    Certificate theta = theta(levels, Math.max(refuted, reached + 1));
    return Outcome.solved(
        options.lexicographic()
            ? filled(levels[reached], theta, bestColumns, best)
            : sum(levels[reached], theta, bestColumns, best));
  }

  /** What is known of theta, and nothing yet of the sum. */
  private Certificate theta(long[] levels, int refuted) {
    return Certificate.of(
        Utility.ofBillionths(levels[refuted - 1]),
        5 * Utility.SCALE * problem.size(),
        Certificate.Proof.SOLVER,
        Map.of(),
        refuted < levels.length
            ? Optional.of(Utility.ofBillionths(levels[refuted]))
            : Optional.empty(),
        Map.of());
  }

  private SharedColumns columns(long floor) {
    return SharedColumns.from(demands, ways, floor, true).orElseThrow(AssertionError::new);
  }

  private Solution sum(long theta, Certificate known, SharedColumns first, CoreResult choice) {
    SharedColumns columns = columns(Math.max(Utility.SCALE, theta - problem.epsilonBillionths()));
    CoreProblem all = columns.problem();
    int[][] start = first.among(columns, choice::count);
    CellTree tree =
        new CellTree(all, core, start, sum(all, start), options.progress(), timeLeft(1)).run();
    List<Grant> grants = columns.grants(tree::count);
    if (!whole) {
      return Solution.of(Utility.ofBillionths(theta), grants, known);
    }
    Certificate.Proof proof =
        tree.bound() == tree.top()
            ? Certificate.Proof.PRICES
            : tree.isClosed() ? Certificate.Proof.EXHAUSTIVE : Certificate.Proof.SOLVER;
    return Solution.of(
        Utility.ofBillionths(theta),
        grants,
        known.withSum(tree.bound(), proof, full.byLink(tree.prices())));
  }

  private Solution filled(long theta, Certificate known, SharedColumns first, CoreResult choice) {
    SharedColumns columns = columns(theta);
    CoreProblem all = columns.problem();
    int[][] start = first.among(columns, choice::count);
    Filling filling = new Filling(all, start, core, full, whole, timeLeft(1)).run();
    return Solution.of(
        Utility.ofBillionths(theta),
        columns.grants((g, c) -> filling.counts()[g][c]),
        known.withLevels(filling.bounds()));
  }

  private static long sum(CoreProblem all, int[][] counts) {
    long sum = 0;
    for (int g = 0; g < counts.length; g++) {
      for (int c = 0; c < counts[g].length; c++) {
        sum += counts[g][c] * all.utility(g, c);
      }
    }
    return sum;
  }

  private Infeasible noRoom(Reachability reach, boolean proved) {
    LevelSearch free =
        new LevelSearch(
            demands,
            ways,
            idle,
            full.sameDelays(idle),
            reach.cuts(),
            LevelEffort.until(new Deadline(deadline)));
    LevelSearch.Trial trial = free.least();
    if (trial.isRefuted() || !proved) {
      return reach.noRoom(trial);
    }
    return Infeasible.of(
        Infeasible.Reason.NO_ROOM,
        problem.applications().get(0).id(),
        Optional.empty(),
        "No choice of one cell for each type leaves room for all. Maybe admit fewer by priority, or"
            + " let each application have its own cell.");
  }

  private Duration timeLeft(double share) {
    return Duration.ofNanos(Math.max(1_000_000, (long) ((deadline - System.nanoTime()) * share)));
  }
}
