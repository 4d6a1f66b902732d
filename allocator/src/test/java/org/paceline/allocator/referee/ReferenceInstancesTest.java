package org.paceline.allocator.referee;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.exact.OneBottleneck;
import org.paceline.allocator.milp.AggregatedKnapsackMilp;
import org.paceline.allocator.milp.CpSatCore;
import org.paceline.allocator.milp.MipSolver;
import org.paceline.allocator.network.core.CoreResult;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;

/** The published instances, whose optima other programs found. */
class ReferenceInstancesTest {
  static List<String> oneLink() {
    return Instances.ONE_LINK;
  }

  static List<String> networks() {
    return Instances.NETWORKS;
  }

  @ParameterizedTest
  @MethodSource("oneLink")
  void dynamicProgrammingOverTheWholeCapacityAgreesWithThePublishedOptimum(String name) {
    BruteForce.Optimum optimum = new LinkOracle(Instances.problem(name)).solve();

    assertThat(optimum).asString().isEqualTo(Instances.expected(name).toString());
  }

  @ParameterizedTest
  @MethodSource("oneLink")
  void theExactSolverFindsThePublishedOptimum(String name) {
    assertOptimal(new OneBottleneck(), name);
  }

  @ParameterizedTest
  @MethodSource("oneLink")
  void theAggregatedKnapsackFindsThePublishedOptimum(String name) {
    assertOptimal(new AggregatedKnapsackMilp(MipSolver.HIGHS), name);
  }

  @ParameterizedTest
  @MethodSource("networks")
  void theCoreSolverProvesThePublishedOptimumOfTheWholeNetwork(String name) {
    Problem problem = Instances.problem(name);
    WholeCore whole = new WholeCore(problem);
    CpSatCore solver = new CpSatCore();
    Duration limit = Duration.ofMinutes(10);

    long theta = whole.theta(core -> solver.solve(core, limit).hasChoice());
    CoreResult result = solver.solve(whole.at(theta - problem.epsilonBillionths()), limit);

    assertThat(theta).isEqualTo(Instances.expected(name).theta);
    assertThat(result.status()).isEqualTo(CoreResult.Status.OPTIMAL);
    assertThat(result.bound()).isEqualTo(Instances.expected(name).sum);
  }

  private static void assertOptimal(Allocator solver, String name) {
    Problem problem = Instances.problem(name);
    BruteForce.Optimum expected = Instances.expected(name);

    Outcome outcome = solver.solve(problem, SolveOptions.DEFAULT);

    Accepted.assertAccepted(problem, outcome);
    assertThat(outcome.orElseThrow().theta1().billionths()).isEqualTo(expected.theta);
    assertThat(outcome.orElseThrow().sumBillionths()).isEqualTo(expected.sum);
  }
}
