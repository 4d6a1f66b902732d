package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.paceline.control.explain.Explainer;
import org.paceline.control.explain.Explanation;
import org.paceline.control.explain.LinkShare;
import org.paceline.control.model.ConversationId;
import org.paceline.control.planning.Plan;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Utility;

final class ExplanationTest {
  private static final IntentPath FILES = IntentPath.parse("files");

  private final Office office = new Office();

  @Test
  void whoHasAllThatItCanUseHasNoNextStepAndNoBindingLink() {
    office.open(Office.conversation(1, "a", ""));
    office.settle();

    Explanation explanation = explain("h1/a").orElseThrow();

    assertThat(explanation.next().rate()).isEmpty();
    assertThat(explanation.next().obstacle()).contains("(web)").contains("best");
    assertThat(explanation.links()).noneMatch(LinkShare::isBinding);
    assertThat(explanation.links()).extracting(LinkShare::link).contains(LinkId.of("s1", "s2"));
  }

  @Test
  void onAFullLinkTheNextStepNamesItsPriceAndWhoWouldPay() {
    fill();

    Explanation explanation = explain("h1/x").orElseThrow();

    assertThat(explanation.links()).filteredOn(LinkShare::isBinding).hasSize(1);
    LinkShare bottleneck =
        explanation.links().stream().filter(LinkShare::isBinding).findFirst().orElseThrow();
    assertThat(bottleneck.link()).isEqualTo(LinkId.of("s1", "s2"));
    assertThat(bottleneck.granted()).isLessThanOrEqualTo(bottleneck.capacity());
    assertThat(explanation.next().utility())
        .hasValueSatisfying(
            u ->
                assertThat(u.billionths())
                    .isGreaterThanOrEqualTo(
                        explanation.grant().utility().billionths() + Utility.SCALE / 10));
    assertThat(explanation.next().losses()).isNotEmpty();
    assertThat(explanation.next().cost()).isPositive();
    assertThat(explanation.next().losses())
        .extracting(loss -> loss.conversation().toString())
        .doesNotContain("h1/x")
        .allMatch(id -> id.startsWith("h"));
  }

  @Test
  void askingChangesNothing() {
    fill();
    Plan before = office.planner.plan();
    int batches = office.batches;

    assertThat(explain("h1/x")).isPresent();
    office.settle();

    assertThat(office.planner.plan()).isSameAs(before);
    assertThat(office.batches).isEqualTo(batches);
  }

  @Test
  void whoHasNoGrantHasNothingToExplain() {
    assertThat(office.planner.whatIf(UnaryOperator.identity())).isEmpty();
    fill();
    assertThat(office.proofs.find(ConversationId.of("h1", "nobody"))).isEmpty();
  }

  @Test
  void aNetworkWithLessRoomShowsItsSmallerCapacity() {
    office.state = OfficeNetwork.oneWay(2_000);
    office.open(Office.conversation(1, "x", "files/copy"));
    office.settle();

    LinkShare bottleneck =
        explain("h1/x").orElseThrow().links().stream()
            .filter(link -> link.link().equals(LinkId.of("s1", "s2")))
            .findFirst()
            .orElseThrow();

    assertThat(bottleneck.capacity()).isLessThan(DataRate.ofKilobitsPerSecond(2_000));
  }

  /** Its table moves no rate there, so the step is asked for as a reservation. */
  @Test
  void whoIsOfAServiceClassIsToldWhatMoreReservedForItWouldCost() {
    office.setPolicy(FILES, Policy.builder().scheme(SchemeName.SERVICE_CLASSES).build());
    fill();

    Explanation explanation = explain("h1/x").orElseThrow();

    assertThat(explanation.next().obstacle()).isEmpty();
    assertThat(explanation.next().rate()).isNotEmpty();
    assertThat(explanation.next().rate().orElseThrow()).isGreaterThan(explanation.grant().rate());
    assertThat(explanation.next().losses()).isNotEmpty();
    assertThat(explanation.next().losses())
        .extracting(loss -> loss.conversation().toString())
        .doesNotContain("h1/x");
  }

  @Test
  void soIsWhoIsOfABranchOfAdaptiveReservations() {
    office.setPolicy(FILES, reservations(1_000));
    fill();

    Explanation explanation = explain("h1/x").orElseThrow();

    assertThat(explanation.next().obstacle()).isEmpty();
    assertThat(explanation.next().rate().orElseThrow()).isGreaterThan(explanation.grant().rate());
    assertThat(explanation.next().losses()).isNotEmpty();
  }

  @Test
  void moreThanMayBeReservedCannotBeHad() {
    office.setPolicy(FILES, reservations(4_000));
    fill();

    assertThat(explain("h1/x").orElseThrow().next().obstacle())
        .contains("cannot be had")
        .contains("does not fit in what the scheme may promise");
  }

