package org.paceline.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.milp.CpSatCore;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.bench.workload.SmallNetworks.Shape;
import org.paceline.intents.check.CertificateChecker;
import org.paceline.intents.check.SolutionChecker;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.problem.Solution;

class SmallNetworksTest {
  private static final SolveOptions PATIENT =
      SolveOptions.builder().timeLimit(Duration.ofMinutes(5)).build();

  /** A search of all columns at once left these open after 20 seconds. */
  @ParameterizedTest
  @CsvSource({"TRIANGLE, 3", "TRIANGLE, 6", "TRIANGLE, 11", "MESH, 8"})
  void theBestCellsThatTypesShareAreProven(Shape shape, long seed) {
    Problem problem = SmallNetworks.of(shape, Sharing.SAME_UTILITY_PER_TYPE, seed);
    Solution solution =
        new NetworkAllocator(Optional.of(new CpSatCore())).solve(problem, PATIENT).orElseThrow();
    assertThat(SolutionChecker.violations(problem, solution)).isEmpty();
    assertThat(CertificateChecker.check(problem, solution).violations()).isEmpty();
    assertThat(solution.theta1()).isEqualTo(solution.certificate().thetaBound());
    assertThat(solution.gap()).isZero();
  }
}
