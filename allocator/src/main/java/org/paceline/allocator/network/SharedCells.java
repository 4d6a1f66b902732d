package org.paceline.allocator.network;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.path.Topology;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Networks in which all applications of a function share one cell, the paper's sameUtilityPerType:
 * the whole problem is one core, so that a {@link CoreSolver} is needed and small networks are
 * solved to the proven optimum.
 *
 * <p>Theta by bisection over the levels, each one search; then the sum. A cell is left out where
 * another of its function needs no more rate, bears as much delay and is worth as much.
 */
final class SharedCells {
  private static final int ALL_PATHS = 130;
  private static final int MOST_COLUMNS = 200_000;

  private final Problem problem;
  private final SolveOptions options;
  private final CoreSolver core;
  private final long deadline;
  private final Topology full;
  private final Topology idle;
  private final Demands demands;
  private final Ways ways;
  private final boolean whole;
  private final List<List<int[]>> columns = new ArrayList<>();

  SharedCells(Problem problem, SolveOptions options, CoreSolver core) {
    this.problem = problem;
    this.options = options;
    this.core = core;
    this.deadline = System.nanoTime() + options.timeLimit().toNanos();
    this.full = Topology.whenFull(problem.network());
    this.idle = Topology.whenIdle(problem.network());
    this.demands = Demands.of(problem.applications());
    this.ways = Ways.of(full, demands, options.paths(), ALL_PATHS);
    this.whole = ways.complete() && full.sameDelays(idle);
  }

  Outcome outcome() {
    Reachability reach = new Reachability(problem, demands, ways, idle);
    if (reach.obstacle().isPresent()) {
      return Outcome.infeasible(reach.obstacle().get());
    }
    long[] levels = levels();
    int reached = -1;
    int refuted = levels.length;
    int open = levels.length;
    @Nullable CoreResult best = null;
    List<List<int[]>> bestColumns = List.of();
    while (open - reached > 1) {
      int middle = best == null && open == levels.length ? 0 : (open + reached) >>> 1;
      Optional<CoreProblem> trial = coreAt(levels[middle], CoreProblem.NOTHING, false);
      CoreResult result =
          trial.isEmpty()
              ? CoreResult.noneBetter(CoreProblem.NOTHING)
              : core.solve(trial.get(), timeLeft(0.3));
      if (result.hasChoice()) {
        reached = middle;
        best = result;
        bestColumns = new ArrayList<>(columns);
      } else {
        open = middle;
        refuted = whole && result.status() == CoreResult.Status.NONE_BETTER ? middle : refuted;
      }
    }
    if (best == null) {
      return Outcome.infeasible(noRoom(reach, refuted == 0));
    }
    options.progress().accept("least utility " + levels[reached] / 1e9);
    return Outcome.solved(sum(levels, reached, Math.max(refuted, reached + 1), best, bestColumns));
  }

  private Solution sum(
      long[] levels, int reached, int refuted, CoreResult first, List<List<int[]>> firstColumns) {
    long theta = levels[reached];
    long known = value(first, firstColumns);
    long floor = Math.max(Utility.SCALE, theta - problem.epsilonBillionths());
    CoreProblem problemAtFloor = coreAt(floor, known, true).orElseThrow(AssertionError::new);
    options.progress().accept("searching " + problemAtFloor);
    CoreResult second = core.solve(problemAtFloor, timeLeft(1));
    boolean better = second.hasChoice();
    List<Grant> grants = better ? grants(second, columns) : grants(first, firstColumns);
    long sum = grants.stream().mapToLong(g -> g.count() * g.utility().billionths()).sum();
    boolean closed =
        second.status() == CoreResult.Status.OPTIMAL
            || second.status() == CoreResult.Status.NONE_BETTER;
    long bound =
        whole && second.bound() < Long.MAX_VALUE
            ? Math.max(sum, second.bound())
            : 5 * Utility.SCALE * problem.size();
    Certificate certificate =
        Certificate.of(
            Utility.ofBillionths(levels[refuted - 1]),
            bound,
            whole && closed ? Certificate.Proof.EXHAUSTIVE : Certificate.Proof.SOLVER,
            Map.of(),
            refuted < levels.length
                ? Optional.of(Utility.ofBillionths(levels[refuted]))
                : Optional.empty(),
            Map.of());
    return Solution.of(Utility.ofBillionths(theta), grants, certificate);
  }

