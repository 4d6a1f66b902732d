package org.paceline.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.auto.AutoAllocator;
import org.paceline.allocator.milp.CpSatCore;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.bench.workload.LoadDelayNetworks.Shape;
import org.paceline.bench.workload.LoadDelayReferee.Optimum;
import org.paceline.intents.check.CertificateChecker;
import org.paceline.intents.check.SolutionChecker;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.problem.Solution;

/** A slice of what {@code bench allocator --only load-delay} does. */
class LoadDelayNetworksTest {
  /** Of each kind, those that can be served; what cannot must be refused. */
  private static final int PROBLEMS = 20;

  private static final Allocator AUTO =
      new AutoAllocator(new NetworkAllocator(Optional.of(new CpSatCore())));

  @ParameterizedTest
  @CsvSource({
    "CHAIN, SAME_UTILITY_PER_TYPE",
    "TREE, SAME_UTILITY_PER_TYPE",
    "MESH, SAME_UTILITY_PER_TYPE",
    "CHAIN, FREE",
    "TREE, FREE",
    "MESH, FREE"
  })
  void anIndependentModelHasTheSameOptimum(Shape shape, Sharing sharing) {
    int feasible = 0;
    for (long seed = 1_001; feasible < PROBLEMS; seed++) {
      Problem problem = LoadDelayNetworks.of(shape, sharing, seed);
      Optional<Optimum> optimum = LoadDelayReferee.solve(problem, 120);
      Outcome outcome = AUTO.solve(problem, SolveOptions.DEFAULT);
      if (optimum.isEmpty()) {
        assertThat(outcome.infeasible().orElseThrow().reason())
            .as(problem.name())
            .isNotEqualTo(Infeasible.Reason.UNDECIDED);
        continue;
      }
      feasible++;
      Solution solution = outcome.orElseThrow();
      assertThat(SolutionChecker.violations(problem, solution)).as(problem.name()).isEmpty();
      assertThat(CertificateChecker.check(problem, solution).violations())
          .as(problem.name())
          .isEmpty();
      assertThat(new Optimum(solution.theta1().billionths(), solution.sumBillionths()))
          .as(problem.name())
          .isEqualTo(optimum.get());
      assertThat(solution.gap()).as(problem.name()).isZero();
    }
  }
}
