package org.paceline.allocator.network;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.paceline.allocator.BestCells;
import org.paceline.allocator.Deadline;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.network.core.Closing;
import org.paceline.allocator.network.core.Core;
import org.paceline.allocator.network.core.CoreDual;
import org.paceline.allocator.network.core.CoreProblem;
import org.paceline.allocator.network.core.CoreSolver;
import org.paceline.allocator.network.filling.Filling;
import org.paceline.allocator.network.filling.WideFilling;
import org.paceline.allocator.network.groups.Allocation;
import org.paceline.allocator.network.groups.Demands;
import org.paceline.allocator.network.groups.Offers;
import org.paceline.allocator.network.groups.Ways;
import org.paceline.allocator.network.levels.LevelEffort;
import org.paceline.allocator.network.levels.LevelSearch;
import org.paceline.allocator.network.levels.Reachability;
import org.paceline.allocator.network.packing.Packing;
import org.paceline.allocator.network.packing.Rounding;
import org.paceline.allocator.network.prices.PriceSearch;
import org.paceline.allocator.path.Topology;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.LevelBound;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.Utility;

/** One problem on its way to an outcome. */
final class NetworkAttempt {
  private static final int ALL_PATHS = 130;
  private static final int SMALL_NETWORK = 10;

  /** Of all pairs together: of larger networks all or those to begin with. */
  private static final int MOST_PATHS = 5_000;

  private static final int SEARCHABLE = 500;
  private static final int MOST_COLUMNS = 60_000;
  private static final int MOST_ROUNDS = 1_000;
  private static final int FEW_ROUNDS = 4;
  private static final int MANY = 30_000;
  private static final int PATIENCE = 12;
  private static final double MOST_FOR_LOADS = 0.4;

  /** Of the time: what is missed then comes in by price. */
  private static final double MOST_FOR_WAYS = 0.1;

  private final Problem problem;
  private final SolveOptions options;
  private final Optional<CoreSolver> core;
  private final long start;
  private final long reading;
  private final Topology full;
  private final Topology idle;
  private final Demands demands;
  private final Ways ways;

  NetworkAttempt(Problem problem, SolveOptions options, Optional<CoreSolver> core) {
    this.problem = problem;
    this.options = options;
    this.core = core;
    this.start = System.nanoTime();
    this.full = Topology.whenFull(problem.network());
    this.idle = Topology.whenIdle(problem.network());
    this.demands = Demands.of(problem.applications());
    this.reading = System.nanoTime() - start;
    boolean isSmall = full.nodes() <= SMALL_NETWORK;
    this.ways =
        (isSmall || !isSearchable()
                ? Optional.<Ways>empty()
                : Ways.complete(full, demands, ALL_PATHS, MOST_PATHS))
            .orElseGet(
                () ->
                    Ways.of(
                        full,
                        demands,
                        options.paths(),
                        isSmall ? ALL_PATHS : 0,
                        by(MOST_FOR_WAYS)));
  }

  /** Whether a search may close what the prices leave open. */
  private boolean isSearchable() {
    return core.isPresent() && demands.copies() <= SEARCHABLE;
  }

  /**
   * When it is time for the grants, which look at everybody once more and so take about as long as
   * reading the problem did: on a slow machine that is slow, too.
   */
  private Deadline grantsAreDue() {
    long limit = options.timeLimit().toNanos();
    return new Deadline(start + Math.max(limit / 2, limit - Math.max(limit / 25, 3 * reading)));
  }

  /** Of many groups one level is often all that is tried, and takes that long in a cold machine. */
  private double levelsBy() {
    return demands.areMany() ? 0.5 : 0.3;
  }

  /** Many groups need more of the time to be packed. */
  private double pricesBy() {
    return demands.areMany() ? 0.6 : 0.7;
  }

  /** When this share of the time has passed. */
  private Deadline by(double share) {
    return new Deadline(start + (long) (options.timeLimit().toNanos() * share));
  }

  /** Prices need not be better than the gap that is asked for. */
  private double accuracy() {
    double least = demands.copies() >= MANY ? 2e-5 : 1e-5;
    return Math.max(least, Math.min(1e-4, options.targetGap() / 20));
  }

  private Duration timeLeft(double share) {
    return Duration.ofNanos(
        Math.max(
            1_000_000,
            (long) ((options.timeLimit().toNanos() - (System.nanoTime() - start)) * share)));
  }

  Outcome outcome() {
    Reachability reach = new Reachability(problem, demands, ways, idle);
    if (reach.obstacle().isPresent()) {
      return Outcome.infeasible(reach.obstacle().get());
    }
    LevelSearch levels =
        new LevelSearch(
            demands,
            ways,
            idle,
            full.sameDelays(idle),
            reach.cuts(),
            LevelEffort.searching(core, timeLeft(0.15), by(levelsBy()), by(0.9)));
    Optional<LevelSearch.Found> found = levels.search(reach.top());
    if (found.isEmpty()) {
      return Outcome.infeasible(reach.noRoom(levels.least()));
    }
    options.progress().accept("least utility " + found.get().theta() / 1e9);
    return Outcome.solved(options.lexicographic() ? filled(found.get()) : sum(found.get()));
  }