  @Test
  void whoLeavesItsReservationToOthersIsToldThatItHasItWhenItAsks() {
    office.setPolicy(FILES, reservations(1_000));
    fill();
    for (int second = 0; second < 8; second++) {
      office.report(id -> id.host().equals("h1") ? 0.1 : 1);
    }

    Explanation explanation = explain("h1/x").orElseThrow();

    assertThat(explanation.grant().rate()).isLessThan(DataRate.ofKilobitsPerSecond(1_000));
    assertThat(explanation.next().rate()).isEmpty();
    assertThat(explanation.next().obstacle())
        .contains("1000 kbit/s are reserved for it")
        .contains("uses all of its rate");
  }

  @Test
  void aLinkThatServiceClassesFillIsNamedWithThem() {
    office.setPolicy(FILES, Policy.builder().scheme(SchemeName.SERVICE_CLASSES).build());
    fill();
    onlyTheMiddleIsFilledBy(SchemeName.SERVICE_CLASSES, explain("h1/x").orElseThrow(), true);
  }

  @Test
  void soIsOneThatAdaptiveReservationsFill() {
    office.setPolicy(FILES, reservations(1_000));
    fill();
    Explanation explanation = explain("h1/x").orElseThrow();
    onlyTheMiddleIsFilledBy(SchemeName.ADAPTIVE_RESERVATIONS, explanation, true);
    // Four reservations fit in what may be promised. The other two are best effort.
    LinkShare middle = explanation.links().get(1);
    assertThat(middle.granted()).isEqualTo(DataRate.ofKilobitsPerSecond(4_000));
    assertThat(middle.heldTo()).isGreaterThan(DataRate.ofKilobitsPerSecond(4_000));
  }

  /** Of its half of 9.5 Mbit/s the first two leave 750 kbit/s, which is less than one needs. */
  @Test
  void aFixedRateThatIsNotAdmittedShowsThatThePartOfItsSchemeIsFull() {
    office.setPolicy(
        FILES,
        Policy.builder()
            .scheme(SchemeName.FIXED_RATE)
            .maximumRate(DataRate.ofKilobitsPerSecond(2_000))
            .build());
    office.open(Office.conversation(1, "x", "files"));
    office.open(Office.conversation(2, "x", "files"));
    office.settle();
    assertThat(explain("h1/x").orElseThrow().links()).noneMatch(LinkShare::isBinding);

    office.open(Office.conversation(3, "x", "files"));
    office.settle();
    onlyTheMiddleIsFilledBy(SchemeName.FIXED_RATE, explain("h1/x").orElseThrow(), false);
  }

  /** Beside others a class keeps to its part of the link they share, and of no other link. */
  @Test
  void thePartOfASchemeIsFullWhileItsLinkHasRoom() {
    office.setPolicy(FILES, Policy.builder().scheme(SchemeName.SERVICE_CLASSES).build());
    office.open(Office.conversation(1, "x", "files"));
    office.open(Office.conversation(2, "w", ""));
    office.settle();
    Explanation explanation = explain("h1/x").orElseThrow();
    onlyTheMiddleIsFilledBy(SchemeName.SERVICE_CLASSES, explanation, false);
    assertThat(explanation.links())
        .filteredOn(LinkShare::isBinding)
        .singleElement()
        .satisfies(
            link ->
                assertThat(link.grantedBy())
                    .containsOnlyKeys(SchemeName.SERVICE_CLASSES, SchemeName.UTILITY_FAIR)
                    .containsEntry(SchemeName.UTILITY_FAIR, DataRate.ofKilobitsPerSecond(2_000)));
  }

  private static void onlyTheMiddleIsFilledBy(
      SchemeName scheme, Explanation explanation, boolean isFull) {
    assertThat(explanation.links())
        .filteredOn(LinkShare::isBinding)
        .singleElement()
        .satisfies(
            link -> {
              assertThat(link.link()).isEqualTo(LinkId.of("s1", "s2"));
              assertThat(link.filledBy()).containsExactly(scheme);
              assertThat(link.isFull()).isEqualTo(isFull);
            });
  }

  private static Policy reservations(long kbps) {
    return Policy.builder()
        .scheme(SchemeName.ADAPTIVE_RESERVATIONS)
        .minimumRate(DataRate.ofKilobitsPerSecond(kbps))
        .build();
  }

  /** Six that want 5 Mbit/s each, on a link on which 1400 kbit/s for each leave next to nothing. */
  private void fill() {
    office.state = OfficeNetwork.oneWay(8_900);
    for (int host = 1; host <= 3; host++) {
      office.open(Office.conversation(host, "x", "files/copy"));
      office.open(Office.conversation(host, "y", "files/copy"));
    }
    office.settle();
  }

  private Optional<Explanation> explain(String id) {
    return office
        .proofs
        .find(ConversationId.tryParse(id).orElseThrow())
        .flatMap(proof -> Explainer.explain(proof, office.planner));
  }
}
