package org.paceline.control.scheme.utility;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.control.SolverBug;
import org.paceline.control.inventory.Routes;
import org.paceline.control.settings.SolverMethod;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

final class PlanSolverTest {
  private static final UtilityFunction QUICK = function("quick", 100, 10);
  private static final UtilityFunction BULKY = function("bulky", 5_000, 100);

  private final PlanSolver solver =
      new PlanSolver(new NetworkAllocator(Optional.empty()), Ring.IN_PEACE, warning -> {});

  @Test
  void withAChoiceOfWaysTheDelayCriticalGoTheQuickAndTheBulkyTheWideOne() {
    PlanAnswer answer =
        solver.solve(
            List.of(application("call", QUICK), application("copy", BULKY)),
            Set.of(),
            new Routes(Diamond.of(20)));
    assertThat(grant(answer, "call").path().nodes()).contains("quick");
    assertThat(grant(answer, "copy").path().nodes()).contains("wide");
    assertThat(grant(answer, "copy").rate()).isEqualTo(DataRate.ofKilobitsPerSecond(5_000));
    assertThat(answer.grants.values())
        .allSatisfy(grant -> assertThat(grant.utility()).isEqualTo(Utility.of(5)));
  }

  @ParameterizedTest
  @EnumSource
  void whatTheExactMethodThrowsIsSaidAndAnsweredByTheNetworkMethod(SolverBug bug) {
    List<String> warnings = new ArrayList<>();
    PlanSolver solver =
        new PlanSolver(
            new ChosenMethod(
                (problem, options) -> {
                  throw bug.thrown();
                },
                new CheckedMilp(),
                Ring.IN_PEACE,
                warnings::add),
            new NetworkAllocator(Optional.empty()),
            Ring.IN_PEACE);

    PlanAnswer answer =
        solver.solve(
            IntStream.range(0, 4).mapToObj(Ring::application).collect(Collectors.toList()),
            Set.of(),
            new Routes(Ring.of(10_000)));

    assertThat(answer.method()).isEqualTo("network");
    assertThat(answer.grants).hasSize(4);
    assertThat(warnings)
        .isNotEmpty()
        .allSatisfy(
            warning -> assertThat(warning).contains("The exact method failed").contains(bug.said));
  }

  /** OR-Tools is not among the libraries of these tests. */
  @Test
  void whereTheLibraryOfMilpIsNotThereTheAnswerIsAutosAndSaysWhy() {
    List<String> warnings = new ArrayList<>();
    PlanAnswer answer = solve(SolverMethod.MILP, onePath(), warnings);
    assertThat(answer.method()).isEqualTo("exact");
    assertThat(answer.grants).hasSize(2);
    assertThat(answer.remarks)
        .singleElement()
        .asString()
        .contains("OR-Tools cannot be loaded", "auto answers in place of milp");
    assertThat(warnings).isEqualTo(answer.remarks);
  }

  @Test
  void whereOneBottleneckDoesNotDecideTheNetworkMethodAnswersAndSaysSo() {
    PlanAnswer answer = solve(SolverMethod.EXACT, new Routes(Diamond.of(20)), new ArrayList<>());
    assertThat(answer.method()).isEqualTo("network");
    assertThat(answer.remarks)
        .anySatisfy(remark -> assertThat(remark).contains("network answers in place of exact"));
  }

  @Test
  void theNetworkMethodIsTakenAlsoWhereOneBottleneckDecides() {
    assertThat(solve(SolverMethod.AUTO, onePath(), new ArrayList<>()).method()).isEqualTo("exact");
    PlanAnswer answer = solve(SolverMethod.NETWORK, onePath(), new ArrayList<>());
    assertThat(answer.method()).isEqualTo("network");
    assertThat(answer.grants).hasSize(2);
    assertThat(answer.remarks).noneMatch(remark -> remark.contains("in place of"));
  }

  private static PlanAnswer solve(SolverMethod method, Routes routes, List<String> warnings) {
    return new PlanSolver(
            new NetworkAllocator(Optional.empty()),
            Ring.IN_PEACE.toBuilder().solver(method).build(),
            warnings::add)
        .solve(List.of(application("call", QUICK), application("copy", BULKY)), Set.of(), routes);
  }

  private static Routes onePath() {
    return new Routes(
        Network.of(
            Set.of("a", "b"),
            List.of(
                Link.of(
                    "a",
                    "b",
                    DataRate.ofKilobitsPerSecond(4_000),
                    LinkDelay.constant(Latency.ofMillis(2))))));
  }

  private static Grant grant(PlanAnswer answer, String id) {
    return Objects.requireNonNull(answer.grants.get(id), id);
  }

  private static Application application(String id, UtilityFunction function) {
    return Application.of(id, "a", "b", function, 1, 1);
  }

  /** Good at so much rate within so much delay, bad with less of either. */
  private static UtilityFunction function(String name, long kbps, long millis) {
    return UtilityFunction.of(
        name,
        List.of(DataRate.ofKilobitsPerSecond(50), DataRate.ofKilobitsPerSecond(kbps)),
        List.of(Latency.ofMillis(millis), Latency.ofMillis(500)),
        List.of(List.of(Utility.of(2), Utility.of(1)), List.of(Utility.of(5), Utility.of(1.5))));
  }
}