  private Solution sum(LevelSearch.Found found) {
    long floor = Math.max(Utility.SCALE, found.theta() - problem.epsilonBillionths());
    Offers offers = Offers.from(demands, ways, floor);
    PriceSearch search = new PriceSearch(offers, idle, by(pricesBy())).run(accuracy());
    long bound = search.billionths();
    double[] prices = search.prices();
    double[] guide = prices;
    if (BestCells.sum(problem) < bound) {
      // Prices that had no time may prove less than none.
      bound = BestCells.sum(problem);
      prices = new double[prices.length];
    }
    options.progress().accept("bound over all paths " + bound / 1e9);
    long goal = (long) (bound * (1 - options.targetGap()));
    boolean small = isSearchable();
    // Prices may have taken all their time: loads that fit are worth more of what is left.
    Allocation allocation = search.allocation(grantsAreDue().after(MOST_FOR_LOADS));
    int rounds = small ? FEW_ROUNDS : MOST_ROUNDS;
    if (!new Packing(allocation, guide).run(rounds, PATIENCE, goal, grantsAreDue())) {
      allocation = found.allocation().among(offers);
      new Rounding(allocation, guide).share();
      new Packing(allocation, guide).run(rounds, PATIENCE, goal, grantsAreDue());
    }
    if (ways.complete()) {
      PriceSearch tight = new PriceSearch(offers.tight(), idle, by(0.7)).run(accuracy());
      if (tight.billionths() < bound) {
        bound = tight.billionths();
        prices = tight.prices();
      }
    }
    options
        .progress()
        .accept("gap " + (bound - allocation.sum()) / (double) bound + " after packing");
    Certificate.Proof proof = Certificate.Proof.PRICES;
    if (small && bound - allocation.sum() > bound * options.targetGap()) {
      Core whole = Core.of(offers);
      CoreProblem open = whole.problem();
      Closing closing =
          new Closing(
                  open,
                  new CoreDual(open, prices),
                  core.get(),
                  new Closing.Incumbent(allocation.sum(), whole.counts(allocation.inUnits())),
                  bound,
                  options.progress(),
                  timeLeft(0.9))
              .run(options.targetGap());
      if (closing.isBetter()) {
        allocation = whole.allocation(closing::count);
      }
      if (ways.complete() && full.sameDelays(idle) && closing.bound() < bound) {
        bound = closing.bound();
        proof = closing.isClosed() ? Certificate.Proof.EXHAUSTIVE : Certificate.Proof.SOLVER;
      }
    }
    return solution(found, allocation, bound, proof, prices, List.of());
  }

  /** Level by level instead of by the sum. */
  private Solution filled(LevelSearch.Found found) {
    long floor = Math.max(Utility.SCALE, found.theta() - problem.epsilonBillionths());
    PriceSearch sum = new PriceSearch(Offers.from(demands, ways, floor), idle, by(0.3));
    sum.run(accuracy());
    Offers offers = Offers.from(demands, ways, found.theta());
    Allocation start = found.allocation().among(offers).inUnits();
    Allocation allocation;
    List<LevelBound> levels;
    Core whole = Core.of(offers);
    if (isSearchable() && whole.size() <= MOST_COLUMNS) {
      options.progress().accept("filling levels among " + whole.size() + " columns");
      Filling filling =
          new Filling(
                  whole.problem(),
                  whole.counts(start),
                  core.get(),
                  full,
                  ways.complete() && full.sameDelays(idle),
                  timeLeft(0.95))
              .run();
      allocation = whole.allocation((g, c) -> filling.counts()[g][c]);
      levels = filling.bounds();
    } else {
      WideFilling filling = new WideFilling(demands, ways, idle, found.theta(), start);
      allocation = filling.lift(by(0.6));
      levels = filling.bounds(by(0.9));
    }
    return solution(
        found, allocation, sum.billionths(), Certificate.Proof.PRICES, sum.prices(), levels);
  }

  private Solution solution(
      LevelSearch.Found found,
      Allocation allocation,
      long bound,
      Certificate.Proof proof,
      double[] prices,
      List<LevelBound> levels) {
    Optional<Utility> refuted =
        found.refuting().length > 0 || found.bound() < Utility.MAX.billionths()
            ? nextLevel(found.bound())
            : Optional.empty();
    List<Grant> grants = new Grants(allocation.offers()).of(allocation);
    Certificate certificate =
        Certificate.of(
                Utility.ofBillionths(found.bound()),
                bound,
                proof,
                full.byLink(prices),
                refuted,
                full.byLink(found.refuting()))
            .withLevels(levels);
    return Solution.of(Utility.ofBillionths(found.theta()), grants, certificate);
  }

  /** The least cell above the bound, if any table has one. */
  private Optional<Utility> nextLevel(long above) {
    long least = Long.MAX_VALUE;
    for (int f = 0; f < demands.functions(); f++) {
      for (int t = 0; t < demands.function(f).throughputBins(); t++) {
        for (int d = 0; d < demands.function(f).delayBins(); d++) {
          long utility = demands.function(f).utilityBillionths(t, d);
          least = utility > above ? Math.min(least, utility) : least;
        }
      }
    }
    return least == Long.MAX_VALUE ? Optional.empty() : Optional.of(Utility.ofBillionths(least));
  }
}
