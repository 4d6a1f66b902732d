package org.paceline.allocator.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.intents.check.SolutionChecker;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.utility.UtilityFunction;
import org.paceline.json.catalogue.Catalogue;

class AdmissionTest {
  private static final UtilityFunction LIVE =
      Catalogue.load().values().stream()
          .filter(f -> f.rateMillibits(0) == 750_000_000L)
          .findFirst()
          .orElseThrow();

  private final NetworkAllocator allocator = new NetworkAllocator(Optional.empty());

  /** Two hops, the second of which has room for four of the least. */
  private static Problem tooSmall() {
    Network line =
        Network.of(
            List.of("a", "b", "c"), List.of(link("a", "b", 100_000, 1), link("b", "c", 3_100, 1)));
    List<Application> applications = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      applications.add(Application.of("app" + i, i % 2 == 0 ? "a" : "b", "c", LIVE, 1, i));
    }
    return Problem.of("line", line, applications, Problem.PAPER_EPSILON, Sharing.FREE);
  }

  private static Link link(String from, String to, long kbps, long ms) {
    return Link.of(
        from,
        to,
        DataRate.ofKilobitsPerSecond(BigDecimal.valueOf(kbps)),
        LinkDelay.constant(Latency.ofMillis(ms)));
  }

  @Test
  void aLinkThatIsTooSmallIsNamedAsTheBottleneck() {
    Infeasible why = allocator.solve(tooSmall(), SolveOptions.DEFAULT).infeasible().orElseThrow();
    assertThat(why.reason()).isEqualTo(Infeasible.Reason.NO_ROOM);
    assertThat(why.bottleneck()).contains(LinkId.of("b", "c"));
  }

  @Test
  void theLowestPrioritiesGiveWayAndAreToldWhy() {
    Admitted admitted = new Admission(allocator).admit(tooSmall(), SolveOptions.DEFAULT);
    assertThat(admitted.dropped())
        .extracting(Admitted.Dropped::applicationId)
        .containsExactly("app0", "app1");
    assertThat(admitted.dropped().get(0).reason().message()).contains("b -> c");
    assertThat(admitted.solution().orElseThrow().grants()).hasSize(4);
  }

  @Test
  void ofAnApplicationThatCountsManyOnlyTheCopiesWithoutRoomAreDropped() {
    Problem many =
        tooSmall()
            .withApplications(
                List.of(
                    Application.of("crowd", "b", "c", LIVE, 1_000, 1),
                    Application.of("few", "b", "c", LIVE, 2, 0),
                    Application.of("boss", "b", "c", LIVE, 1, 2)));
    Admitted admitted = new Admission(allocator).admit(many, SolveOptions.DEFAULT);
    // Four fit: the boss, and three of the next priority.
    assertThat(admitted.dropped())
        .extracting(Admitted.Dropped::applicationId, Admitted.Dropped::count)
        .containsExactlyInAnyOrder(tuple("few", 2), tuple("crowd", 997));
    assertThat(admitted.problem().applications())
        .extracting(Application::id, Application::count)
        .containsExactlyInAnyOrder(tuple("crowd", 3), tuple("boss", 1));
    assertThat(SolutionChecker.violations(admitted.problem(), admitted.solution().orElseThrow()))
        .isEmpty();
  }

  @Test
  void nobodyIsDroppedWhereTheAllocatorDidNotDecide() {
    Problem alike =
        Problem.of(
            "alike",
            tooSmall().network(),
            tooSmall().applications(),
            Problem.PAPER_EPSILON,
            Sharing.SAME_UTILITY_PER_TYPE);
    Admitted admitted = new Admission(allocator).admit(alike, SolveOptions.DEFAULT);
    assertThat(admitted.dropped()).isEmpty();
    assertThat(admitted.outcome().infeasible().orElseThrow().reason())
        .isEqualTo(Infeasible.Reason.UNDECIDED);
  }

  @Test
  void whoCannotBeReachedIsNamed() {
    Problem problem = tooSmall().withApplications(List.of(Application.of("back", "c", "a", LIVE)));
    Outcome outcome = allocator.solve(problem, SolveOptions.DEFAULT);
    assertThat(outcome.infeasible().orElseThrow().reason()).isEqualTo(Infeasible.Reason.NO_PATH);
    assertThat(outcome.infeasible().orElseThrow().applicationId()).isEqualTo("back");
  }

  @Test
  void whoHasOnlySlowPathsIsNamedWithTheSlowestLink() {
    Network slow =
        Network.of(
            List.of("a", "b", "c"), List.of(link("a", "b", 9_000, 10), link("b", "c", 9_000, 900)));
    Problem problem =
        tooSmall()
            .withApplications(List.of(Application.of("far", "a", "c", LIVE)))
            .withNetwork(slow);
    Infeasible why = allocator.solve(problem, SolveOptions.DEFAULT).infeasible().orElseThrow();
    assertThat(why.reason()).isEqualTo(Infeasible.Reason.TOO_SLOW);
    assertThat(why.bottleneck()).contains(LinkId.of("b", "c"));
  }
}
