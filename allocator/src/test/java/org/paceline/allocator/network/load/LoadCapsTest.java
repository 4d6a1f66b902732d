package org.paceline.allocator.network.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.intents.check.CertificateChecker;
import org.paceline.intents.check.SolutionChecker;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/** A link of 1000 kbit/s that takes 2 ms up to 800 kbit/s and 22 ms when it is full. */
class LoadCapsTest {
  private final NetworkAllocator allocator = new NetworkAllocator(Optional.empty());

  @Test
  void aLinkIsLeftEmptierWhereThatMakesItFastEnough() {
    Problem problem = problem(2, List.of(400, 500), List.of(row(4, 2), row(5, 3)));

    Solution solution = solve(problem);

    // Full, the link gives both 500 kbit/s and 3.
    assertThat(solution.theta1()).isEqualTo(Utility.of(4));
    assertThat(solution.grants()).extracting(Grant::utility).containsOnly(Utility.of(4));
  }

  @Test
  void whoFitsOnlyThroughALinkThatIsNotFullIsServed() {
    // Nobody bears the 22 ms of the full link.
    UtilityFunction impatient =
        UtilityFunction.of("f", List.of(kbps(400)), List.of(Latency.ofMillis(10)), List.of(row(5)));
    Problem problem = problem(2, impatient);

    assertThat(solve(problem).theta1()).isEqualTo(Utility.of(5));
  }

  @Test
  void aLinkIsLeftAsEmptyAsADelayBinNeedsIt() {
    LinkDelay slope =
        LinkDelay.piecewise(
            List.of(kbps(0), kbps(1000)), List.of(Latency.ofMillis(2), Latency.ofMillis(22)));
    Problem problem = problem(2, bearing10Or30(List.of(200, 500), List.of(row(4, 2), row(5, 3))));

    // 10 ms are kept up to 400 kbit/s, which is no point of the delay.
    Solution solution = solve(problem.withNetwork(network(slope)));

    assertThat(solution.theta1()).isEqualTo(Utility.of(4));
  }

  @Test
  void fasterPathsThanWereAssumedAreMadeUseOf() {
    assertThat(solve(problem(1, List.of(400), List.of(row(5, 2)))).theta1())
        .isEqualTo(Utility.of(5));
  }

  private Solution solve(Problem problem) {
    Solution solution = allocator.solve(problem, SolveOptions.DEFAULT).orElseThrow();
    assertThat(SolutionChecker.violations(problem, solution)).isEmpty();
    assertThat(CertificateChecker.check(problem, solution).violations()).isEmpty();
    return solution;
  }

  private static Problem problem(int count, List<Integer> rates, List<List<Utility>> table) {
    return problem(count, bearing10Or30(rates, table));
  }

  private static UtilityFunction bearing10Or30(List<Integer> rates, List<List<Utility>> table) {
    List<DataRate> axis = new ArrayList<>();
    rates.forEach(r -> axis.add(kbps(r)));
    return UtilityFunction.of(
        "f", axis, List.of(Latency.ofMillis(10), Latency.ofMillis(30)), table);
  }

  private static Problem problem(int count, UtilityFunction function) {
    LinkDelay queue =
        LinkDelay.piecewise(
            List.of(kbps(800), kbps(1000)), List.of(Latency.ofMillis(2), Latency.ofMillis(22)));
    return Problem.of(
        "load",
        network(queue),
        List.of(Application.of("x", "a", "b", function, count, 0)),
        Problem.PAPER_EPSILON,
        Sharing.FREE);
  }

  private static Network network(LinkDelay delay) {
    return Network.of(List.of("a", "b"), List.of(Link.of("a", "b", kbps(1000), delay)));
  }

  private static List<Utility> row(int... utilities) {
    List<Utility> row = new ArrayList<>();
    for (int utility : utilities) {
      row.add(Utility.of(utility));
    }
    return row;
  }

  private static DataRate kbps(int rate) {
    return DataRate.ofKilobitsPerSecond(rate);
  }
}