  private Infeasible noRoom(Reachability reach, boolean proved) {
    LevelSearch free =
        new LevelSearch(
            demands,
            ways,
            idle,
            full.sameDelays(idle),
            Optional.empty(),
            Duration.ZERO,
            reach.cuts(),
            () -> System.nanoTime() > deadline,
            () -> System.nanoTime() > deadline);
    LevelSearch.Trial trial = free.tryLevel(Utility.SCALE);
    if (trial.refuted || !proved) {
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

  private long[] levels() {
    TreeSet<Long> levels = new TreeSet<>();
    for (int f = 0; f < demands.functions(); f++) {
      for (int[] cell : cells(demands.function(f), Utility.SCALE, true)) {
        levels.add(demands.function(f).utilityBillionths(cell[0], cell[1]));
      }
    }
    return levels.stream().mapToLong(Long::longValue).toArray();
  }

  /**
   * The cells at or above the level that no other makes needless; where only the level counts, a
   * better one makes none needed.
   */
  private static List<int[]> cells(UtilityFunction function, long level, boolean worthCounts) {
    List<int[]> cells = new ArrayList<>();
    for (int t = 0; t < function.throughputBins(); t++) {
      for (int d = function.delayBins() - 1; d >= 0; d--) {
        long utility = function.utilityBillionths(t, d);
        int delay = d;
        boolean needless =
            cells.stream()
                .anyMatch(
                    c ->
                        c[1] >= delay
                            && (!worthCounts || function.utilityBillionths(c[0], c[1]) >= utility));
        if (utility >= level && !needless) {
          cells.add(new int[] {t, d});
        }
      }
    }
    return cells;
  }

  /** Empty where a group has no column at the level, or there are too many to search. */
  private Optional<CoreProblem> coreAt(long level, long known, boolean worthCounts) {
    long[] limits = new long[full.links()];
    for (int e = 0; e < limits.length; e++) {
      limits[e] = full.limit(e);
    }
    CoreProblem.Builder builder = CoreProblem.builder(limits).known(known);
    columns.clear();
    int size = 0;
    for (int g = 0; g < demands.groups(); g++) {
      Demands.Group group = demands.group(g);
      UtilityFunction function = demands.function(group.function);
      List<int[]> own = new ArrayList<>();
      builder.group(Math.toIntExact(group.count), group.function);
      for (int[] cell : cells(function, level, worthCounts)) {
        for (int way = 0; way < ways.count(group.pair); way++) {
          if (ways.delay(group.pair, way) <= function.delayNanos(cell[1])) {
            own.add(new int[] {way, cell[0], cell[1]});
            builder.column(
                ways.path(group.pair, way),
                function.rateMillibits(cell[0]),
                worthCounts ? function.utilityBillionths(cell[0], cell[1]) : 0,
                cell[0] * function.delayBins() + cell[1]);
          }
        }
      }
      size += own.size();
      if (own.isEmpty()) {
        return Optional.empty();
      }
      columns.add(own);
    }
    if (size > MOST_COLUMNS) {
      throw new IllegalArgumentException(
          "The network has "
              + size
              + " choices for types that share cells, too many to search. Maybe let each"
              + " application have its own cell.");
    }
    return Optional.of(builder.build());
  }

  private long value(CoreResult result, List<List<int[]>> of) {
    long sum = 0;
    for (int g = 0; g < of.size(); g++) {
      UtilityFunction function = demands.function(demands.group(g).function);
      for (int c = 0; c < of.get(g).size(); c++) {
        int[] column = of.get(g).get(c);
        sum += result.count(g, c) * function.utilityBillionths(column[1], column[2]);
      }
    }
    return sum;
  }

  /** Deals the columns out in the order of the applications' ids. */
  private List<Grant> grants(CoreResult result, List<List<int[]>> of) {
    List<Grant> grants = new ArrayList<>();
    for (int g = 0; g < demands.groups(); g++) {
      Demands.Group group = demands.group(g);
      UtilityFunction function = demands.function(group.function);
      int c = 0;
      int left = result.count(g, c);
      for (Application member : group.members) {
        int wanted = member.count();
        while (wanted > 0) {
          while (left == 0) {
            left = result.count(g, ++c);
          }
          int given = Math.min(wanted, left);
          int[] column = of.get(g).get(c);
          grants.add(
              Grant.of(
                  member.id(),
                  given,
                  function.throughput(column[1]),
                  function.delay(column[2]),
                  function.utility(column[1], column[2]),
                  full.path(ways.path(group.pair, column[0]))));
          wanted -= given;
          left -= given;
        }
      }
    }
    grants.sort(Comparator.comparing(Grant::applicationId));
    return grants;
  }
}
