package org.paceline.allocator.network.boxes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.paceline.allocator.SolveOptions;
import org.paceline.intents.problem.BoxTree;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Small networks whose delays depend on load, to the proven optimum or with a gap when the time is
 * over: theta by bisection over the levels ({@link LevelSteps}), then the sum, each by branch and
 * bound over boxes ({@link Search}). Choosers that share no link are searched apart.
 *
 * <p>docs/algorithms/load-dependent-delay.md says why the result is right.
 */
public final class LoadBoxes {
  private static final double FOR_LEVELS = 0.5;

  private final Problem problem;
  private final SolveOptions options;
  private final Field field;
  private final long start = System.nanoTime();

  private LoadBoxes(Problem problem, SolveOptions options, Field field) {
    this.problem = problem;
    this.options = options;
    this.field = field;
  }

  /** Empty where there are more copies or paths than can be listed. */
  public static Optional<LoadBoxes> of(Problem problem, SolveOptions options) {
    return Field.of(problem).map(field -> new LoadBoxes(problem, options, field));
  }

  private long endOf(double share) {
    return start + (long) (options.timeLimit().toNanos() * share);
  }

  /** Over when its share of what is left until the end has passed. */
  private static BooleanSupplier turn(long end, long turns) {
    long now = System.nanoTime();
    long due = now + Math.max(0, end - now) / Math.max(1, turns);
    return () -> System.nanoTime() - due > 0;
  }

  public Outcome outcome() {
    List<LevelSteps> levels = new ArrayList<>();
    List<int[]> parts = field.parts();
    long theta = Utility.MAX.billionths();
    long bound = theta;
    Optional<BoxTree> refuting = Optional.empty();
    for (int[] part : parts) {
      int left = parts.size() - levels.size();
      LevelSteps steps = new LevelSteps(field, part);
      steps.run(theta, searches -> turn(endOf(FOR_LEVELS), left + searches / 2));
      if (!steps.isReached()) {
        return Outcome.infeasible(none(part, steps.isRefuted()));
      }
      theta = Math.min(theta, steps.theta());
      if (steps.bound() < bound) {
        bound = steps.bound();
        refuting = steps.refuting();
      }
      levels.add(steps);
    }
    options.progress().accept("least utility " + theta / 1e9);
    return Outcome.solved(sum(levels, theta, Utility.ofBillionths(bound), refuting));
  }

  private Solution sum(
      List<LevelSteps> levels, long theta, Utility thetaBound, Optional<BoxTree> refuting) {
    List<int[]> parts = field.parts();
    List<Optional<BoxTree>> trees = new ArrayList<>();
    long floor = Math.max(Utility.SCALE, theta - problem.epsilonBillionths());
    Handout handout = new Handout(field);
    double[] prices = new double[field.topology.links()];
    long bound = 0;
    for (int i = 0; i < parts.size(); i++) {
      Question question = Question.ofSum(field, parts.get(i), floor);
      Choice known = levels.get(i).choice().in(question);
      Search search = Search.forBest(question, known, turn(endOf(1), parts.size() - i));
      handout.add(question, search.best().orElse(known));
      bound += search.bound();
      trees.add(search.tree());
      for (int e = 0; e < prices.length; e++) {
        prices[e] += search.prices()[e];
      }
    }
    List<Grant> grants = handout.grants();
    long least = grants.stream().mapToLong(g -> g.utility().billionths()).min().orElse(0);
    options.progress().accept("bound of all boxes " + bound / 1e9);
    return Solution.of(
        Utility.ofBillionths(Math.max(theta, least)),
        grants,
        Certificate.of(
                thetaBound,
                bound,
                Certificate.Proof.EXHAUSTIVE,
                field.topology.byLink(prices),
                levelAbove(thetaBound.billionths()),
                Map.of())
            .withBoxes(refuting, allOf(trees)));
  }

  /** None if some part has none: the others do not bound the whole. */
  private static List<BoxTree> allOf(List<Optional<BoxTree>> trees) {
    return trees.stream().allMatch(Optional::isPresent)
        ? trees.stream().map(Optional::get).collect(Collectors.toList())
        : List.of();
  }

  /** The least utility of any table above the bound. */
  private Optional<Utility> levelAbove(long bound) {
    long least = Long.MAX_VALUE;
    for (Field.Chooser chooser : field.choosers) {
      UtilityFunction function = chooser.function;
      for (int t = 0; t < function.throughputBins(); t++) {
        for (int d = 0; d < function.delayBins(); d++) {
          long utility = function.utilityBillionths(t, d);
          least = utility > bound ? Math.min(least, utility) : least;
        }
      }
    }
    return least == Long.MAX_VALUE ? Optional.empty() : Optional.of(Utility.ofBillionths(least));
  }

  private Infeasible none(int[] part, boolean proved) {
    String first =
        Arrays.stream(part)
            .mapToObj(c -> field.choosers.get(c).units)
            .flatMap(units -> field.groups.stream().filter(g -> units.containsAll(g.units)))
            .map(group -> group.first().id())
            .min(String::compareTo)
            .orElse("");
    return proved
        ? Infeasible.of(
            Infeasible.Reason.NO_ROOM,
            first,
            Optional.empty(),
            "No choice of cells and paths for ("
                + first
                + ") and those that share links with it keeps every link within its capacity and"
                + " every path within its delay. Maybe admit fewer by priority.")
        : Infeasible.of(
            Infeasible.Reason.UNDECIDED,
            first,
            Optional.empty(),
            "No allocation was found for ("
                + first
                + ") and those that share links with it, and no proof that there is none. Maybe"
                + " give it more time, or admit fewer.");
  }
}
