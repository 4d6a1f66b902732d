package org.paceline.allocator.network;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.paceline.allocator.path.Topology;
import org.paceline.intents.utility.UtilityFunction;

/**
 * The greatest level of utility that everybody can have, by bisection over the levels that occur in
 * the tables: more for all never takes less room.
 *
 * <p>A level is reached if rounding finds places for all; it is refuted by prices at which even the
 * cheapest ways of giving it cost more than all links earn (the bound of the problem in which each
 * is served or not falls below the number of applications). What neither decides goes to the core
 * search, where there is one, else it stays open between theta and its bound.
 */
final class LevelSearch {
  private static final double[] FIRMNESS = {0.01, 0.1, 1, 10, 100};
  private static final int SEARCHABLE = 400;

  private final Demands demands;
  private final Ways ways;
  private final Topology idle;
  private final boolean delaysAreConstant;
  private final Optional<CoreSolver> core;
  private final BooleanSupplier stop;
  private final Duration coreTime;
  private double[] prices;

  /** What became of the search. */
  static final class Found {
    final long theta;
    final long bound;
    final Allocation allocation;
    final double[] refuting;

    Found(long theta, long bound, Allocation allocation, double[] refuting) {
      this.theta = theta;
      this.bound = bound;
      this.allocation = allocation;
      this.refuting = refuting;
    }
  }

  /** One level: an allocation, or prices that refute it, or neither. */
  static final class Trial {
    final @Nullable Allocation allocation;
    final boolean refuted;
    final double[] prices;

    Trial(@Nullable Allocation allocation, boolean refuted, double[] prices) {
      this.allocation = allocation;
      this.refuted = refuted;
      this.prices = prices;
    }
  }

  LevelSearch(
      Demands demands,
      Ways ways,
      Topology idle,
      boolean delaysAreConstant,
      Optional<CoreSolver> core,
      Duration coreTime,
      BooleanSupplier stop) {
    this.demands = demands;
    this.ways = ways;
    this.idle = idle;
    this.delaysAreConstant = delaysAreConstant;
    this.core = core;
    this.coreTime = coreTime;
    this.stop = stop;
    this.prices = new double[idle.links()];
  }

  /** Empty where not even the least level is reached; {@link #tryLevel} says why. */
  Optional<Found> search(long top) {
    long[] levels = levels(top);
    int reached = -1;
    int open = levels.length;
    @Nullable Allocation best = null;
    Trial[] trials = new Trial[levels.length];
    while (open - reached > 1) {
      // The least level first: it says whether there is anything to search.
      int middle = best == null && open == levels.length ? 0 : (open + reached) >>> 1;
      Trial trial = tryLevel(levels[middle]);
      trials[middle] = trial;
      if (trial.allocation != null) {
        reached = middle;
        best = trial.allocation;
      } else {
        open = middle;
      }
    }
    if (best == null) {
      return Optional.empty();
    }
    // Invariant: everything below low may be reached, high is refuted.
    int low = reached;
    int high = reached + 1;
    while (high < levels.length && (trials[high] == null || !trials[high].refuted)) {
      high++;
    }
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      Trial trial = trials[middle] == null ? tryLevel(levels[middle]) : trials[middle];
      trials[middle] = trial;
      if (trial.refuted) {
        high = middle;
      } else {
        low = middle;
      }
    }
    double[] refuting = high < levels.length ? trials[high].prices : new double[0];
    return Optional.of(new Found(levels[reached], levels[high - 1], best, refuting));
  }

  private long[] levels(long top) {
    TreeSet<Long> levels = new TreeSet<>();
    for (int f = 0; f < demands.functions(); f++) {
      UtilityFunction table = demands.function(f);
      for (int t = 0; t < table.throughputBins(); t++) {
        for (int d = 0; d < table.delayBins(); d++) {
          levels.add(table.utilityBillionths(t, d));
        }
      }
    }
    levels.add(top);
    return levels.headSet(top, true).stream().mapToLong(Long::longValue).toArray();
  }

  Trial tryLevel(long level) {
    long[] floors = new long[demands.groups()];
    Arrays.fill(floors, level);
    return tryLevels(floors);
  }

  /** A level for each group. */
  Trial tryLevels(long[] floors) {
    Offers exactly = Offers.exactly(demands, ways, floors);
    for (int g = 0; g < demands.groups(); g++) {
      if (!exactly.hasWay(g)) {
        return new Trial(null, idleIsTooSlow(floors, g), new double[0]);
      }
    }
    Optional<Allocation> quick = place(exactly, prices);
    if (quick.isPresent()) {
      return new Trial(quick.get(), false, prices);
    }
    Offers served = Offers.served(demands, ways, floors);
    PathBound bound = new PathBound(served, idle);
    DualPrices dual = new DualPrices(served, stop);
    double all = demands.copies() * (1 - 1e-11);
    double[] found = prices;
    for (double softness : new double[] {0.3, 0.1, 0.03, 0.01, 0.003}) {
      found = dual.minimise(found, softness, Math.min(0.5, softness * 2), 6);
      if (dual.exact(found) < all) {
        if (bound.value(found) < all) {
          prices = found;
          return new Trial(null, true, found);
        }
        if (bound.addPaths(found)) {
          served.refresh();
          exactly.refresh();
        }
      }
    }
    prices = found;
    Optional<Allocation> placed = place(exactly, found);
    if (placed.isPresent()) {
      return new Trial(placed.get(), false, found);
    }
    return core.isPresent() && demands.copies() <= SEARCHABLE
        ? searched(exactly, core.get())
        : new Trial(null, false, new double[0]);
  }

  private boolean idleIsTooSlow(long[] floors, int group) {
    Offers served = Offers.served(demands, ways, floors);
    int source = idle.node(demands.pair(demands.group(group).pair).from);
    int destination = idle.node(demands.pair(demands.group(group).pair).to);
    return served.worth(
            group,
            new org.paceline.allocator.path.CheapestPaths(idle)
                .from(
                    source, new double[idle.links()], demands.mostDelay(demands.group(group).pair))
                .get(destination))
        <= 0;
  }

  private Optional<Allocation> place(Offers exactly, double[] at) {
    Allocation allocation = Allocation.empty(exactly, at, 0.01, 0.1);
    return new Rounding(allocation, at).settle(FIRMNESS)
        ? Optional.of(allocation)
        : Optional.empty();
  }

  private Trial searched(Offers exactly, CoreSolver solver) {
    Core built = Core.of(exactly, new double[idle.links()], Double.POSITIVE_INFINITY);
    CoreResult result = solver.solve(built.problem(CoreProblem.NOTHING, Long.MAX_VALUE), coreTime);
    if (result.hasChoice()) {
      return new Trial(built.allocation(result), false, new double[0]);
    }
    // The ways are those that stay fast enough when full; an emptier network may have others.
    boolean exhaustive =
        ways.complete() && delaysAreConstant && result.status() == CoreResult.Status.NONE_BETTER;
    return new Trial(null, exhaustive, new double[0]);
  }
}
