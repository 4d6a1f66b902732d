package org.paceline.allocator.referee;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.milp.CpSatCore;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.Utility;

/** The network allocator, with CP-SAT to close its cores, against brute force and the checkers. */
@PropertyDefaults(generation = GenerationMode.RANDOMIZED, shrinking = ShrinkingMode.OFF)
class NetworksAgreeTest {
  private static final Allocator NETWORK = new NetworkAllocator(Optional.of(new CpSatCore()));

  private static final SolveOptions AT_ONCE =
      SolveOptions.DEFAULT.toBuilder().timeLimit(Duration.ofMillis(1)).build();

  private static final SolveOptions FILLING =
      SolveOptions.DEFAULT.toBuilder().lexicographic(true).build();

  @Property(tries = 150, seed = "20")
  void smallNetworksAreSolvedToTheProvenOptimum(@ForAll @LongRange(max = 1L << 40) long seed) {
    Problem problem = RandomProblems.network(seed);
    Outcome outcome = NETWORK.solve(problem, SolveOptions.DEFAULT);

    // Also where delay depends on load: all these networks are small enough for every path.
    Accepted.assertOptimal(problem, outcome);
    assertThat(outcome.infeasible().map(Infeasible::reason))
        .as("%s", problem)
        .isNotEqualTo(Optional.of(Infeasible.Reason.UNDECIDED));
  }

  /** 12 nodes, 743 paths; HiGHS proved the optimum in 49 s. */
  @Test
  void aLargerNetworkWhosePathsAreAllListedIsClosed() {
    assertClosed(5e-3);
  }

  @Test
  @org.junit.jupiter.api.Tag("long")
  void givenTimeItIsNearlyClosed() {
    assertClosed(1e-3);
  }

  private static void assertClosed(double gap) {
    Problem problem = Instances.defect("weak_bound_12nodes");
    Outcome outcome =
        NETWORK.solve(
            problem,
            SolveOptions.DEFAULT.toBuilder()
                .targetGap(0.9 * gap)
                .timeLimit(Duration.ofMinutes(10))
                .build());

    Accepted.assertAccepted(problem, outcome);
    Solution solution = outcome.orElseThrow();
    assertThat(solution.theta1()).isEqualTo(Utility.of(1.693333));
    assertThat(166_354_393_000L)
        .isBetween(solution.sumBillionths(), solution.certificate().sumBound());
    assertThat(solution.gap()).isLessThan(gap);
  }

  @Property(tries = 150, seed = "17")
  void boundsHoldWhereTheTimeIsOverAtOnce(@ForAll @LongRange(max = 1L << 40) long seed) {
    Problem problem = RandomProblems.network(seed);
    Optional<BruteForce.Optimum> optimum = BruteForce.solve(problem);
    Outcome outcome = NETWORK.solve(problem, AT_ONCE);
    if (outcome.solution().isEmpty()) {
      Infeasible.Reason reason = outcome.infeasible().orElseThrow().reason();
      assertThat(optimum.isEmpty() || reason == Infeasible.Reason.UNDECIDED)
          .as("%s", problem)
          .isTrue();
      return;
    }
    Accepted.assertAccepted(problem, outcome);
    Solution solution = outcome.orElseThrow();
    assertThat(optimum.orElseThrow().theta)
        .as("%s", problem)
        .isBetween(
            solution.theta1().billionths(), solution.certificate().thetaBound().billionths());
    if (optimum.get().theta == solution.theta1().billionths()) {
      assertThat(optimum.get().sum)
          .as("%s", problem)
          .isBetween(solution.sumBillionths(), solution.certificate().sumBound());
    }
  }

  @Property(tries = 100, seed = "20")
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

  @Tag("long")
  @Property(tries = 1_000, seed = "20")
  void levelsAreFilledAsWellOften(@ForAll @LongRange(max = 1L << 40) long seed) {
    levelsAreFilledAsWellAsByTryingEverything(seed);
  }

  private static long[] utilities(Solution solution) {
    return solution.grants().stream()
        .flatMapToLong(g -> LongStream.generate(g.utility()::billionths).limit(g.count()))
        .sorted()
        .toArray();
  }

  @Property(tries = 40, seed = "20")
  void theOrderOfTheInputChangesNothing(@ForAll @LongRange(max = 1L << 40) long seed) {
    Problem problem = RandomProblems.network(seed);
    Outcome outcome = NETWORK.solve(problem, SolveOptions.DEFAULT);

    assertThat(NETWORK.solve(RandomProblems.shuffled(problem, seed), SolveOptions.DEFAULT))
        .as("of %s", problem)
        .isEqualTo(outcome);
  }
}
