package org.paceline.allocator.exact;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.Utility;

/**
 * Solves problems with one bottleneck exactly: the greatest least utility by bisection ({@link
 * MaxMinUtility}), then the greatest sum as a multiple-choice knapsack ({@link
 * MultipleChoiceKnapsack}). Sieber et al. 2020, appendix A.
 *
 * <p>Where the link's delay depends on its load, the load that keeps a delay bin caps the link and
 * the bin caps the delay; the best over all bins is exact, because the delay never falls with load.
 * Links other than the bottleneck are left out and looked at afterwards: a solution that keeps them
 * is the optimum with them too.
 */
public final class OneBottleneck implements Allocator {
  /** The outcome, or empty where the problem is not of this shape or another link binds too. */
  public Optional<Outcome> attempt(Problem problem, SolveOptions options) {
    Crowds crowds = Crowds.of(problem.applications());
    return BottleneckShape.of(problem.network(), crowds)
        .flatMap(shape -> new Attempt(problem, crowds, shape, options).outcome());
  }

  /**
   * @throws IllegalArgumentException where {@link #attempt} is empty
   */
  @Override
  public Outcome solve(Problem problem, SolveOptions options) {
    return attempt(problem, options)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The problem ("
                        + problem.name()
                        + ") has more than one bottleneck or more than one path. Maybe use the"
                        + " network method."));
  }

  /** One problem on its way to an outcome. */
  private static final class Attempt {
    private final Problem problem;
    private final BottleneckShape shape;
    private final SolveOptions options;
    private final Crowds crowds;
    private final long[] ownDelays;

    Attempt(Problem problem, Crowds crowds, BottleneckShape shape, SolveOptions options) {
      this.problem = problem;
      this.shape = shape;
      this.options = options;
      this.crowds = crowds;
      this.ownDelays = ownDelays();
    }

    Optional<Outcome> outcome() {
      List<Regime> regimes = regimes();
      if (regimes.isEmpty()) {
        return Optional.of(Outcome.infeasible(tooSlow()));
      }
      long theta = Long.MIN_VALUE;
      for (Regime regime : regimes) {
        // One look tells whether this regime can do better than those before.
        if (theta == Long.MIN_VALUE || regime.levels.loadAt(theta + 1) <= regime.limit) {
          theta = Math.max(theta, regime.levels.solve(regime.limit).orElse(Long.MIN_VALUE));
        }
      }
      if (theta == Long.MIN_VALUE) {
        return Optional.of(Outcome.infeasible(noRoom(regimes)));
      }
      options.progress().accept("The greatest least utility is found; next the greatest sum.");
      return (options.lexicographic() ? fill(regimes, theta) : sum(regimes, theta))
          .map(Outcome::solved);
    }

    /** Of crowds that must share a cell, the one with the longest way decides what there is. */
    private long[] ownDelays() {
      long[] delays =
          crowds.ordered().stream()
              .mapToLong(c -> shape.ownDelayNanos(problem.network(), c.from(), c.to()))
              .toArray();
      if (problem.sharing() == Sharing.SAME_UTILITY_PER_TYPE) {
        Map<String, Long> longest = new HashMap<>();
        for (int c = 0; c < delays.length; c++) {
          longest.merge(crowds.get(c).function().name(), delays[c], Math::max);
        }
        for (int c = 0; c < delays.length; c++) {
          delays[c] = longest.getOrDefault(crowds.get(c).function().name(), delays[c]);
        }
      }
      return delays;
    }

    /** The delay budgets to try, each with the greatest load that keeps it. */
    private List<Regime> regimes() {
      List<Regime> regimes = new ArrayList<>();
      Staircase[][] known =
          crowds.ordered().stream()
              .map(c -> new Staircase[c.function().delayBins()])
              .toArray(Staircase[][]::new);
      long limit = shape.bottleneck().limitMillibits();
      if (shape.sharedDelayIsConstant()) {
        Regime.of(crowds.ordered(), ownDelays, shape.sharedDelayNanos(0), limit, known)
            .ifPresent(regimes::add);
        return regimes;
      }
      TreeSet<Long> budgets = new TreeSet<>();
      for (int c = 0; c < crowds.size(); c++) {
        for (int d = 0; d < crowds.get(c).function().delayBins(); d++) {
          budgets.add(crowds.get(c).function().delayNanos(d) - ownDelays[c]);
        }
      }
      long mostLoad = -1;
      for (long budget : budgets) {
        long load = Math.min(limit, shape.greatestLoadWithin(budget));
        // A looser budget that lets in no more load is a worse one.
        if (load > mostLoad) {
          Regime.of(crowds.ordered(), ownDelays, budget, load, known).ifPresent(regimes::add);
          mostLoad = load;
        }
      }
      return regimes;
    }

    private Optional<Solution> sum(List<Regime> regimes, long theta) {
      long floor = Math.max(theta - problem.epsilonBillionths(), Utility.SCALE);
      List<KnapsackOfRegime> open = new ArrayList<>();
      for (Regime regime : regimes) {
        if (regime.levels.loadAt(floor) <= regime.limit) {
          open.add(new KnapsackOfRegime(regime, floor, problem.sharing()));
        }
      }
      open.sort(Comparator.comparingLong(k -> -k.priceBound()));
      KnapsackOfRegime best = open.get(0);
      MultipleChoiceKnapsack.Result result = best.solve(options.targetGap());
      long bound = result.bound;
      for (KnapsackOfRegime next : open.subList(1, open.size())) {
        if (next.priceBound() <= result.value) {
          break;
        }
        MultipleChoiceKnapsack.Result other = next.solve(options.targetGap());
        bound = Math.max(bound, other.bound);
        if (other.value > result.value) {
          result = other;
          best = next;
        }
      }
      // A delay budget caps the load below the link's own limit, of which the prices know nothing.
      boolean byPricesAlone = !result.searched && shape.sharedDelayIsConstant();
      return solution(
          theta,
          levelAbove(regimes, theta),
          best,
          result.counts,
          bound,
          byPricesAlone ? Certificate.Proof.PRICES : Certificate.Proof.EXHAUSTIVE,
          result.price);
    }

    private Optional<Solution> fill(List<Regime> regimes, long theta) {
      Regime regime =
          regimes.stream()
              .filter(r -> r.levels.loadAt(theta) <= r.limit)
              .findFirst()
              .orElseThrow(AssertionError::new);
      KnapsackOfRegime knapsack = new KnapsackOfRegime(regime, Utility.SCALE, problem.sharing());
      long[][] counts = knapsack.waterFill();
      // The sum is not what was sought; its bound is that of any allocation at the floor.
      HullGreedy linear = new HullGreedy(knapsack.groups(), regime.limit);
      long bound =
          regimes.stream()
              .mapToLong(
                  r -> new KnapsackOfRegime(r, Utility.SCALE, problem.sharing()).priceBound())
              .max()
              .orElseThrow(AssertionError::new);
      return solution(
          theta,
          levelAbove(regimes, theta),
          knapsack,
          counts,
          bound,
          shape.sharedDelayIsConstant() ? Certificate.Proof.PRICES : Certificate.Proof.EXHAUSTIVE,
          linear.price);
    }

    /** A tighter delay budget may offer better cells, at loads that were refuted too. */
    private static Optional<Utility> levelAbove(List<Regime> regimes, long theta) {
      return regimes.stream()
          .map(r -> r.levels.levelAbove(theta))
          .flatMapToLong(OptionalLong::stream)
          .boxed()
          .min(Long::compare)
          .map(Utility::ofBillionths);
    }

    /** Empty where another link does not carry what was chosen. */
    private Optional<Solution> solution(
        long theta,
        Optional<Utility> above,
        KnapsackOfRegime chosen,
        long[][] counts,
        long bound,
        Certificate.Proof proof,
        double price) {
      LinkId link = shape.bottleneck().id();
      Certificate certificate =
          Certificate.of(
              Utility.ofBillionths(theta),
              bound,
              proof,
              Map.of(link, price),
              above,
              shape.sharedDelayIsConstant() ? Map.of(link, 1.0) : Map.of());
      List<Shares.Share> shares = new ArrayList<>(crowds.size());
      for (int c = 0; c < crowds.size(); c++) {
        Crowd crowd = crowds.get(c);
        shares.add(
            chosen.share(
                c, counts[chosen.groupOf(c)], crowd.count(), shape.path(crowd.from(), crowd.to())));
      }
      return OtherLinks.hold(problem.network(), shares)
          ? Optional.of(
              Solution.of(Utility.ofBillionths(theta), Shares.grants(crowds, shares), certificate))
          : Optional.empty();
    }

    private Infeasible tooSlow() {
      for (int c = 0; c < crowds.size(); c++) {
        Crowd crowd = crowds.get(c);
        long least = ownDelays[c] + shape.sharedDelayNanos(0);
        long most = crowd.function().delayNanos(crowd.function().delayBins() - 1);
        if (least > most) {
          return Infeasible.of(
              Infeasible.Reason.TOO_SLOW,
              crowds.nameOf(c),
              Optional.of(shape.bottleneck().id()),
              String.format(
                  "The application (%s) tolerates at most %.3f ms, but its path %s takes %.3f ms."
                      + " Maybe give its utility function a greater delay bin.",
                  crowds.nameOf(c), most / 1e6, shape.path(crowd.from(), crowd.to()), least / 1e6));
        }
      }
      throw new AssertionError("no delay budget, yet nobody is too slow");
    }

    private Infeasible noRoom(List<Regime> regimes) {
      Regime widest = regimes.get(regimes.size() - 1);
      String greediest = crowds.nameOf(widest.greediest());
      return Infeasible.of(
          Infeasible.Reason.NO_ROOM,
          greediest,
          Optional.of(shape.bottleneck().id()),
          String.format(
              "The link (%s) has room for %.3f kbit/s, but the applications need at least %.3f"
                  + " kbit/s together, (%s) the most. Maybe admit fewer by priority.",
              shape.bottleneck().id(), widest.limit / 1e6, widest.leastLoad() / 1e6, greediest));
    }
  }
}
