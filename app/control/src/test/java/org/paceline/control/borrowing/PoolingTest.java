package org.paceline.control.borrowing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.paceline.control.directive.Directive;
import org.paceline.control.directive.Directives;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.PoolId;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

/** Two hosts behind a switch, from which one link of 10 Mbit/s leads to a and one of 20 to b. */
final class PoolingTest {
  private static final LinkDelay NO_DELAY = LinkDelay.constant(Latency.ofMillis(0));
  private static final Network NETWORK =
      Network.of(
          List.of("h1", "h2", "s", "a", "b"),
          List.of(
              link("h1", "s", 1_000),
              link("h2", "s", 1_000),
              link("s", "a", 10),
              link("s", "b", 20)));

  private final Map<ConversationId, Grant> grants = new TreeMap<>();
  private final Map<ConversationId, Conversation> open = new HashMap<>();
  private final Map<ConversationId, Double> most = new HashMap<>();
  private final Map<ConversationId, Double> sent = new HashMap<>();

  private static Link link(String from, String to, int mbps) {
    return Link.of(from, to, DataRate.ofKilobitsPerSecond(mbps * 1_000L), NO_DELAY);
  }

  private static PoolId pool(int host) {
    return PoolId.of("h" + host, "eth0");
  }

  private ConversationId add(int host, String to, int kbps, boolean pooled) {
    ConversationId id = ConversationId.of("h" + host, "c" + grants.size());
    Path path = Path.of(List.of("h" + host, "s", to));
    grants.put(
        id,
        Grant.of(
            id.local(),
            1,
            DataRate.ofKilobitsPerSecond(kbps),
            Latency.ofMillis(1),
            Utility.MAX,
            path));
    open.put(
        id,
        Conversation.builder()
            .id(id)
            .localAddress("10.0.0." + host)
            .remoteAddress("10.0.1.1")
            .pool(pooled ? Optional.of(pool(host)) : Optional.empty())
            .build());
    return id;
  }

  private Pools pools() {
    Directives directives =
        Directives.of(SchemeName.UTILITY_FAIR, Directive.Reason.GRANTED, grants);
    return new Pooling(NETWORK)
        .pools(
            directives,
            Loans.NONE,
            open,
            id -> most.getOrDefault(id, Double.POSITIVE_INFINITY),
            (usage, id) -> usage.add(sent.getOrDefault(id, 0.0), 1e9));
  }

  private static double mbps(long millibitsPerSecond) {
    return millibitsPerSecond / 1e9;
  }

  @Test
  void aLoneSenderHasTheWholeLinkThoughItsGrantIsLess() {
    ConversationId lone = add(1, "a", 2_000, true);
    assertThat(mbps(pools().rate(pool(1)))).isBetween(9.97, 10.0);
    assertThat(mbps(pools().limit(lone))).isEqualTo(10.0);
  }

  @Test
  void twoHostsShareWhatIsFreeAsTheyShareWhatIsGranted() {
    add(1, "a", 2_000, true);
    add(1, "a", 1_000, true);
    add(2, "a", 1_000, true);
    Pools pools = pools();
    assertThat(mbps(pools.rate(pool(1)))).isBetween(7.48, 7.5);
    assertThat(mbps(pools.rate(pool(2)))).isBetween(2.49, 2.5);
  }

  @Test
  void whatNobodyWasGivenIsForTheHostThatUsesWhatItWasGiven() {
    add(1, "a", 2_000, true);
    sent.put(add(2, "a", 1_000, true), 950e6);
    Pools pools = pools();
    assertThat(mbps(pools.rate(pool(1)))).isBetween(1.99, 2.0);
    assertThat(mbps(pools.rate(pool(2)))).isBetween(7.98, 8.0);
  }

  @Test
  void whatHostsWithoutPoolsAreGrantedIsTheirs() {
    add(1, "a", 5_000, true);
    add(2, "a", 5_000, false);
    assertThat(pools().rates().keySet()).containsExactly(pool(1));
    assertThat(mbps(pools().rate(pool(1)))).isBetween(4.98, 5.0);
  }

  @Test
  void whoCrossesTheSmallerPartOfTwoDoesNotBorrow() {
    List<ConversationId> narrow = new ArrayList<>();
    List<ConversationId> wide = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      narrow.add(add(1, "a", 2_500, true));
      wide.add(add(1, "b", 5_000, true));
    }
    Pools pools = pools();
    assertThat(mbps(pools.rate(pool(1)))).isBetween(19.9, 20.0);
    assertThat(pools.limits().keySet()).containsExactlyInAnyOrderElementsOf(wide);
    assertThat(pools.limits().keySet()).doesNotContainAnyElementsOf(narrow);
  }

  @Test
  void aFewWhoGoElsewhereKeepNobodyFromBorrowing() {
    ConversationId elsewhere = add(1, "b", 100, true);
    ConversationId here = add(1, "a", 9_000, true);
    assertThat(mbps(pools().rate(pool(1)))).isBetween(9.97, 10.0);
    assertThat(pools().limits().keySet()).containsExactlyInAnyOrder(elsewhere, here);
  }

  @Test
  void whoMayHaveNoMoreDoesNotBorrowAndWhoMayHaveLittleMoreHasThat() {
    ConversationId fixed = add(1, "a", 3_000, true);
    ConversationId bounded = add(1, "a", 3_000, true);
    most.put(fixed, 0.0);
    most.put(bounded, 4e9);
    assertThat(pools().limits()).containsOnlyKeys(bounded);
    assertThat(mbps(pools().limit(bounded))).isEqualTo(4.0);
  }
}
