package org.paceline.allocator.network;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private static final double[] FIRMNESS = {0.02, 0.05, 0.15, 0.5, 1.5, 5};

  private final Problem problem;
  private final SolveOptions options;
  private final Optional<CoreSolver> core;
  private final long deadline;
  private final Topology full;
  private final Topology idle;
  private final Demands demands;
  private final Ways ways;

  NetworkAttempt(Problem problem, SolveOptions options, Optional<CoreSolver> core) {
    this.problem = problem;
    this.options = options;
    this.core = core;
    this.deadline = System.nanoTime() + options.timeLimit().toNanos();
    this.full = Topology.whenFull(problem.network());
    this.idle = Topology.whenIdle(problem.network());
    this.demands = Demands.of(problem.applications());
    this.ways =
        Ways.of(full, demands, options.paths(), full.nodes() <= SMALL_NETWORK ? ALL_PATHS : 0);
  }

  private boolean late() {
    return System.nanoTime() > deadline;
  }

  private Duration timeLeft(double share) {
    return Duration.ofNanos(Math.max(1_000_000, (long) ((deadline - System.nanoTime()) * share)));
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
            this::late);
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
    PathBound pathBound = new PathBound(offers, idle);
    double[] prices = prices(offers, pathBound);
    options.progress().accept("prices found");
    long bound = pathBound.billionths(prices);
    options.progress().accept("bound over all paths");
    Allocation allocation = Allocation.empty(offers, prices, 0.001, 0.02);
    Rounding rounding = new Rounding(allocation, prices);
    if (!rounding.settle(FIRMNESS)) {
      allocation = found.allocation.among(offers);
      rounding = new Rounding(allocation, prices);
    }
    rounding.fill();
    options
        .progress()
        .accept("gap " + (bound - allocation.sum()) / (double) bound + " after rounding");
    long goal = (long) (bound * (1 - options.targetGap()));
    new NeighbourhoodSearch(allocation, rounding, prices).run(searchRounds(), goal, this::late);
    options
        .progress()
        .accept("gap " + (bound - allocation.sum()) / (double) bound + " after search");
    Certificate.Proof proof = Certificate.Proof.PRICES;
    long sum = allocation.sum();
    if (core.isPresent() && sum < goal && demands.copies() <= 2_000) {
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

  private long searchRounds() {
    long most = core.isPresent() && demands.copies() <= 200 ? 10_000 : 400_000;
    return Math.min(most, 4_000_000_000L / Math.max(1, demands.copies() * demands.copies()));
  }

  private double[] prices(Offers offers, PathBound pathBound) {
    DualPrices dual = new DualPrices(offers, this::late);
    double[] prices = new double[full.links()];
    double[] best = prices;
    double least = Double.POSITIVE_INFINITY;
    double[] widths = {0.1, 0.03, 0.01, 0.003, 0.001, 0.0003};
    for (double softness : widths) {
      prices = dual.minimise(prices, softness, Math.min(0.5, softness * 5), 6);
      if (!ways.complete() && pathBound.addPaths(prices)) {
        offers.refresh();
      }
      double value = dual.exact(prices);
      if (value < least) {
        least = value;
        best = prices;
      }
      if (late()) {
        break;
      }
    }
    return best;
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
