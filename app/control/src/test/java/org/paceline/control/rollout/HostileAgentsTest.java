package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.paceline.control.model.Counters;
import org.paceline.control.model.InstalledRate;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.PoolId;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.unit.DataRate;

/** Agents that say what cannot be, or do not do what they are told: others lose nothing by it. */
final class HostileAgentsTest {
  private static final DataRate ABSURD = DataRate.ofKilobitsPerSecond(1_000_000_000_000L);
  private static final DataRate NARROW = DataRate.ofKilobitsPerSecond(2_000);
  private static final LinkId BOTTLENECK = LinkId.of("s1", "s2");

  private final Office office = new Office();

  @Test
  void aReportedRateCountsForNoMoreThanTheHostsOwnLinkCarries() {
    office.state = narrowAt("h1", office.state);
    office.attach(1);
    office.open(Office.conversation(1, "liar", "", ABSURD));
    office.open(Office.conversation(2, "honest", ""));
    office.settle();
    office.planner.installed(
        "h1",
        office.planner.plan().version() + 1,
        List.of(InstalledRate.of(office.proof("h1", "liar").conversation().id(), ABSURD, "")),
        Map.of());
    office.worker.pass(Duration.ofMillis(1));
    assertThat(office.planner.possibleLoad(BOTTLENECK))
        .isLessThan(DataRate.ofKilobitsPerSecond(9_600));
    office.planner.reported(
        office.worker.instant(),
        List.of(
            Counters.of(
                office.proof("h1", "liar").conversation().id(),
                0,
                0,
                1,
                ABSURD,
                Map.of(),
                Optional.empty())));
    office.open(Office.conversation(3, "newcomer", ""));
    office.settle();
    assertThat(office.enforced.get(office.proof("h3", "newcomer").conversation().id()))
        .isEqualTo(office.grant("h3", "newcomer"));
  }

  @Test
  void neitherDoesAPoolThatItsAgentSaysIsWider() {
    office.state = narrowAt("h1", office.state);
    office.attach(1);
    office.open(Office.pooled(1, "liar", ""));
    office.open(Office.pooled(1, "other", ""));
    office.settle();
    assertThat(office.borrowing).isNotEmpty();
    PoolId pool = PoolId.of("h1", "eth0");
    office.planner.installed(
        "h1", office.planner.plan().version() + 1_000, List.of(), Map.of(pool, ABSURD));
    office.worker.pass(Duration.ofMillis(1));
    assertThat(office.planner.possibleLoad(BOTTLENECK)).isEqualTo(NARROW);
  }

  /** One that nobody can serve is a line; thousands are not. */
  @Test
  void conversationsThatAreRefusedDoNotFillTheLog() {
    office.attach(1);
    for (int i = 0; i < 500; i++) {
      office.open(
          Office.conversation(1, "lost" + i, "files/copy").toBuilder()
              .remoteAddress("192.0.2.1")
              .build());
    }
    office.settle();
    assertThat(office.warnings).hasSizeLessThan(50);
    office.worker.pass(Duration.ofMinutes(1));
    assertThat(office.warnings)
        .anySatisfy(said -> assertThat(said).contains("(h1)", "sentences are left out"));
  }

  static NetworkState narrowAt(String host, NetworkState state) {
    List<Link> links =
        state.network().links().stream()
            .map(link -> link.id().from().equals(host) ? link.withCapacity(NARROW) : link)
            .collect(Collectors.toList());
    return NetworkState.of(
        Network.of(state.network().nodes(), links), state.nodesByAddress(), List.of());
  }
}
