package org.paceline.intents.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.paceline.intents.check.SmallWorld.application;
import static org.paceline.intents.check.SmallWorld.grant;
import static org.paceline.intents.check.SmallWorld.problem;
import static org.paceline.intents.check.SmallWorld.solution;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.problem.Solution;

/** The world: a -> b is short, fills up at 1000 kbit/s and slows down on the way there. */
class SolutionCheckerTest {
  private static final Problem TWO = problem(application("x", 1), application("y", 2));

  @Test
  void acceptsASolutionThatKeepsEveryConstraint() {
    Solution solution =
        solution(3, grant("x", 1, 400, 10, 3, "a", "b"), grant("y", 2, 200, 10, 3, "a", "b"));

    assertThat(SolutionChecker.violations(TWO, solution)).isEmpty();
  }

  @Test
  void findsAGrantToNobody() {
    assertFault(
        "(z) is to no application",
        grant("x", 1, 200, 30, 2, "a", "b"),
        grant("y", 2, 200, 30, 2, "a", "b"),
        grant("z", 1, 200, 30, 2, "a", "b"));
  }

  @Test
  void findsCopiesThatGoWithoutAndCopiesTooMany() {
    assertFault(
        "(y) counts 2 but 1 are granted",
        grant("x", 1, 200, 30, 2, "a", "b"),
        grant("y", 1, 200, 30, 2, "a", "b"));
    assertFault(
        "(x) counts 1 but 2 are granted",
        grant("x", 2, 200, 30, 2, "a", "b"),
        grant("y", 2, 200, 30, 2, "a", "b"));
    assertFault("(y) counts 2 but 0 are granted", grant("x", 1, 200, 30, 2, "a", "b"));
  }

  @Test
  void findsARateBetweenTwoBins() {
    assertFault(
        "rate (300 kbit/s) of (x) is no bin",
        grant("x", 1, 300, 30, 3, "a", "b"),
        grant("y", 2, 200, 30, 2, "a", "b"));
  }

  @Test
  void findsADelayBetweenTwoBins() {
    assertFault(
        "delay (20 ms) of (x) is no bin",
        grant("x", 1, 200, 20, 2, "a", "b"),
        grant("y", 2, 200, 30, 2, "a", "b"));
  }

  @Test
  void findsAUtilityThatIsNotItsCells() {
    assertFault(
        "utility (4) of (x) is not its cell's (2)",
        grant("x", 1, 200, 30, 4, "a", "b"),
        grant("y", 2, 200, 30, 2, "a", "b"));
  }

  @Test
  void findsAPathThatEndsElsewhere() {
    assertFault(
        "(a -> c) of (x) does not lead from (a) to (b)",
        grant("x", 1, 200, 30, 2, "a", "c"),
        grant("y", 2, 200, 30, 2, "a", "b"));
    assertFault(
        "(c -> b) of (x) does not lead from (a) to (b)",
        grant("x", 1, 200, 30, 2, "c", "b"),
        grant("y", 2, 200, 30, 2, "a", "b"));
  }

  @Test
  void findsAHopThatIsNoLink() {
    assertFault(
        "(x) uses (d -> b), which is no link",
        grant("x", 1, 200, 30, 2, "a", "d", "b"),
        grant("y", 2, 200, 30, 2, "a", "b"));
  }

  @Test
  void findsALinkAboveItsCapacity() {
    assertFault(
        "(a -> b) carries 1200 kbit/s of 1000 kbit/s",
        grant("x", 1, 400, 30, 3, "a", "b"),
        grant("y", 2, 400, 30, 3, "a", "b"));
  }

  @Test
  void doesNotOverflowOnAbsurdLoads() {
    Problem many = problem(application("x", Integer.MAX_VALUE));
    Solution solution = solution(3, grant("x", Integer.MAX_VALUE, 400, 10, 3, "a", "b"));

    assertThat(SolutionChecker.violations(many, solution))
        .anyMatch(v -> v.contains("(a -> b) carries"));
  }

  @Test
  void findsAPathThatIsTooSlowAtTheGrantedLoads() {
    // Empty, the link takes 2 ms, within the bin of 10; at 1000 kbit/s it takes 22.
    assertFault(
        "path of (x) takes 22 ms at the granted loads, more than its delay (10 ms)",
        grant("x", 1, 400, 10, 3, "a", "b"),
        grant("y", 1, 200, 30, 2, "a", "b"),
        grant("y", 1, 400, 30, 3, "a", "b"));
  }

  @Test
  void findsTwoCellsOfATypeThatSharesOne() {
    Problem shared =
        SmallWorld.problem(Sharing.SAME_UTILITY_PER_TYPE, application("x", 1), application("y", 2));
    Solution solution =
        solution(2, grant("x", 1, 400, 30, 3, "a", "b"), grant("y", 2, 200, 30, 2, "a", "b"));

    assertThat(SolutionChecker.violations(shared, solution))
        .singleElement()
        .asString()
        .contains("type (f) must share one cell");
    assertThat(SolutionChecker.violations(TWO, solution)).isEmpty();
  }

  @Test
  void findsAnApplicationBelowTheFloor() {
    Solution solution =
        solution(2.5, grant("x", 1, 200, 30, 2, "a", "b"), grant("y", 2, 200, 10, 3, "a", "b"));

    assertThat(SolutionChecker.violations(TWO, solution))
        .singleElement()
        .asString()
        .contains("utility (2) of (x) is below the floor");
  }

  @Test
  void findsAThetaBelowWhatTheGrantsReach() {
    Solution solution =
        solution(2, grant("x", 1, 400, 10, 3, "a", "b"), grant("y", 2, 200, 10, 3, "a", "b"));

    assertThat(SolutionChecker.violations(TWO, solution))
        .singleElement()
        .asString()
        .contains("the grants reach 3");
  }

  @Test
  void findsASumThatOverflowed() {
    Problem many = problem(application("x", Integer.MAX_VALUE));
    Solution solution = solution(5, grant("x", Integer.MAX_VALUE, 400, 10, 5, "a", "b"));

    assertThat(SolutionChecker.violations(many, solution))
        .anyMatch(v -> v.contains("sum of utilities"));
  }

  private static void assertFault(String fault, Grant... grants) {
    List<String> violations = SolutionChecker.violations(TWO, solution(2, grants));

    assertThat(violations).anyMatch(v -> v.contains(fault));
  }
}
