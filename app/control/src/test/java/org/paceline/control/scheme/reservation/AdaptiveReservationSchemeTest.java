package org.paceline.control.scheme.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.Example;
import org.paceline.allocator.reservation.Observation;
import org.paceline.control.inventory.Routes;
import org.paceline.control.model.Unserved;
import org.paceline.control.port.ReservedRates;
import org.paceline.control.scheme.Decision;
import org.paceline.control.scheme.Observations;
import org.paceline.control.scheme.ReservedRate;
import org.paceline.control.scheme.Scheme;
import org.paceline.control.scheme.Snapshot;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

final class AdaptiveReservationSchemeTest {
  private static final UtilityFunction TABLE =
      UtilityFunction.of(
          "one step",
          List.of(DataRate.ofKilobitsPerSecond(1_000)),
          List.of(Latency.ofMillis(100)),
          List.of(List.of(Utility.of(4))));

  /** 10 Mbit/s from a to b, and so much over c, which is slower. */
  private static final Network TWO_WAYS =
      Network.of(
          List.of("a", "b", "c", "alone"),
          List.of(link("a", "b", 1), link("a", "c", 5), link("c", "b", 5)));

  private final Scheme scheme = new AdaptiveReservationScheme(PlannerSettings.DEFAULT.adaptive());
  private final List<Application> applications = new ArrayList<>();
  private final Map<String, ReservedRate> reservations = new TreeMap<>();
  private final Set<String> incumbents = new TreeSet<>();

  private static Link link(String from, String to, long millis) {
    return Link.of(
        from,
        to,
        DataRate.ofKilobitsPerSecond(10_000),
        LinkDelay.constant(Latency.ofMillis(millis)));
  }

  private void talk(String id, long kbps, int priority) {
    talk(id, "a", kbps, priority, 0);
  }

  private void talk(String id, String from, long kbps, int priority, long promisedKbps) {
    IntentPath intent = IntentPath.parse("reserved");
    Policy.Builder policy = Policy.builder().scheme(SchemeName.ADAPTIVE_RESERVATIONS);
    if (kbps > 0) {
      policy.minimumRate(DataRate.ofKilobitsPerSecond(kbps));
    }
    applications.add(Application.of(id, from, "b", TABLE, 1, priority));
    reservations.put(
        id,
        ReservedRate.of(
            IntentTree.withDefault(TABLE).with(intent, policy.build()).resolve(intent),
            promisedKbps == 0
                ? ReservedRates.Due.NOTHING
                : ReservedRates.Due.firm(DataRate.ofKilobitsPerSecond(promisedKbps))));
  }

  private Snapshot.Builder snapshot() {
    return Snapshot.builder(applications, incumbents, new Routes(TWO_WAYS))
        .reservations(reservations);
  }

  private Decision decide() {
    return scheme.decide(snapshot().build()).orElseThrow();
  }

  private static long kbps(Decision decision, String id) {
    return Objects.requireNonNull(decision.grants().get(id), id).rate().toKbpsFloor();
  }

  @Example
  void aReservationTakesTheNextWayWhereTheQuickestIsReserved() {
    talk("h/1", 6_000, 0);
    talk("h/2", 6_000, 0);
    Decision made = decide();
    assertThat(made.grants().get("h/1"))
        .extracting(grant -> grant.path().nodes())
        .isEqualTo(List.of("a", "b"));
    assertThat(made.grants().get("h/2"))
        .extracting(grant -> grant.path().nodes())
        .isEqualTo(List.of("a", "c", "b"));
  }

  @Example
  void whoWasPromisedComesBeforeWhoIsHereAndThatBeforeAHigherPriority() {
    talk("h/high", 6_000, 9);
    talk("h/here", 6_000, 0);
    talk("h/promised", "a", 0, 0, 6_000);
    incumbents.add("h/here");
    Decision made = decide();
    assertThat(made.grants()).containsOnlyKeys("h/here", "h/promised");
    assertThat(made.unserved()).containsOnlyKeys("h/high");
    assertThat(made.restrained()).containsOnlyKeys("h/high");
    incumbents.clear();
    assertThat(decide().grants()).containsOnlyKeys("h/high", "h/promised");
  }

  @Example
  void whoHasNoWayGetsNothing() {
    talk("h/1", "alone", 1_000, 0, 0);
    Decision made = decide();
    assertThat(made.grants()).isEmpty();
    assertThat(made.unserved().get("h/1"))
        .extracting(Unserved::code)
        .isEqualTo(Unserved.Code.NO_PATH);
  }

  @Example
  void eachPeriodCountsOnceHoweverManyPlansAreMadeInIt() {
    talk("h/1", 2_000, 0);
    talk("h/rest", 0, 0);
    Observations grown =
        Observations.of(
            1,
            Map.of(
                "h/1",
                Observation.of(
                    DataRate.ofKilobitsPerSecond(2_000),
                    List.of(DataRate.ofKilobitsPerSecond(2_000)),
                    true,
                    Optional.empty())));
    Decision first = decide();
    assertThat(scheme.isMovedBy(grown, first)).isTrue();
    Decision then =
        scheme
            .decide(snapshot().before(Optional.of(first)).observations(grown).build())
            .orElseThrow();
    assertThat(kbps(then, "h/1")).isEqualTo(4_000);
    Decision again =
        scheme
            .decide(snapshot().before(Optional.of(then)).observations(grown).build())
            .orElseThrow();
    assertThat(again.grants()).isEqualTo(then.grants());
    assertThat(scheme.isMovedBy(grown, again)).isFalse();
  }

  @Example
  void whatAnOperatorReservesAnewHoldsAtOnce() {
    talk("h/1", 2_000, 0);
    talk("h/rest", 0, 0);
    Decision first = decide();
    applications.clear();
    talk("h/1", 3_000, 0);
    talk("h/rest", 0, 0);
    Decision then = scheme.decide(snapshot().before(Optional.of(first)).build()).orElseThrow();
    assertThat(kbps(then, "h/1")).isEqualTo(3_000);
    assertThat(kbps(then, "h/rest")).isEqualTo(7_000);
  }

  @Example
  void whoHasNoReservationAtAllIsABugOfWhoAsks() {
    talk("h/1", 2_000, 0);
    reservations.clear();
    assertThatThrownBy(this::decide)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("(h/1)");
  }
}
