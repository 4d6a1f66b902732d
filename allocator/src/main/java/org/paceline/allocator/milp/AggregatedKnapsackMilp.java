package org.paceline.allocator.milp;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPObjective;
import com.google.ortools.linearsolver.MPVariable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * One link as an aggregated multiple-choice knapsack in a mixed-integer solver: how many
 * applications of each function take each cell. What a careful modeller makes of the paper's
 * formulation, and the second baseline of the benchmark.
 *
 * <p>Only the best utility of each rate matters, and only where it is above that of every lesser
 * rate. The least utility of step 1 follows by trying the tables' levels from above; step 2 is the
 * program. Where the link's delay depends on its load, each delay bin is tried with the greatest
 * load that keeps it.
 */
public final class AggregatedKnapsackMilp implements Allocator {
  private final MipSolver solver;

  public AggregatedKnapsackMilp(MipSolver solver) {
    this.solver = solver;
  }

  private static Optional<Link> link(Problem problem) {
    Application first = problem.applications().get(0);
    boolean sameEnds =
        problem.applications().stream()
            .allMatch(a -> a.from().equals(first.from()) && a.to().equals(first.to()));
    List<Link> ways = problem.network().outgoing(first.from());
    return sameEnds && ways.size() == 1 && ways.get(0).to().equals(first.to())
        ? Optional.of(ways.get(0))
        : Optional.empty();
  }

  @Override
  public Outcome solve(Problem problem, SolveOptions options) {
    Link link =
        link(problem)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "The problem ("
                            + problem.name()
                            + ") is not one link between all its ends. Maybe use another method."));
    if (options.lexicographic()) {
      throw new IllegalArgumentException(
          "The aggregated knapsack has no lexicographic variant. Maybe use another method.");
    }
    return new Search(Sorted.of(problem), link, options).outcome();
  }

  private final class Search {
    private final Problem problem;
    private final Units units;
    private final Link link;
    private final SolveOptions options;
    private final long end;
    private final Map<UtilityFunction, Integer> counts = new LinkedHashMap<>();

    Search(Problem problem, Link link, SolveOptions options) {
      this.problem = problem;
      this.units = Units.of(problem);
      this.link = link;
      this.options = options;
      this.end = System.nanoTime() + options.timeLimit().toNanos();
      for (Application application : problem.applications()) {
        counts.merge(application.utilityFunction(), application.count(), Math::addExact);
      }
    }

    Outcome outcome() {
      List<LinkBudget> budgets = LinkBudget.of(link, counts);
      long theta = 0;
      for (LinkBudget budget : budgets) {
        theta = Math.max(theta, budget.theta());
      }
      if (theta == 0) {
        return Outcome.infeasible(WhyInfeasible.of(problem));
      }
      long floor = theta - problem.epsilonBillionths();
      long value = -1;
      long bound = 0;
      GrantBook best = new GrantBook(problem);
      for (LinkBudget budget : budgets) {
        if (budget.leastLoad(floor) > budget.limit) {
          continue;
        }
        try (Knapsack knapsack = new Knapsack(budget, floor)) {
          Mip.Answer answer =
              knapsack.mip.maximise(
                  Duration.ofNanos(Math.max(1, end - System.nanoTime())), options.targetGap());
          if (answer.status == Mip.Status.INFEASIBLE) {
            throw new IllegalStateException("The solver denies the floor that was just checked.");
          }
          long most =
              answer.hasSolution()
                  ? (long) Math.ceil(answer.bound / Units.UTILITY)
                  : 5 * Utility.SCALE * problem.size();
          bound = Math.max(bound, most);
          if (answer.hasSolution() && knapsack.sum() > value) {
            value = knapsack.sum();
            best = knapsack.chosen();
          }
        }
      }
      return value < 0
          ? Outcome.infeasible(WhyInfeasible.undecided(problem, "The greatest sum"))
          : Outcome.solved(solution(theta, best, Math.max(bound, value)));
    }

    private Solution solution(long theta, GrantBook book, long bound) {
      Utility level = Utility.ofBillionths(theta);
      return Solution.of(
          level,
          book.grants(),
          Certificate.of(
              level,
              bound,
              Certificate.Proof.SOLVER,
              Map.of(),
              PaperMilp.nextLevel(problem, level),
              link.delay().isConstant() ? Map.of(link.id(), 1.0) : Map.of()));
    }

    /** The program for one delay budget. */
    private final class Knapsack implements AutoCloseable {
      final Mip mip = new Mip(solver);
      private final Map<UtilityFunction, List<LinkBudget.Step>> steps = new HashMap<>();
      private final Map<UtilityFunction, List<MPVariable>> taken = new HashMap<>();

      Knapsack(LinkBudget budget, long floor) {
        boolean together = problem.sharing() == Sharing.SAME_UTILITY_PER_TYPE;
        MPConstraint room = mip.atMost(units.rate(budget.limit), "room");
        MPObjective sum = mip.newObjective();
        counts.forEach(
            (function, count) -> {
              int choosers = together ? 1 : count;
              int each = together ? count : 1;
              MPConstraint all = mip.equal(choosers, "all " + function.name());
              List<MPVariable> variables = new ArrayList<>();
              List<LinkBudget.Step> cells = budget.steps(function, floor);
              for (LinkBudget.Step step : cells) {
                MPVariable x = mip.integer(0, choosers, function.name() + " " + step.rateBin);
                all.setCoefficient(x, 1);
                room.setCoefficient(x, units.rate(step.rate) * each);
                sum.setCoefficient(x, step.utility * Units.UTILITY * each);
                variables.add(x);
              }
              steps.put(function, cells);
              taken.put(function, variables);
            });
      }

      private long take(UtilityFunction function, int step) {
        List<MPVariable> variables = taken.getOrDefault(function, List.of());
        long x = Math.round(variables.get(step).solutionValue());
        return problem.sharing() == Sharing.FREE ? x : x * counts.getOrDefault(function, 0);
      }

      long sum() {
        long sum = 0;
        for (UtilityFunction function : counts.keySet()) {
          List<LinkBudget.Step> cells = steps.getOrDefault(function, List.of());
          for (int s = 0; s < cells.size(); s++) {
            sum += cells.get(s).utility * take(function, s);
          }
        }
        return sum;
      }

      /** Deals the cells of each function out to its applications in the order of their ids. */
      GrantBook chosen() {
        GrantBook book = new GrantBook(problem);
        Path path = Path.of(List.of(link.from(), link.to()));
        List<Application> ordered = new ArrayList<>(problem.applications());
        ordered.sort(Comparator.comparing(Application::id));
        for (UtilityFunction function : counts.keySet()) {
          List<LinkBudget.Step> cells = steps.getOrDefault(function, List.of());
          int s = cells.size() - 1;
          long left = take(function, s);
          for (Application application : ordered) {
            long open = application.utilityFunction().equals(function) ? application.count() : 0;
            while (open > 0) {
              while (left == 0) {
                left = take(function, --s);
              }
              long dealt = Math.min(open, left);
              LinkBudget.Step step = cells.get(s);
              book.add(application, step.rateBin, step.delayBin, path, (int) dealt);
              open -= dealt;
              left -= dealt;
            }
          }
        }
        return book;
      }

      @Override
      public void close() {
        mip.close();
      }
    }
  }
}
