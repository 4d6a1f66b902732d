package org.paceline.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.paceline.allocator.exact.OneBottleneck;
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

class GuardedTest {
  private static final UtilityFunction FUNCTION =
      UtilityFunction.of(
          "f",
          List.of(DataRate.ofKilobitsPerSecond(10)),
          List.of(Latency.ofMillis(10)),
          List.of(List.of(Utility.of(4.0))));
  private static final Problem PROBLEM =
      Problem.of(
          "line",
          Network.of(
              Set.of("a", "b"),
              List.of(
                  Link.of(
                      "a",
                      "b",
                      DataRate.ofKilobitsPerSecond(10),
                      LinkDelay.constant(Latency.ofMillis(1))))),
          List.of(Application.of("x", "a", "b", FUNCTION)),
          0,
          Sharing.FREE);

  static List<Allocator> failing() {
    return List.of(
        (problem, options) -> {
          throw new ArrayIndexOutOfBoundsException("Index 1 out of bounds");
        },
        (problem, options) -> {
          throw new AssertionError("Index 1 out of bounds");
        },
        (problem, options) -> {
          throw new UnsatisfiedLinkError("Index 1 out of bounds");
        },
        (problem, options) -> {
          throw new OutOfMemoryError("Index 1 out of bounds");
        },
        (problem, options) -> {
          throw new StackOverflowError("Index 1 out of bounds");
        });
  }

  @ParameterizedTest
  @MethodSource("failing")
  void whatAMethodThrowsIsAnsweredByTheNext(Allocator failing) {
    List<String> said = new ArrayList<>();

    Outcome outcome =
        new Guarded(said::add, failing, new OneBottleneck()).solve(PROBLEM, SolveOptions.DEFAULT);

    assertThat(outcome.orElseThrow().minimumUtility()).isEqualTo(Utility.of(4.0));
    assertThat(said).anyMatch(sentence -> sentence.contains("Index 1 out of bounds"));
  }

  @ParameterizedTest
  @MethodSource("failing")
  void whatAllThrowIsUndecidedWithTheReason(Allocator failing) {
    List<String> said = new ArrayList<>();

    Infeasible why =
        new Guarded(said::add, failing)
            .solve(PROBLEM, SolveOptions.DEFAULT)
            .infeasible()
            .orElseThrow();

    assertThat(said).singleElement().asString().contains("Index 1 out of bounds");
    assertThat(why.reason()).isEqualTo(Infeasible.Reason.UNDECIDED);
    assertThat(why.message()).contains("line", "Index 1 out of bounds", "Maybe");
  }
}
