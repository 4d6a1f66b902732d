package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.paceline.control.NoCeilings;
import org.paceline.control.audit.Denied;
import org.paceline.control.audit.User;
import org.paceline.control.explain.PolicyDifference;
import org.paceline.control.model.NetworkState;
import org.paceline.control.reservations.AdmissionDecision;
import org.paceline.control.reservations.ReservationRequest;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/** Schemes that operators choose for sites and links, beside those of branches. */
final class PlacesTest {
  private static final IntentPath FILES = IntentPath.parse("files");

  /** 950 thousandths of 10 Mbit/s, which a plan divides. */
  private static final double DIVIDED = 9_500_000_000.0;

  private static final long USABLE = 9_600_000_000L + 960;
  private static final Duration HOUR = Duration.ofHours(1);

  private final Office office = new Office();

  private SchemeName scheme(int host, String id) {
    return office.proof("h" + host, id).requested().scheme().value();
  }

  @Test
  void aSiteIsRuledByItsSchemeLive() {
    office.open(Office.conversation(1, "a", "files"));
    office.open(Office.conversation(2, "b", "files"));
    office.settle();
    office.places("10.0.1.1/32=service-classes");
    office.settle();
    assertThat(scheme(1, "a")).isEqualTo(SchemeName.SERVICE_CLASSES);
    assertThat(scheme(2, "b")).isEqualTo(SchemeName.UTILITY_FAIR);
    assertThat((double) office.grant("h1", "a")).isCloseTo(DIVIDED / 2, within(2_000.0));
    assertThat(office.grant("h1", "a") + office.grant("h2", "b")).isLessThanOrEqualTo(USABLE);
    // By the address of the other end, and as new ones come.
    office.places("10.0.2.2/32=adaptive-reservations");
    office.open(Office.conversation(2, "c", "files"));
    office.settle();
    assertThat(scheme(1, "a")).isEqualTo(SchemeName.UTILITY_FAIR);
    assertThat(scheme(2, "c")).isEqualTo(SchemeName.ADAPTIVE_RESERVATIONS);
    office.places("");
    office.settle();
    assertThat(office.planner.plan().summary().method()).doesNotContain("reservations");
  }

  @Test
  void theFirstPlaceThatFitsCountsAndABranchsOwnChoiceBeforeAll() {
    office.places("10.0.1.1/32=utility-fair,10.0.0.0/16=service-classes");
    IntentPath calls = IntentPath.parse("calls");
    office.setPolicy(calls, Policy.builder().scheme(SchemeName.ADAPTIVE_RESERVATIONS).build());
    office.open(Office.conversation(1, "a", "files"));
    office.open(Office.conversation(2, "b", "files"));
    office.open(Office.conversation(3, "c", "calls"));
    office.settle();
    assertThat(scheme(1, "a")).isEqualTo(SchemeName.UTILITY_FAIR);
    assertThat(scheme(2, "b")).isEqualTo(SchemeName.SERVICE_CLASSES);
    assertThat(scheme(3, "c")).isEqualTo(SchemeName.ADAPTIVE_RESERVATIONS);
    // The root says what rules where nobody chose: places come before it.
    office.setPolicy(
        IntentPath.ROOT,
        Objects.requireNonNull(office.policies.tree().policies().get(IntentPath.ROOT)).toBuilder()
            .scheme(SchemeName.ADAPTIVE_RESERVATIONS)
            .build());
    office.settle();
    assertThat(scheme(2, "b")).isEqualTo(SchemeName.SERVICE_CLASSES);
  }

  /** Which way the plan takes does not matter: that would change who rules, and so the plan. */
  @Test
  void aLinkIsRuledByItsSchemeEitherWayForWhoseWayCrossesIt() {
    office.state = OfficeNetwork.twoWays(10_000);
    office.planner.networkChanged();
    office.places("s2>s1=service-classes");
    for (int host = 1; host <= 3; host++) {
      office.open(Office.conversation(host, "a", "files"));
    }
    office.settle();
    for (int host = 1; host <= 3; host++) {
      assertThat(scheme(host, "a")).isEqualTo(SchemeName.SERVICE_CLASSES);
    }
    office.state = without(office.state, LinkId.of("s1", "s2"));
    office.planner.networkChanged();
    office.settle();
    assertThat(scheme(1, "a")).isEqualTo(SchemeName.UTILITY_FAIR);
    office.state = OfficeNetwork.twoWays(10_000);
    office.planner.networkChanged();
    office.settle();
    assertThat(scheme(1, "a")).isEqualTo(SchemeName.SERVICE_CLASSES);
    office.places("s4>s1=service-classes");
    office.settle();
    assertThat(scheme(1, "a")).as("no such link").isEqualTo(SchemeName.UTILITY_FAIR);
  }

