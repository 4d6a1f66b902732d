package org.paceline.allocator.network.levels;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.paceline.allocator.Deadline;
import org.paceline.allocator.network.core.Core;
import org.paceline.allocator.network.core.CoreResult;
import org.paceline.allocator.network.core.CoreSolver;
import org.paceline.allocator.network.groups.Allocation;
import org.paceline.allocator.network.groups.Demands;
import org.paceline.allocator.network.groups.Offers;
import org.paceline.allocator.network.groups.Ways;
import org.paceline.allocator.network.packing.Packing;
import org.paceline.allocator.network.packing.Rounding;
import org.paceline.allocator.network.prices.Dealing;
import org.paceline.allocator.network.prices.PriceSearch;
import org.paceline.allocator.path.CheapestPaths;
import org.paceline.allocator.path.Topology;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * The greatest level of utility that everybody can have, by bisection over the levels that occur in
 * the tables: more for all never takes less room.
 *
 * <p>A level is reached if its copies can be packed; it is refuted by prices at which even the
 * cheapest ways of giving it cost more than all links earn (the bound of the problem in which each
 * is served or not falls below the number of applications). What neither decides goes to the core
 * search, where there is one and the problem is small, else it stays open between theta and its
 * bound.
 */
public final class LevelSearch {
  private static final double[][] QUICKLY = {{0.1, 1, 10, 100}};
  private static final double[][] PATIENTLY = {
    {0.1, 1, 10, 100}, {0.01, 0.1, 1, 10, 100}, {0.02, 0.05, 0.2, 0.5, 2, 5, 20}, {3, 3, 3, 3, 3, 3}
  };
  private static final double[] ACCURACY = {2e-3, 1e-5};

  /** Of many groups, levelling makes good what prices leave. */
  private static final double[] ACCURACY_OF_MANY = {2e-2, 2e-3};

  private static final double WARM = 0.02;
  private static final int ROUNDS = 3;
  private static final int PATIENT = 3_000;
  private static final int PLACEABLE = 20_000;
  private static final int SEARCHABLE = 400;

  private final Demands demands;
  private final Ways ways;
  private final Topology idle;
  private final boolean delaysAreConstant;
  private final Optional<CoreSolver> core;
  private final Deadline stop;
  private final Deadline late;
  private final Duration coreTime;
  private final NodeCuts cuts;
  private double[] prices;
  private boolean tried;
  private @Nullable Trial least;

  /** What became of the search. */
  public static final class Found {
    private final long theta;
    private final long bound;
    private final Allocation allocation;
    private final double[] refuting;

    Found(long theta, long bound, Allocation allocation, double[] refuting) {
      this.theta = theta;
      this.bound = bound;
      this.allocation = allocation;
      this.refuting = refuting;
    }

    public long theta() {
      return theta;
    }

    public long bound() {
      return bound;
    }

    public Allocation allocation() {
      return allocation;
    }

    /** The prices that refute what lies above the bound. */
    public double[] refuting() {
      return refuting;
    }
  }

  /** One level: an allocation, or prices that refute it, or neither. */
  public static final class Trial {
    private final @Nullable Allocation allocation;
    private final boolean refuted;
    private final double[] prices;

    Trial(@Nullable Allocation allocation, boolean refuted, double[] prices) {
      this.allocation = allocation;
      this.refuted = refuted;
      this.prices = prices;
    }

    public boolean isRefuted() {
      return refuted;
    }

    public double[] prices() {
      return prices;
    }
  }

  public LevelSearch(
      Demands demands,
      Ways ways,
      Topology idle,
      boolean delaysAreConstant,
      NodeCuts cuts,
      LevelEffort effort) {
    this.cuts = cuts;
    this.demands = demands;
    this.ways = ways;
    this.idle = idle;
    this.delaysAreConstant = delaysAreConstant;
    this.core = effort.core();
    this.coreTime = effort.coreTime();
    this.stop = effort.stop();
    this.late = effort.late();
    this.prices = new double[idle.links()];
  }

  /** Empty where not even the least level is reached; {@link #least} says why. */
  public Optional<Found> search(long top) {
    long[] levels = levels(top);
    Trial[] trials = new Trial[levels.length];
    int high = refutedByNodes(levels, trials);
    if (demands.areMany() && high > 1) {
      // What only nodes refute is often right: then nothing below need be tried.
      tried = true;
      Trial highest = tryLevel(levels[high - 1]);
      trials[high - 1] = highest;
      if (highest.allocation != null) {
        return Optional.of(found(levels, high - 1, high, highest.allocation, trials));
      }
      tried = false;
    }
    @Nullable Allocation best = least(levels[0]).allocation;
    if (best == null) {
      return Optional.empty();
    }
    int reached = 0;
    int open = high;
    // First what placing alone reaches, which is cheap with few; prices are for what lies above.
    while (demands.copies() <= PLACEABLE && open - reached > 1 && !stop.getAsBoolean()) {
      int middle = (open + reached) >>> 1;
      Optional<Allocation> placed = placeAll(levels[middle]);
      if (placed.isPresent()) {
        reached = middle;
        best = placed.get();
      } else {
        open = middle;
      }
    }
    int low = reached;
    // From what only nodes refute down, then by halves.
    for (int middle = high - 1;
        high - low > 1 && !stop.getAsBoolean();
        middle = (low + high) >>> 1) {
      Trial trial = trials[middle] == null ? tryLevel(levels[middle]) : trials[middle];
      trials[middle] = trial;
      if (trial.refuted) {
        high = middle;
      } else {
        low = middle;
        if (trial.allocation != null) {
          reached = middle;
          best = trial.allocation;
        }
      }
    }
    // What prices do not refute may still not be reached: down, with longer and longer strides.
    boolean byPlacing = demands.copies() > PLACEABLE;
    for (int stride = byPlacing ? 4 : 1; reached < low && !stop.getAsBoolean(); stride *= 2) {
      int middle = Math.max(reached + 1, low - stride);
      Optional<Allocation> lower =
          byPlacing
              ? placeAll(levels[middle])
              : Optional.ofNullable(tryLevel(levels[middle]).allocation);
      if (lower.isPresent()) {
        reached = middle;
        best = lower.get();
        break;
      }
      if (middle == reached + 1) {
        break;
      }
    }
    return Optional.of(found(levels, reached, high, best, trials));
  }

