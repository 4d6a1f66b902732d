package org.paceline.control.scheme.utility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.control.Nobody;
import org.paceline.control.SolverBug;
import org.paceline.control.inventory.Routes;
import org.paceline.control.scheme.Decision;
import org.paceline.control.scheme.Scheme;
import org.paceline.control.scheme.Snapshot;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.unit.DataRate;

/** What the seam promises of the utility-fair scheme. */
final class UtilitySchemeTest {
  private static final Network RING = Ring.of(30_000);

  private final Allocator real = new NetworkAllocator(Optional.empty());
  private Optional<SolverBug> bug = Optional.empty();
  private final Scheme scheme =
      new UtilityScheme(
          this::solve,
          Ring.IN_PEACE.toBuilder().sharing(Sharing.FREE).build(),
          new Nobody.NoJournal());

  @Test
  void whoComesIsOnlyFollowedOnWhatTheDecisionBeforeRemembers() {
    Decision first = decide(16, RING, Optional.empty(), Snapshot.Effort.FULL);
    assertThat(first.method()).isEqualTo("network");
    Decision second = decide(17, RING, Optional.of(first), Snapshot.Effort.FULL);
    assertThat(second.method()).isEqualTo("incremental");
    assertThat(second.quality()).isEqualTo(Decision.Quality.IMPROVABLE);
    assertThat(decide(17, RING, Optional.empty(), Snapshot.Effort.FULL).method())
        .isEqualTo("network");
  }

  /** Its memory may be half changed. */
  @Test
  void nobodyGoesOnWithWhatAFailedDecisionHadBegunToChange() {
    Decision first = decide(16, RING, Optional.empty(), Snapshot.Effort.FULL);
    bug = Optional.of(SolverBug.INDEX);
    // So many come at once that they cannot only be followed.
    assertThatThrownBy(() -> decide(40, RING, Optional.of(first), Snapshot.Effort.FULL))
        .isInstanceOf(ArrayIndexOutOfBoundsException.class);
    bug = Optional.empty();
    assertThat(decide(17, RING, Optional.of(first), Snapshot.Effort.FULL).method())
        .isEqualTo("network");
  }

  @Test
  void aChangedNetworkIsAnsweredByAStepOnlyWhereOneIsAskedFor() {
    Decision first = decide(16, RING, Optional.empty(), Snapshot.Effort.FULL);
    Network cut = RING.without(LinkId.of("n0", "n1"));
    assertThat(decide(16, cut, Optional.of(first), Snapshot.Effort.STEP).isStep()).isTrue();
    assertThat(decide(16, cut, Optional.of(first), Snapshot.Effort.FULL).isStep()).isFalse();
  }

  @Test
  void ratesThatTheLinksDoNotCarryAreWaitedForWhereThatIsAllowed() {
    Snapshot.Builder tooMuch =
        Snapshot.builder(applications(2), Set.of(), new Routes(Ring.of(1_000)))
            .inForce(Map.of("h/0", DataRate.ofKilobitsPerSecond(4_000)));
    assertThat(scheme.decide(tooMuch.mayWait(true).build())).isEmpty();
    assertThat(scheme.decide(tooMuch.mayWait(false).build())).isPresent();
  }

  private Decision decide(
      int number, Network network, Optional<Decision> before, Snapshot.Effort effort) {
    return scheme
        .decide(
            Snapshot.builder(applications(number), Set.of(), new Routes(network))
                .before(before)
                .effort(effort)
                .build())
        .orElseThrow();
  }

  private static List<Application> applications(int number) {
    return IntStream.range(0, number).mapToObj(Ring::application).collect(Collectors.toList());
  }

  private Outcome solve(Problem problem, SolveOptions options) {
    bug.ifPresent(SolverBug::thrown);
    return real.solve(problem, options);
  }
}
