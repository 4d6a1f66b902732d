package org.paceline.control.scheme.fixed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.paceline.control.inventory.Routes;
import org.paceline.control.model.Unserved;
import org.paceline.control.scheme.Decision;
import org.paceline.control.scheme.Snapshot;
import org.paceline.control.scheme.utility.Ring;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

final class FixedRateSchemeTest {
  private final FixedRateScheme scheme = new FixedRateScheme();

  @Test
  void everybodyHasJustItsRateAndAnotherWayWhereTheQuickestIsFull() {
    Decision decision = decide(Ring.of(10_000), Set.of(), List.of(four("h/a", 0), four("h/b", 0)));
    assertThat(decision.grants().values())
        .extracting(Grant::rate)
        .containsOnly(DataRate.ofKilobitsPerSecond(4_000));
    assertThat(decision.unserved()).isEmpty();

    Decision crowded =
        decide(Ring.of(10_000), Set.of(), List.of(four("h/a", 0), four("h/b", 0), four("h/c", 0)));
    assertThat(grant(crowded.grants(), "h/c").path().hops()).hasSize(3);
    Ring.assertCarried(Ring.of(10_000), crowded.grants().values());
  }

  @Test
  void whoFindsNoRoomIsHeldToATrickleAndToldWhy() {
    List<Application> five = new ArrayList<>();
    for (String id : List.of("h/a", "h/b", "h/c", "h/d", "h/e")) {
      five.add(four(id, 0));
    }
    Decision decision = decide(Ring.of(10_000), Set.of(), five);
    assertThat(decision.grants()).containsOnlyKeys("h/a", "h/b", "h/c", "h/d");
    assertThat(decision.unserved()).containsOnlyKeys("h/e");
    assertThat(decision.unserved())
        .containsEntry(
            "h/e",
            Unserved.of(
                Unserved.Code.SHARE_IS_FULL, "n0", "n1", DataRate.ofKilobitsPerSecond(4_000)));
    assertThat(grant(decision.restrained(), "h/e").rate())
        .isGreaterThan(DataRate.ZERO)
        .isLessThanOrEqualTo(DataRate.ofKilobitsPerSecond(200));
    List<Grant> all = new ArrayList<>(decision.grants().values());
    all.addAll(decision.restrained().values());
    Ring.assertCarried(Ring.of(10_000), all);
  }

  @Test
  void priorityComesFirstThenWhoIsServedOrHeldAlready() {
    Network narrow = Ring.of(4_100).without(LinkId.of("n0", "n3"));
    List<Application> two = List.of(four("h/a", 0), four("h/b", 0));
    assertThat(decide(narrow, Set.of(), two).grants()).containsOnlyKeys("h/a");
    assertThat(decide(narrow, Set.of("h/b"), two).grants()).containsOnlyKeys("h/b");
    assertThat(decide(narrow, Set.of("h/a"), List.of(four("h/a", 0), four("h/b", 1))).grants())
        .containsOnlyKeys("h/b");
    Snapshot afterRestart =
        Snapshot.builder(two, Set.of(), new Routes(narrow))
            .inForce(Map.of("h/b", DataRate.ofKilobitsPerSecond(4_000)))
            .build();
    assertThat(scheme.decide(afterRestart).orElseThrow().grants()).containsOnlyKeys("h/b");
  }

  @Test
  void aWayThatStillHasRoomIsKeptThoughAnotherIsQuicker() {
    Network ring = Ring.of(10_000);
    List<Application> one = List.of(four("h/a", 0));
    Decision around = decide(ring.without(LinkId.of("n0", "n1")), Set.of(), one);
    Snapshot back =
        Snapshot.builder(one, Set.of("h/a"), new Routes(ring)).before(Optional.of(around)).build();
    assertThat(grant(scheme.decide(back).orElseThrow().grants(), "h/a").path())
        .isEqualTo(grant(around.grants(), "h/a").path());
  }

  @Test
  void whereThereIsNoWayNobodyIsHeldToAnything() {
    Network cut = Ring.of(10_000).without(LinkId.of("n0", "n1")).without(LinkId.of("n0", "n3"));
    Decision decision = decide(cut, Set.of(), List.of(four("h/a", 0)));
    assertThat(decision.unserved())
        .containsEntry("h/a", Unserved.of(Unserved.Code.NO_PATH, "n0", "n1"));
    assertThat(decision.restrained()).isEmpty();
  }

  private static Grant grant(Map<String, Grant> grants, String id) {
    return Objects.requireNonNull(grants.get(id), id);
  }

  private Decision decide(Network network, Set<String> incumbents, List<Application> asked) {
    return scheme
        .decide(Snapshot.builder(asked, incumbents, new Routes(network)).build())
        .orElseThrow();
  }

  /** From n0 to n1 at 4 Mbit/s. */
  private static Application four(String id, int priority) {
    UtilityFunction function =
        UtilityFunction.of(
            "four",
            List.of(DataRate.ofKilobitsPerSecond(4_000)),
            List.of(Latency.ofMillis(100)),
            List.of(List.of(Utility.of(3))));
    return Application.of(id, "n0", "n1", function, 1, priority);
  }
}
