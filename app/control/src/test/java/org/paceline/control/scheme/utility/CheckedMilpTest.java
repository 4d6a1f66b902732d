package org.paceline.control.scheme.utility;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.exact.OneBottleneck;
import org.paceline.control.SolverBug;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

final class CheckedMilpTest {
  private static final UtilityFunction WEB =
      UtilityFunction.of(
          "web",
          List.of(DataRate.ofKilobitsPerSecond(50), DataRate.ofKilobitsPerSecond(1_000)),
          List.of(Latency.ofMillis(10)),
          List.of(List.of(Utility.of(2)), List.of(Utility.of(5))));

  private final List<String> why = new ArrayList<>();
  private boolean isOneLate;

  @Test
  void anAnswerThatTheCheckersAcceptIsGivenAsItIs() {
    Problem problem = problem(3, 2_100);
    assertThat(attempt(new OneBottleneck(), problem))
        .contains(new OneBottleneck().solve(problem, SolveOptions.DEFAULT));
    assertThat(why).isEmpty();
  }

  @Test
  void thatThereIsNoRoomForAllIsAnAnswer() {
    assertThat(attempt(new OneBottleneck(), problem(3, 100)).orElseThrow().infeasible())
        .isPresent();
    assertThat(why).isEmpty();
  }

  @Test
  void anAnswerThatBreaksAConstraintIsRefusedByTheChecker() {
    Problem wide = problem(3, 100_000);
    assertThat(
            attempt(
                (problem, options) -> new OneBottleneck().solve(wide, options), problem(3, 2_100)))
        .isEmpty();
    assertThat(why).singleElement().asString().startsWith("The checker refuses");
  }

  @Test
  void anAnswerThatIsNotThereInTimeIsNone() {
    Allocator late =
        (problem, options) ->
            Outcome.infeasible(
                Infeasible.of(
                    Infeasible.Reason.UNDECIDED, "web", Optional.empty(), "Time ran out."));
    assertThat(attempt(late, problem(3, 2_100))).isEmpty();
    assertThat(why).containsExactly("Time ran out.");
  }

  @ParameterizedTest
  @EnumSource
  void whatTheProgramThrowsIsSaid(SolverBug bug) {
    Allocator broken =
        (problem, options) -> {
          throw bug.thrown();
        };
    assertThat(attempt(broken, problem(3, 2_100))).isEmpty();
    assertThat(why).singleElement().asString().contains(bug.said);
  }

  @Test
  void noSearchIsBegunBesideOneThatIsLate() {
    isOneLate = true;
    assertThat(attempt(new OneBottleneck(), problem(3, 2_100))).isEmpty();
    assertThat(why).singleElement().asString().contains("has not ended yet");
  }

  @Test
  void aProblemThatWouldFillTheMemoryIsNotBegun() {
    assertThat(
            attempt(
                (problem, options) -> {
                  throw new AssertionError("It was begun.");
                },
                problem(201, 2_100)))
        .isEmpty();
    assertThat(why).singleElement().asString().contains("at most 200", "201");
  }

  private Optional<Outcome> attempt(Allocator program, Problem problem) {
    return new CheckedMilp(program, () -> isOneLate)
        .attempt(problem, SolveOptions.DEFAULT, why::add);
  }

  private static Problem problem(int applications, long kbps) {
    Network network =
        Network.of(
            Set.of("a", "b"),
            List.of(
                Link.of(
                    "a",
                    "b",
                    DataRate.ofKilobitsPerSecond(kbps),
                    LinkDelay.constant(Latency.ofMillis(2)))));
    return Problem.of(
        "three",
        network,
        List.of(Application.of("web", "a", "b", WEB, applications, 1)),
        Problem.PAPER_EPSILON,
        Sharing.FREE);
  }
}
