package org.paceline.control.borrowing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.paceline.control.directive.Directive;
import org.paceline.control.directive.Directives;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

/** From a over b to c, and from b to d: 10 Mbit/s each, all but the last of 10 to 60 ms. */
final class KeptDelaysTest {
  private static final LinkDelay GROWING =
      LinkDelay.piecewise(
          List.of(DataRate.ZERO, DataRate.ofKilobitsPerSecond(10_000)),
          List.of(Latency.ofMillis(10), Latency.ofMillis(60)));
  private static final Network NETWORK =
      Network.of(
          List.of("a", "b", "c", "d"),
          List.of(
              link("a", "b", GROWING),
              link("b", "c", GROWING),
              link("b", "d", LinkDelay.constant(Latency.ofMillis(5)))));

  private static final LinkId AB = LinkId.of("a", "b");
  private static final LinkId BC = LinkId.of("b", "c");
  private static final LinkId BD = LinkId.of("b", "d");

  private final Map<ConversationId, Grant> grants = new TreeMap<>();

  private static Link link(String from, String to, LinkDelay delay) {
    return Link.of(from, to, DataRate.ofKilobitsPerSecond(10_000), delay);
  }

  private void grant(String name, long kbps, int binMillis, String... way) {
    grants.put(
        ConversationId.of("h", name),
        Grant.of(
            name,
            1,
            DataRate.ofKilobitsPerSecond(kbps),
            Latency.ofMillis(binMillis),
            Utility.MAX,
            Path.of(List.of(way))));
  }

  private Network within() {
    return within(Directives.of(SchemeName.UTILITY_FAIR, Directive.Reason.GRANTED, grants));
  }

  private Network within(Directives directives) {
    return new KeptDelays(directives, id -> Optional.ofNullable(grants.get(id)).map(Grant::delay))
        .within(NETWORK);
  }

  private static Map<LinkId, Long> kbps(Network network) {
    Map<LinkId, Long> rates = new HashMap<>();
    for (Link link : network.links()) {
      rates.put(link.id(), Math.round(link.capacity().millibitsPerSecond() / 1e6));
    }
    return rates;
  }

  @Test
  void asMuchMaySendAsLeavesADelayInItsBin() {
    grant("call", 1_000, 45, "a", "b", "d");
    grant("file", 3_000, 300, "a", "b");
    // At 4 Mbit/s it takes 30 ms, and 5 for the rest; 10 more are 2 Mbit/s more.
    assertThat(kbps(within()))
        .containsExactlyInAnyOrderEntriesOf(Map.of(AB, 6_000L, BC, 10_000L, BD, 10_000L));
  }

  @Test
  void whatAPathLeavesIsDividedAmongItsLinks() {
    grant("call", 1_000, 60, "a", "b", "c");
    // 15 and 15 ms: of 30 left, each link has 15, which are 3 Mbit/s more.
    assertThat(kbps(within())).containsEntry(AB, 4_000L).containsEntry(BC, 4_000L);
  }

  @Test
  void whoHasNothingLeftKeepsOthersFromBorrowingAndFromNothingElse() {
    grant("late", 2_000, 15, "a", "b");
    grant("file", 3_000, 300, "a", "b");
    assertThat(kbps(within())).containsEntry(AB, 5_000L);
  }

  @Test
  void whoseAskingWasNotGrantedKeepsNobodyFromBorrowing() {
    grant("late", 2_000, 15, "a", "b");
    Directives refused =
        Directives.of(SchemeName.UTILITY_FAIR, Directive.Reason.NOT_ADMITTED, grants);
    assertThat(within(refused)).isEqualTo(NETWORK);
  }

  @Test
  void whereNobodyWasPromisedADelayAllMayBeSent() {
    assertThat(within()).isEqualTo(NETWORK);
  }

  @Property(tries = 200, seed = "20")
  void noPromiseThatHoldsIsBrokenHoweverMuchOfItIsSent(@ForAll Random random) {
    grants.clear();
    String[][] ways = {{"a", "b"}, {"b", "c"}, {"a", "b", "c"}, {"a", "b", "d"}};
    for (int i = 0; i < 4; i++) {
      grant("c" + i, 1 + random.nextInt(2_500), random.nextInt(140), ways[random.nextInt(4)]);
    }
    Map<LinkId, Long> load = new HashMap<>();
    for (Grant grant : grants.values()) {
      for (LinkId hop : grant.path().hops()) {
        load.merge(hop, grant.rate().millibitsPerSecond(), Long::sum);
      }
    }
    Map<LinkId, Link> bounded = new HashMap<>();
    within().links().forEach(link -> bounded.put(link.id(), link));
    for (Grant grant : grants.values()) {
      long planned = 0;
      long at = 0;
      for (LinkId hop : grant.path().hops()) {
        Link link = Objects.requireNonNull(bounded.get(hop));
        long most = link.capacity().millibitsPerSecond();
        assertThat(most).isGreaterThanOrEqualTo(load.getOrDefault(hop, 0L));
        planned += link.delay().nanosAt(load.getOrDefault(hop, 0L));
        at += link.delay().nanosAt(most);
      }
      assertThat(at).isLessThanOrEqualTo(Math.max(grant.delay().nanos(), planned));
    }
  }
}
