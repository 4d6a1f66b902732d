package org.paceline.allocator.referee;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.LongRange;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.exact.OneBottleneck;
import org.paceline.allocator.milp.AggregatedKnapsackMilp;
import org.paceline.allocator.milp.MipSolver;
import org.paceline.allocator.milp.PaperMilp;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;

/**
 * Every solver against brute force, which finds both optima by trying everything, and against the
 * checkers, which share no code with any of them. The seeds are fixed: a build does not fail by
 * chance. A failure names its seed; RandomProblems makes the problem again.
 */
@PropertyDefaults(generation = GenerationMode.RANDOMIZED, shrinking = ShrinkingMode.OFF)
class SolversAgreeTest {
  private static final Allocator EXACT = new OneBottleneck();
  private static final Allocator AGGREGATED = new AggregatedKnapsackMilp(MipSolver.HIGHS);
  private static final Allocator PAPER = new PaperMilp(MipSolver.HIGHS);
  private static final Allocator PAPER_BY_SCIP = new PaperMilp(MipSolver.SCIP);

  @Property(tries = 5_000, seed = "20")
  void theExactSolverFindsBothOptimaOfOneLink(@ForAll @LongRange(max = 1L << 40) long seed) {
    assertOptimal(EXACT, RandomProblems.oneLink(seed));
  }

  @Property(tries = 1_000, seed = "20")
  void whatWaterFillingClaimsIsAcceptedToo(@ForAll @LongRange(max = 1L << 40) long seed) {
    Problem problem = RandomProblems.oneLink(seed);
    Outcome filled =
        EXACT.solve(problem, SolveOptions.DEFAULT.toBuilder().lexicographic(true).build());
    if (filled.solution().isPresent()) {
      Accepted.assertAccepted(problem, filled);
    }
  }

  @Property(tries = 300, seed = "20")
  void theAggregatedKnapsackFindsBothOptimaOfOneLink(@ForAll @LongRange(max = 1L << 40) long seed) {
    assertOptimal(AGGREGATED, RandomProblems.oneLink(seed));
  }

  @Property(tries = 150, seed = "20")
  void thePapersProgramFindsBothOptimaOfOneLink(@ForAll @LongRange(max = 1L << 40) long seed) {
    assertOptimal(PAPER, RandomProblems.oneLink(seed));
  }

  @Property(tries = 150, seed = "20")
  void thePapersProgramFindsBothOptimaOfNetworks(@ForAll @LongRange(max = 1L << 40) long seed) {
    assertOptimal(PAPER, RandomProblems.network(seed));
  }

  @Property(tries = 100, seed = "20")
  void thePapersProgramFindsThemInAnotherSolverToo(@ForAll @LongRange(max = 1L << 40) long seed) {
    assertOptimal(PAPER_BY_SCIP, RandomProblems.network(seed));
  }

  @Property(tries = 1_000, seed = "20")
  void theOrderOfTheInputChangesNothingInTheExactSolver(
      @ForAll @LongRange(max = 1L << 40) long seed) {
    assertSameInAnyOrder(EXACT, RandomProblems.oneLink(seed), seed);
  }

  @Property(tries = 50, seed = "20")
  void theOrderOfTheInputChangesNothingInTheMilps(@ForAll @LongRange(max = 1L << 40) long seed) {
    assertSameInAnyOrder(PAPER, RandomProblems.network(seed), seed);
    assertSameInAnyOrder(AGGREGATED, RandomProblems.oneLink(seed), seed);
  }

  private static void assertOptimal(Allocator solver, Problem problem) {
    Optional<BruteForce.Optimum> optimum = BruteForce.solve(problem);
    Outcome outcome = solver.solve(problem, SolveOptions.DEFAULT);
    if (optimum.isEmpty()) {
      assertThat(outcome.infeasible()).as("why it is infeasible: %s", problem).isPresent();
      assertThat(outcome.infeasible().get().reason()).isNotEqualTo(Infeasible.Reason.UNDECIDED);
      return;
    }
    Accepted.assertAccepted(problem, outcome);
    assertThat(outcome.orElseThrow().theta1().billionths())
        .as("theta1 of %s", problem)
        .isEqualTo(optimum.get().theta);
    // A mixed-integer solver may stop a billionth short.
    assertThat(outcome.orElseThrow().sumBillionths())
        .as("sum of %s", problem)
        .isBetween(optimum.get().sum - (solver == EXACT ? 0 : 1), optimum.get().sum);
  }

  private static void assertSameInAnyOrder(Allocator solver, Problem problem, long seed) {
    Outcome outcome = solver.solve(problem, SolveOptions.DEFAULT);
    Outcome again = solver.solve(problem, SolveOptions.DEFAULT);
    Outcome shuffled = solver.solve(RandomProblems.shuffled(problem, seed), SolveOptions.DEFAULT);

    assertThat(again).isEqualTo(outcome);
    assertThat(byId(shuffled)).as("of %s", problem).isEqualTo(byId(outcome));
    assertThat(shuffled.infeasible().map(Infeasible::reason))
        .isEqualTo(outcome.infeasible().map(Infeasible::reason));
  }

  /** Grants may follow the problem's order; who gets what may not. */
  private static Optional<Solution> byId(Outcome outcome) {
    return outcome
        .solution()
        .map(
            solution -> {
              List<Grant> grants = new ArrayList<>(solution.grants());
              grants.sort(Comparator.comparing(Grant::applicationId));
              return Solution.of(solution.theta1(), grants, solution.certificate());
            });
  }
}
