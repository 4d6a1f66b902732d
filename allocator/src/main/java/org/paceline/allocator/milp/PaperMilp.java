package org.paceline.allocator.milp;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * The paper's own solver: the mixed-integer program of Sieber et al. 2020, appendix A, solved twice
 * by branch and bound. Slow, and exact to the solver's tolerances: the referee of small problems
 * and the baseline of the benchmark. Its time limit holds but for a second ({@link Mip#GRACE}).
 */
public final class PaperMilp implements Allocator {
  /** Each copy has hundreds of variables of its own; beyond this a model fills the memory. */
  private static final long MOST_COPIES = 2_000;

  private final MipSolver solver;

  public PaperMilp(MipSolver solver) {
    this.solver = solver;
  }

  @Override
  public Outcome solve(Problem problem, SolveOptions options) {
    if (options.lexicographic()) {
      throw new IllegalArgumentException(
          "The paper's formulation has no lexicographic variant. Maybe use another method.");
    }
    if (problem.size() > MOST_COPIES) {
      throw new IllegalArgumentException(
          String.format(
              "The paper's formulation has hundreds of variables for each of %d applications, but"
                  + " %d are the most that fit into memory. Maybe use another method.",
              problem.size(), MOST_COPIES));
    }
    OrTools.require();
    long end = System.nanoTime() + options.timeLimit().toNanos();
    Problem sorted = Sorted.of(problem);
    try (PaperModel model = new PaperModel(sorted, solver, end)) {
      options
          .progress()
          .accept(
              String.format(
                  "The paper's formulation has %d variables and %d constraints.",
                  model.variables(), model.constraints()));
      return solve(sorted, options, model, end);
    } catch (PaperModel.TimeUp e) {
      return Outcome.infeasible(WhyInfeasible.undecided(sorted, "The least utility"));
    }
  }

  /** Whether a search whose time ran out goes on: it takes a processor and its memory. */
  public static boolean isOneLate() {
    OrTools.require();
    return Mip.isOneLate();
  }

  private static Outcome solve(Problem problem, SolveOptions options, PaperModel model, long end) {
    Mip.Answer first = model.maximiseTheta(left(end));
    if (first.status == Mip.Status.INFEASIBLE) {
      return Outcome.infeasible(WhyInfeasible.of(problem));
    }
    if (!first.hasSolution()) {
      return Outcome.infeasible(WhyInfeasible.undecided(problem, "The least utility"));
    }
    GrantBook book = model.chosen(problem);
    Utility theta = book.least();
    boolean optimal = first.status == Mip.Status.OPTIMAL;
    Utility thetaBound = optimal ? theta : bound(first.bound, theta);
    options
        .progress()
        .accept(String.format("The least utility is %s, at most %s possible.", theta, thetaBound));
    long floor = theta.billionths() - problem.epsilonBillionths();
    Mip.Answer second = model.maximiseSum(floor, left(end), options.targetGap());
    if (second.status == Mip.Status.INFEASIBLE) {
      throw new IllegalStateException(
          "The solver found the least utility (" + theta + ") and then denied that it can be had.");
    }
    double sumBound = 5e9 * problem.size();
    if (second.hasSolution()) {
      book = model.chosen(problem);
      sumBound = Math.min(sumBound, second.bound / Units.UTILITY);
    }
    Solution solution = Solution.of(theta, book.grants(), NO_CERTIFICATE);
    Certificate certificate =
        Certificate.of(
            thetaBound,
            Math.max(solution.sumBillionths(), (long) Math.ceil(sumBound)),
            Certificate.Proof.SOLVER,
            Map.of(),
            nextLevel(problem, thetaBound),
            Map.of());
    return Outcome.solved(Solution.of(theta, solution.grants(), certificate));
  }

  private static final Certificate NO_CERTIFICATE =
      Certificate.of(
          Utility.MAX,
          Long.MAX_VALUE,
          Certificate.Proof.SOLVER,
          Map.of(),
          Optional.empty(),
          Map.of());

  private static Duration left(long end) {
    return Duration.ofNanos(Math.max(1, end - System.nanoTime()));
  }

  private static Utility bound(double thousandths, Utility atLeast) {
    double billionths = Math.min(thousandths / Units.UTILITY, 5e9);
    long up = BigDecimal.valueOf(billionths).setScale(0, RoundingMode.CEILING).longValue();
    return Utility.ofBillionths(Math.max(up, atLeast.billionths()));
  }

  /** The least utility above the bound that a table has. */
  static Optional<Utility> nextLevel(Problem problem, Utility bound) {
    long next = Long.MAX_VALUE;
    for (Application application : problem.applications()) {
      UtilityFunction function = application.utilityFunction();
      for (int t = 0; t < function.throughputBins(); t++) {
        for (int d = 0; d < function.delayBins(); d++) {
          long utility = function.utilityBillionths(t, d);
          next = utility > bound.billionths() ? Math.min(next, utility) : next;
        }
      }
    }
    return next == Long.MAX_VALUE ? Optional.empty() : Optional.of(Utility.ofBillionths(next));
  }
}
