package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.NetworkState;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;

/** A machine that is so busy that a solver gets nothing done, while the network changes. */
final class LocalRepairTest {
  private final Allocator real = new NetworkAllocator(Optional.empty());
  private final Office office = new Office(PlannerSettings.DEFAULT, Set.of(), this::solve);
  private boolean busy;

  @BeforeEach
  void twoConversationsThatHaveAWayEach() {
    office.state = OfficeNetwork.twoWays(8_000);
    office.attach(1);
    office.open(Office.conversation(1, "x", "files/copy"));
    office.open(Office.conversation(1, "y", "files/copy"));
    office.settle();
    assertThat(utilities()).containsOnly(Map.entry("x", 5.0), Map.entry("y", 5.0));
    busy = true;
  }

  @Test
  void whoseWayGotTooSlowTakesTheOtherAndNobodyElseIsChanged() {
    Map<ConversationId, Grant> before = stayed();
    slow(20_000);
    assertThat(before).hasSize(1);
    assertThat(office.planner.plan().grants()).containsAllEntriesOf(before);
    assertThat(utilities()).containsOnly(Map.entry("x", 5.0), Map.entry("y", 5.0));
  }

  @Test
  void whereThereIsLittleRoomItTakesWhatIsLeft() {
    Map<ConversationId, Grant> before = stayed();
    slow(8_000);
    assertThat(office.planner.plan().grants()).containsAllEntriesOf(before);
    assertThat(utilities().values()).allMatch(utility -> utility >= 2.5);
  }

  @Test
  void whereNotAllCanStayAFreshPlanIsMade() {
    slow(4_000);
    assertThat(utilities()).containsOnlyKeys("x", "y");
    assertThat(office.mostSent()).isLessThanOrEqualTo(4_000_000_000L);
  }

  @Test
  void theFirstPlanAfterAFaultOnlyHelpsWhoLostAndTheNextIsAFullOne() {
    busy = false;
    office.methods.clear();
    Map<ConversationId, Grant> before = stayed();
    slow(8_000);
    assertThat(office.methods.get(0)).startsWith("mended");
    assertThat(office.methods.get(1)).startsWith("network");
    assertThat(office.planner.plan().grants()).hasSize(2);
    assertThat(office.mostSent()).isLessThanOrEqualTo(8_000_000_000L);
    assertThat(before).hasSize(1);
  }

  @Test
  void whereALinkComesBackTheNextPlanIsAFullOneAndUsesIt() {
    busy = false;
    slow(8_000);
    office.methods.clear();
    office.state = OfficeNetwork.twoWays(8_000);
    office.planner.networkChanged();
    office.settle();
    assertThat(office.methods.get(0)).startsWith("network");
    assertThat(utilities()).containsOnly(Map.entry("x", 5.0), Map.entry("y", 5.0));
  }

  @Test
  void aNetworkThatChangesFasterThanItIsFollowedIsSolvedInFullEveryFewSeconds() {
    busy = false;
    office.methods.clear();
    // Everybody loses by each change, and the next one comes before the full solve is due.
    for (int change = 0; change < 2_000; change++) {
      office.state = change % 2 == 0 ? late(8_000, "s1", "s3") : late(8_000, "s1", "s2");
      office.planner.networkChanged();
      office.worker.pass(PlannerSettings.DEFAULT.coalescing());
    }
    assertThat(office.methods).hasSizeGreaterThan(1_900);
    assertThat(office.methods.indexOf("network") * PlannerSettings.DEFAULT.coalescing().toMillis())
        .isBetween(1_900L, 2_100L);
    assertThat(office.methods).filteredOn(method -> !method.equals("mended")).hasSize(2);
  }

  /** Those on the direct way. */
  private Map<ConversationId, Grant> stayed() {
    Map<ConversationId, Grant> direct = new TreeMap<>(office.planner.plan().grants());
    direct.values().removeIf(grant -> grant.path().nodes().contains("s3"));
    return direct;
  }

  /** The way through s3 is too slow for anybody now, and the direct one so wide. */
  private void slow(long kbps) {
    office.state = late(kbps, "s1", "s3");
    office.planner.networkChanged();
    office.settle();
  }

  /** Two ways of which this link makes one too slow for anybody. */
  private static NetworkState late(long kbps, String from, String to) {
    NetworkState both = OfficeNetwork.twoWays(kbps);
    Link late =
        Link.of(
            from,
            to,
            DataRate.ofKilobitsPerSecond(kbps),
            LinkDelay.constant(Latency.ofMillis(200)));
    return NetworkState.of(both.network().with(late), both.nodesByAddress(), both.warnings());
  }

  private Outcome solve(Problem problem, SolveOptions options) {
    return busy
        ? Outcome.infeasible(
            Infeasible.of(Infeasible.Reason.UNDECIDED, "h1/x", Optional.empty(), "Time ran out."))
        : real.solve(problem, options.toBuilder().timeLimit(Duration.ofSeconds(30)).build());
  }

  private Map<String, Double> utilities() {
    Map<String, Double> utilities = new TreeMap<>();
    office
        .planner
        .plan()
        .grants()
        .forEach((id, grant) -> utilities.put(id.local(), grant.utility().billionths() / 1e9));
    return utilities;
  }
}
