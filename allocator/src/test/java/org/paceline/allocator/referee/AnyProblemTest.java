package org.paceline.allocator.referee;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.auto.AutoAllocator;
import org.paceline.allocator.milp.CpSatCore;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;

/** What holds of every answer, whatever the problem: by the choice of methods that users get. */
@PropertyDefaults(generation = GenerationMode.RANDOMIZED, shrinking = ShrinkingMode.OFF)
class AnyProblemTest {
  private static final Allocator AUTO =
      new AutoAllocator(new NetworkAllocator(Optional.of(new CpSatCore())));
  private static final Allocator WITHOUT_A_CORE =
      new AutoAllocator(new NetworkAllocator(Optional.empty()));

  private static final SolveOptions SHORT =
      SolveOptions.DEFAULT.toBuilder().timeLimit(Duration.ofMillis(150)).build();

  /** Enough for large ones to be answered, a small part of what they would take. */
  private static final SolveOptions SECONDS =
      SolveOptions.DEFAULT.toBuilder().timeLimit(Duration.ofSeconds(2)).build();

  private static final Duration MINUTES = Duration.ofMinutes(2);

  @Property(tries = 150, seed = "19")
  void everyAnswerIsFeasibleAndBounded(@ForAll @LongRange(max = 1L << 40) long seed) {
    Problem problem = RandomMeshes.of(seed);
    assertFeasibleAndBounded(problem, AUTO.solve(problem, SHORT));
  }

  @Property(tries = 100, seed = "19")
  void soIsEveryAnswerWithoutACoreSolver(@ForAll @LongRange(max = 1L << 40) long seed) {
    Problem problem = RandomMeshes.of(seed);
    assertFeasibleAndBounded(problem, WITHOUT_A_CORE.solve(problem, SHORT));
  }

  private static void assertFeasibleAndBounded(Problem problem, Outcome outcome) {
    if (outcome.solution().isEmpty()) {
      return;
    }
    Accepted.assertAccepted(problem, outcome);
    Solution solution = outcome.orElseThrow();
    assertThat(solution.certificate().sumBound())
        .as("%s", problem)
        .isBetween(solution.sumBillionths(), everybodysBestCell(problem));
  }

  private static long everybodysBestCell(Problem problem) {
    return problem.applications().stream()
        .mapToLong(
            a -> {
              long best = 0;
              for (int t = 0; t < a.utilityFunction().throughputBins(); t++) {
                for (int d = 0; d < a.utilityFunction().delayBins(); d++) {
                  best = Math.max(best, a.utilityFunction().utilityBillionths(t, d));
                }
              }
              return a.count() * best;
            })
        .sum();
  }

  @Property(tries = 300, seed = "19")
  void theTwoDirectionsOfALineAreSolvedToTheOptimum(@ForAll @LongRange(max = 1L << 40) long seed) {
    Problem problem = RandomProblems.line(seed);
    Accepted.assertOptimal(problem, WITHOUT_A_CORE.solve(problem, SolveOptions.DEFAULT));
  }

  @Test
  void pathsThatALaterBoundFindsAreNoTrouble() {
    Problem problem = Instances.defect("crash_offers_profile");

    Accepted.assertAccepted(problem, AUTO.solve(problem, SolveOptions.DEFAULT));
  }

  @Test
  void aLargeProblemsBoundIsNoWorseThanEverybodysBestCell() {
    Problem problem = Instances.defect("bound_worse_than_trivial");
    // A machine that is busy needs more of them.
    SolveOptions options = SECONDS;
    Outcome outcome = AUTO.solve(problem, options);
    while (outcome.solution().isEmpty() && options.timeLimit().compareTo(MINUTES) < 0) {
      options = options.toBuilder().timeLimit(options.timeLimit().multipliedBy(4)).build();
      outcome = AUTO.solve(problem, options);
    }

    assertThat(everybodysBestCell(problem) / 1e9).isCloseTo(94_586, within(1.0));
    assertThat(outcome.solution()).isPresent();
    assertFeasibleAndBounded(problem, outcome);
  }

  /** Nobody knows whether there is an allocation: what is found has to be one. */
  @Test
  void aLargeProblemThatIsShortOfTimeIsAnsweredOrSaidToBeUndecided() {
    Problem problem = Instances.defect("timelimit_1000n_20k");
    Outcome outcome = AUTO.solve(problem, SHORT);

    outcome
        .infeasible()
        .ifPresent(why -> assertThat(why.reason()).isEqualTo(Infeasible.Reason.UNDECIDED));
    assertFeasibleAndBounded(problem, outcome);
  }
}
