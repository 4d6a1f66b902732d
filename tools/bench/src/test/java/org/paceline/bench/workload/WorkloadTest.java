package org.paceline.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.exact.OneBottleneck;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.bench.kernel.OneLinkKernel;
import org.paceline.intents.check.SolutionChecker;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.problem.Solution;

class WorkloadTest {
  @Test
  void thePapersProblemHasTheOptimumOfTheReferenceInstance() {
    Solution solution =
        new OneBottleneck()
            .solve(OneLink.paper(80, Sharing.FREE), SolveOptions.DEFAULT)
            .orElseThrow();
    // The catalogue's utilities have six digits, the instance's nine.
    assertThat(solution.theta1().billionths() / 1e9).isCloseTo(2.895469515, within(1e-6));
    assertThat(solution.sumBillionths() / 1e9).isCloseTo(309.093066286, within(8e-5));
  }

  @ParameterizedTest
  @ValueSource(strings = {"free-10", "pertype-120", "types-1000", "entries-1000"})
  void aWorkloadHasAsManyApplicationsAsItsNameSays(String workload) {
    assertThat(OneLinkKernel.problem(workload).size())
        .isEqualTo(Integer.parseInt(workload.substring(workload.indexOf('-') + 1)));
  }

  @ParameterizedTest
  @EnumSource(SmallNetworks.Shape.class)
  void smallNetworksAreSmallAndTheSameForTheSameSeed(SmallNetworks.Shape shape) {
    Problem problem = SmallNetworks.of(shape, Sharing.FREE, 7);
    assertThat(problem.network().nodes().size()).isBetween(3, 6);
    assertThat(problem.size()).isBetween(25L, 45L);
    Problem again = SmallNetworks.of(shape, Sharing.FREE, 7);
    assertThat(again.network()).isEqualTo(problem.network());
    assertThat(again.applications()).isEqualTo(problem.applications());
    assertThat(SmallNetworks.of(shape, Sharing.FREE, 8).applications())
        .isNotEqualTo(problem.applications());
  }

  @Test
  void functionsAreDistinct() {
    Problem problem = OneLinkKernel.problem("functions-1000000");
    assertThat(problem.size()).isEqualTo(1_000_000);
    assertThat(problem.applications().stream().map(a -> a.utilityFunction()).distinct().count())
        .isEqualTo(1_000);
  }

  @Test
  void generatedNetworksHaveTheSizeOfTheTargets() {
    Topology wan = GeneratedTopologies.waxman(90, 170, 1);
    assertThat(wan.network().nodes()).hasSize(90);
    assertThat(wan.network().links()).hasSize(340);
    assertThat(GeneratedTopologies.campus(4, 6, 12).network().nodes()).hasSize(90);
  }

  @Test
  void equalArgumentsGiveEqualProblems() {
    Topology wan = GeneratedTopologies.waxman(30, 57, 3);
    assertThat(Traffic.on(wan, Traffic.Pattern.ANY, 1_000, 5))
        .isEqualTo(
            Traffic.on(GeneratedTopologies.waxman(30, 57, 3), Traffic.Pattern.ANY, 1_000, 5));
    assertThat(Traffic.on(wan, Traffic.Pattern.ANY, 1_000, 5))
        .isNotEqualTo(Traffic.on(wan, Traffic.Pattern.ANY, 1_000, 6));
  }

  @Test
  void generatedNetworksCanBeSolved() {
    Problem problem = Traffic.on(GeneratedTopologies.campus(2, 2, 3), Traffic.Pattern.HUBS, 200, 1);
    assertThat(problem.size()).isEqualTo(200);
    Solution solution =
        new NetworkAllocator(Optional.empty())
            .solve(
                problem,
                SolveOptions.builder()
                    .timeLimit(java.time.Duration.ofMinutes(5))
                    .targetGap(0.1)
                    .build())
            .orElseThrow();
    assertThat(SolutionChecker.violations(problem, solution)).isEmpty();
  }
}