  private static NetworkState without(NetworkState state, LinkId link) {
    List<Link> links =
        state.network().links().stream()
            .filter(each -> !each.id().equals(link))
            .collect(Collectors.toUnmodifiableList());
    return NetworkState.of(
        Network.of(List.copyOf(state.network().nodes()), links), state.nodesByAddress(), List.of());
  }

  @Test
  void whatAPolicyWouldChangeAtAPlaceIsForetold() {
    office.places("10.0.1.0/24=service-classes");
    office.open(Office.conversation(1, "a", "files"));
    office.open(Office.conversation(2, "b", "web"));
    office.settle();
    IntentTree next = office.policies.tree().with(FILES, Policy.builder().classWeight(3).build());
    PolicyDifference difference =
        PolicyDifference.of(office.policies.tree(), next, office.planner, office.proofs);
    assertThat(difference.effects()).hasSize(2);
    office.policies.replace(next);
    office.settle();
    assertThat(difference.effects())
        .allSatisfy(
            effect ->
                assertThat(office.planner.plan().grants().get(effect.conversation()))
                    .isEqualTo(effect.after().orElseThrow()));
    assertThat((double) office.grant("h1", "a")).isCloseTo(DIVIDED / 4 * 3, within(2_000.0));
  }

  /** Adaptive reservations may have half of what is divided, but for best effort's fiftieth. */
  @Test
  void aReservationIsOfTheSchemeOfItsPlace() {
    assertThat(isAdmitted("10.0.1.1", 9_000)).isTrue();
    for (String place : List.of("10.0.1.1/32", "s1>s2")) {
      office.places(place + "=adaptive-reservations");
      office.settle();
      assertThat(isAdmitted("10.0.1.1", 9_000)).as(place).isFalse();
      assertThat(isAdmitted("10.0.1.1", 4_600)).as(place).isTrue();
    }
    office.places("10.0.1.1/32=adaptive-reservations");
    office.settle();
    assertThat(isAdmitted("10.0.1.2", 9_000)).as("others may take half").isFalse();
    assertThat(isAdmitted("10.0.1.2", 4_700)).isTrue();
  }

  private boolean isAdmitted(String from, long kbps) {
    Instant start = office.worker.instant().plus(HOUR);
    AdmissionDecision decision =
        office.reservations.hold(
            NoCeilings.ADAM,
            ReservationRequest.of(
                    "files",
                    from,
                    "10.0.2.1",
                    DataRate.ofKilobitsPerSecond(kbps),
                    start,
                    HOUR,
                    start.plus(HOUR))
                .sharedBy(5));
    decision.held().ifPresent(held -> office.reservations.cancel(held.id()));
    return decision.isYes();
  }

  /** At a place, weights and what is reserved are taken from whoever else is there. */
  @Test
  void whoMayChangeABranchOnlyTakesNoMoreAtAPlace() {
    office.ceilings.heed(scheme -> scheme == SchemeName.SERVICE_CLASSES);
    User delegated = User.of("dora", Set.of("viewer", "operator:files"));
    IntentTree now = office.policies.tree();
    IntentTree heavier = now.with(FILES, Policy.builder().classWeight(3).build());
    assertThatThrownBy(
            () -> office.ceilings.mustAllow(delegated, now, heavier, now.differences(heavier)))
        .isInstanceOf(Denied.class)
        .hasMessageContaining("the weight 3");
    IntentTree reserved =
        now.with(FILES, Policy.builder().minimumRate(DataRate.ofKilobitsPerSecond(1)).build());
    office.ceilings.mustAllow(delegated, now, reserved, now.differences(reserved));
    office.ceilings.heed(scheme -> scheme == SchemeName.ADAPTIVE_RESERVATIONS);
    assertThatThrownBy(
            () -> office.ceilings.mustAllow(delegated, now, reserved, now.differences(reserved)))
        .isInstanceOf(Denied.class)
        .hasMessageContaining("reserves 1 kbit/s");
  }
}
