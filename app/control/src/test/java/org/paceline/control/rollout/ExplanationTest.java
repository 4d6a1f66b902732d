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
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Utility;

final class ExplanationTest {
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
