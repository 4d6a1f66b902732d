package org.paceline.allocator.referee;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.auto.AutoAllocator;
import org.paceline.allocator.milp.CpSatCore;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.intents.check.CertificateChecker;
import org.paceline.intents.check.CertificateReport;
import org.paceline.intents.check.CertificateReport.Standing;
import org.paceline.intents.problem.BoxTree;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.Utility;

/** Small networks whose delays depend on load are solved to the proven optimum. */
@PropertyDefaults(generation = GenerationMode.RANDOMIZED, shrinking = ShrinkingMode.OFF)
class LoadDelaysTest {
  /** More than the round-off that bounds are allowed. */
  private static final long MICRO = 1000;

  private static final Allocator AUTO =
      new AutoAllocator(new NetworkAllocator(Optional.of(new CpSatCore())));
  private static final Allocator WITHOUT_A_CORE =
      new AutoAllocator(new NetworkAllocator(Optional.empty()));

  @ParameterizedTest
  @CsvSource({
    "crash_offers_profile, 1.07, 4081581000",
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
    // One link is not searched in boxes where another method may have it.
    NetworkAllocator boxes = new NetworkAllocator(Optional.empty());
    assertProved(problem, boxes.solve(problem, SolveOptions.DEFAULT));
  }

  @Property(tries = 1000, seed = "17")
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
    if (optimum.isPresent()) {
      assertProved(problem, outcome);
      assertNothingBetterIsProved(problem, outcome.orElseThrow());
    }
  }

  /** Not only claimed: whoever goes after the boxes finds the bounds. */
  private static void assertProved(Problem problem, Outcome outcome) {
    CertificateReport report = Accepted.assertAccepted(problem, outcome);
    assertThat(report.theta()).as("of %s", problem).isEqualTo(Standing.PROVED);
    assertThat(report.sum()).as("of %s", problem).isEqualTo(Standing.PROVED);
  }

  /**
   * The same boxes, with bounds that the optimum contradicts: it has to be found in one of them.
   */
  private static void assertNothingBetterIsProved(Problem problem, Solution optimum) {
    Certificate said = optimum.certificate();
    Utility lower =
        Utility.ofBillionths(Math.max(Utility.SCALE, optimum.theta1().billionths() - MICRO));
    List<BoxTree> trees = new ArrayList<>(said.sumBoxes());
    if (!trees.isEmpty()) {
      BoxTree tree = trees.get(0);
      trees.set(0, BoxTree.of(tree.applications(), tree.bound() - MICRO, tree.boxes()));
    }
    Certificate wrong =
        Certificate.of(
                lower,
                said.sumBound() - MICRO,
                Certificate.Proof.EXHAUSTIVE,
                said.prices(),
                Optional.of(optimum.theta1()),
                Map.of())
            .withBoxes(said.refutingBoxes(), trees);
    // Of a solution that is worth less, so that nothing else contradicts them.
    List<Grant> grants = new ArrayList<>(optimum.grants());
    Grant first = grants.get(0);
    grants.set(
        0,
        Grant.of(
            first.applicationId(),
            first.count(),
            first.rate(),
            first.delay(),
            Utility.MIN,
            first.path()));
    Solution less = Solution.of(lower, grants, wrong);
    CertificateReport report = CertificateChecker.check(problem, less);
    if (lower.compareTo(optimum.theta1()) < 0) {
      assertThat(report.theta()).as("of %s", problem).isNotEqualTo(Standing.PROVED);
    }
    assertThat(report.sum()).as("of %s", problem).isNotEqualTo(Standing.PROVED);
  }
}
