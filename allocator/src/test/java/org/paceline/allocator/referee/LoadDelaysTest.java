package org.paceline.allocator.referee;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.AutoAllocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.milp.CpSatCore;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.Utility;

/** Small networks whose delays depend on load are solved to the proven optimum. */
@PropertyDefaults(generation = GenerationMode.RANDOMIZED, shrinking = ShrinkingMode.OFF)
class LoadDelaysTest {
  private static final Allocator AUTO =
      new AutoAllocator(new NetworkAllocator(Optional.of(new CpSatCore())));
  private static final Allocator WITHOUT_A_CORE =
      new AutoAllocator(new NetworkAllocator(Optional.empty()));

  @ParameterizedTest
  @CsvSource({
    "undecided_feasible, 2.08, 4780000000",
    "bad_ldchain_190039, 1.2, 18004956756",
    "bad_ldsh_200107, 1, 15020000000"
  })
  void whatACampaignFoundWrongIsRight(String name, double theta, long sum) {
    Problem problem = Instances.defect(name);
    for (Allocator allocator : new Allocator[] {AUTO, WITHOUT_A_CORE}) {
      Outcome outcome = allocator.solve(problem, SolveOptions.DEFAULT);

      Accepted.assertOptimal(problem, outcome, Utility.of(theta).billionths(), sum);
    }
  }

  @Property(tries = 60, seed = "17")
  void noCoreSolverIsNeeded(@ForAll @LongRange(max = 1L << 40) long seed) {
    Problem problem = RandomProblems.network(seed);
    if (problem.network().links().stream().allMatch(link -> link.delay().isConstant())) {
      return;
    }
    Outcome outcome = new NetworkAllocator(Optional.empty()).solve(problem, SolveOptions.DEFAULT);
    Optional<BruteForce.Optimum> optimum = BruteForce.solve(problem);
    assertThat(outcome.solution().map(Solution::sumBillionths))
        .as("%s", problem)
        .isEqualTo(optimum.map(o -> o.sum));
  }
}