  private Trial least(long level) {
    Trial trial = tryLevel(level);
    least = trial;
    return trial;
  }

  /** What became of the least level of all. */
  public Trial least() {
    @Nullable Trial known = least;
    return known == null ? least(Utility.SCALE) : known;
  }

  private static Found found(
      long[] levels, int reached, int high, Allocation best, Trial[] trials) {
    double[] refuting = high < levels.length ? trials[high].prices : new double[0];
    return new Found(levels[reached], levels[high - 1], best, refuting);
  }

  /** The least level that single nodes refute; one more than the last where they refute none. */
  private int refutedByNodes(long[] levels, Trial[] trials) {
    int high = levels.length;
    for (int low = 0; high - low > 1; ) {
      int middle = (low + high) >>> 1;
      Optional<double[]> cut = cuts.refute(levels[middle]);
      if (cut.isPresent()) {
        high = middle;
        trials[middle] = new Trial(null, true, cut.get());
      } else {
        low = middle;
      }
    }
    return high;
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

  private Optional<Allocation> placeAll(long level) {
    long[] floors = new long[demands.groups()];
    Arrays.fill(floors, level);
    Offers exactly = Offers.exactly(demands, ways, floors);
    for (int g = 0; g < demands.groups(); g++) {
      if (!exactly.hasWay(g)) {
        return Optional.empty();
      }
    }
    return place(exactly, prices, stop);
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
        boolean refuted = ways.complete() && delaysAreConstant || idleIsTooSlow(floors, g);
        return new Trial(null, refuted, new double[0]);
      }
    }
    if (!tried || demands.areMany()) {
      Allocation fastest = Dealing.onFastest(exactly);
      if (fastest.fits()) {
        tried = true;
        return new Trial(fastest, false, prices);
      }
    }
    if (!tried && demands.copies() <= PLACEABLE) {
      Optional<Allocation> quick = place(exactly, prices, late);
      if (quick.isPresent()) {
        return new Trial(quick.get(), false, prices);
      }
    }
    Offers served = Offers.served(demands, ways, floors);
    double all = demands.copies() * (1 - 1e-11);
    // The first trial decides whether there is an answer at all.
    boolean isFirst = !tried;
    Deadline end = isFirst ? late : stop;
    tried = true;
    PriceSearch search = new PriceSearch(served, idle, end);
    search.from(prices, WARM);
    if (search.sketch(all).bound() < all) {
      prices = search.prices();
      return new Trial(null, true, prices);
    }
    for (double accuracy : demands.areMany() ? ACCURACY_OF_MANY : ACCURACY) {
      search.run(accuracy, all);
      prices = search.prices();
      if (search.bound() < all) {
        return new Trial(null, true, prices);
      }
      exactly.refresh();
      Allocation allocation = search.allocation(end).among(exactly);
      if (new Packing(allocation, new double[idle.links()]).run(ROUNDS, ROUNDS, 0, end)) {
        return new Trial(allocation, false, prices);
      }
    }
    return core.isPresent() && demands.copies() <= SEARCHABLE
        ? searched(exactly, core.get())
        : new Trial(null, false, new double[0]);
  }

  private boolean idleIsTooSlow(long[] floors, int group) {
    Offers served = Offers.served(demands, ways, floors);
    int source = idle.node(demands.pair(demands.group(group).pair()).from());
    int destination = idle.node(demands.pair(demands.group(group).pair()).to());
    return served.worth(
            group,
            new CheapestPaths(idle)
                .from(
                    source,
                    new double[idle.links()],
                    demands.mostDelay(demands.group(group).pair()))
                .get(destination))
        <= 0;
  }

  private Optional<Allocation> place(Offers exactly, double[] at, Deadline end) {
    for (double[] firmness : demands.copies() <= PATIENT ? PATIENTLY : QUICKLY) {
      Allocation allocation = Dealing.bulk(exactly, at, 0.01, 0.1);
      double close = demands.copies() > PLACEABLE ? 0.01 : 0.1;
      if (new Rounding(allocation, at).settleIfClose(firmness, close, end)) {
        return Optional.of(allocation);
      }
    }
    return Optional.empty();
  }

  private Trial searched(Offers exactly, CoreSolver solver) {
    Core built = Core.of(exactly);
    CoreResult result = solver.solve(built.problem(), coreTime);
    if (result.hasChoice()) {
      return new Trial(built.allocation(result), false, new double[0]);
    }
    // The ways are those that stay fast enough when full; an emptier network may have others.
    boolean exhaustive =
        ways.complete() && delaysAreConstant && result.status() == CoreResult.Status.NONE_BETTER;
    return new Trial(null, exhaustive, new double[0]);
  }
}
