package org.paceline.allocator.network;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.path.Topology;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.Utility;

/** One problem on its way to an outcome. */
final class NetworkAttempt {
  private static final int ALL_PATHS = 130;
  private static final int SMALL_NETWORK = 10;
  private static final int CORE_COLUMNS = 60_000;
  private static final int SEARCHABLE = 500;
  private static final int MOST_ROUNDS = 1_000;
  private static final int PATIENCE = 12;

  private final Problem problem;
  private final SolveOptions options;
  private final Optional<CoreSolver> core;
  private final long start;
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
    this.ways =
        Ways.of(full, demands, options.paths(), full.nodes() <= SMALL_NETWORK ? ALL_PATHS : 0);
  }

  /** Whether this share of the time has passed. */
  private BooleanSupplier by(double share) {
    long end = start + (long) (options.timeLimit().toNanos() * share);
    return () -> System.nanoTime() - end > 0;
  }

  /** Prices need not be better than the gap that is asked for. */
  private double accuracy() {
    return Math.max(1e-5, Math.min(1e-4, options.targetGap() / 20));
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
            core,
            timeLeft(0.15),
            reach.cuts(),
            by(0.25),
            by(0.9));
    Optional<LevelSearch.Found> found = levels.search(reach.top());
    if (found.isEmpty()) {
      return Outcome.infeasible(reach.noRoom(levels.tryLevel(Utility.SCALE)));
    }
    options.progress().accept("least utility " + found.get().theta / 1e9);
    return Outcome.solved(sum(found.get()));
  }

  private Solution sum(LevelSearch.Found found) {
    long floor = Math.max(Utility.SCALE, found.theta - problem.epsilonBillionths());
    Offers offers = Offers.from(demands, ways, floor);
    PriceSearch search = new PriceSearch(offers, idle, by(0.7)).run(accuracy());
    double[] prices = search.prices();
    long bound = search.billionths();
    options.progress().accept("bound over all paths " + bound / 1e9);
    long goal = (long) (bound * (1 - options.targetGap()));
    boolean small = core.isPresent() && demands.copies() <= SEARCHABLE;
    Allocation allocation = search.allocation();
    if (!new Packing(allocation, prices).run(small ? 4 : MOST_ROUNDS, PATIENCE, goal, by(0.96))) {
      allocation = found.allocation.among(offers);
      new Packing(allocation, prices).run(small ? 4 : MOST_ROUNDS, PATIENCE, goal, by(0.96));
    }
    options
        .progress()
        .accept("gap " + (bound - allocation.sum()) / (double) bound + " after packing");
    Certificate.Proof proof = Certificate.Proof.PRICES;
    long sum = allocation.sum();
    if (small && sum < goal) {
      Core open = Core.of(offers, prices, (bound - sum) / Profile.SCALE);
      if (open.size() <= CORE_COLUMNS) {
        options.progress().accept("searching a core of " + open.size() + " columns");
        CoreResult result = core.get().solve(open.problem(sum, bound), timeLeft(0.9));
        if (result.hasChoice()) {
          allocation = open.allocation(result);
        }
        if (ways.complete() && full.sameDelays(idle) && result.bound() < bound) {
          bound = Math.max(allocation.sum(), result.bound());
          proof =
              result.status() == CoreResult.Status.BETTER
                      || result.status() == CoreResult.Status.UNKNOWN
                  ? Certificate.Proof.SOLVER
                  : Certificate.Proof.EXHAUSTIVE;
        }
      }
    }
    Optional<Utility> refuted =
        found.refuting.length > 0 || found.bound < Utility.MAX.billionths()
            ? nextLevel(found.bound)
            : Optional.empty();
    List<Grant> grants = new Grants(problem, offers).of(allocation);
    // What is granted may show that a level which stayed open can be had.
    long least = grants.stream().mapToLong(g -> g.utility().billionths()).min().orElse(0);
    Certificate certificate =
        Certificate.of(
            Utility.ofBillionths(found.bound),
            bound,
            proof,
            byLink(prices),
            refuted,
            byLink(found.refuting));
    return Solution.of(Utility.ofBillionths(Math.max(found.theta, least)), grants, certificate);
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

  private Map<LinkId, Double> byLink(double[] prices) {
    Map<LinkId, Double> byLink = new HashMap<>();
    for (int e = 0; e < prices.length; e++) {
      if (prices[e] > 0) {
        byLink.put(full.id(e), prices[e]);
      }
    }
    return byLink;
  }
}
