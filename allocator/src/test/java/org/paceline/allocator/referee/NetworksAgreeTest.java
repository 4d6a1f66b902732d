package org.paceline.allocator.referee;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.LongRange;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.milp.CpSatCore;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;

/** The network allocator, with CP-SAT to close its cores, against brute force and the checkers. */
class NetworksAgreeTest {
  private static final Allocator NETWORK = new NetworkAllocator(Optional.of(new CpSatCore()));

  private static final SolveOptions FILLING =
      SolveOptions.DEFAULT.toBuilder().lexicographic(true).build();

  @Property(
      tries = 150,
      seed = "20",
      generation = GenerationMode.RANDOMIZED,
      shrinking = ShrinkingMode.OFF)
  void smallNetworksAreSolvedToTheProvenOptimum(@ForAll @LongRange(max = 1L << 40) long seed) {
    Problem problem = RandomProblems.network(seed);
    Optional<BruteForce.Optimum> optimum = BruteForce.solve(problem);
    Outcome outcome = NETWORK.solve(problem, SolveOptions.DEFAULT);
    boolean steady = problem.network().links().stream().allMatch(l -> l.delay().isConstant());

    if (outcome.solution().isEmpty()) {
      boolean undecided = outcome.infeasible().get().reason() == Infeasible.Reason.UNDECIDED;
      // Where delay depends on load only what holds at full load is tried, but nothing is denied.
      assertThat(optimum.isEmpty() || (undecided && !steady)).as("%s", problem).isTrue();
      return;
    }
    assertThat(optimum).as("of %s", problem).isPresent();
    Accepted.assertAccepted(problem, outcome);
    Solution solution = outcome.orElseThrow();
    long theta = optimum.get().theta;
    assertThat(solution.theta1().billionths()).as("%s", problem).isLessThanOrEqualTo(theta);
    assertThat(solution.certificate().thetaBound().billionths())
        .as("%s", problem)
        .isGreaterThanOrEqualTo(theta);
    if (solution.theta1().billionths() == theta) {
      assertThat(optimum.get().sum)
          .as("%s", problem)
          .isBetween(solution.sumBillionths(), solution.certificate().sumBound());
    }
    if (steady) {
      assertThat(solution.theta1().billionths()).as("%s", problem).isEqualTo(theta);
      assertThat(solution.sumBillionths()).as("%s", problem).isEqualTo(optimum.get().sum);
      assertThat(solution.gap()).as("%s", problem).isZero();
    }
  }

  @Property(
      tries = 300,
      seed = "20",
      generation = GenerationMode.RANDOMIZED,
      shrinking = ShrinkingMode.OFF)
  void levelsAreFilledAsWellAsByTryingEverything(@ForAll @LongRange(max = 1L << 40) long seed) {
    Problem problem = RandomProblems.network(seed);
    Outcome outcome = NETWORK.solve(problem, FILLING);
    if (outcome.solution().isEmpty()) {
      return;
    }
    Accepted.assertAccepted(problem, outcome);
    Solution solution = outcome.orElseThrow();
    long[] best = BruteForce.fullest(problem);
    boolean steady = problem.network().links().stream().allMatch(l -> l.delay().isConstant());
    if (steady) {
      assertThat(utilities(solution)).as("of %s", problem).isEqualTo(best);
      assertThat(solution.isFilled()).as("of %s", problem).isTrue();
    } else {
      assertThat(Arrays.compare(utilities(solution), best)).isLessThanOrEqualTo(0);
    }
  }

  private static long[] utilities(Solution solution) {
    return solution.grants().stream()
        .flatMapToLong(g -> LongStream.generate(g.utility()::billionths).limit(g.count()))
        .sorted()
        .toArray();
  }

  @Property(
      tries = 40,
      seed = "20",
      generation = GenerationMode.RANDOMIZED,
      shrinking = ShrinkingMode.OFF)
  void theOrderOfTheInputChangesNothing(@ForAll @LongRange(max = 1L << 40) long seed) {
    Problem problem = RandomProblems.network(seed);
    Outcome outcome = NETWORK.solve(problem, SolveOptions.DEFAULT);

    assertThat(NETWORK.solve(RandomProblems.shuffled(problem, seed), SolveOptions.DEFAULT))
        .as("of %s", problem)
        .isEqualTo(outcome);
  }
}
