package org.paceline.control.directive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

final class DirectivesTest {
  private static final ConversationId A = ConversationId.of("h1", "a");
  private static final ConversationId B = ConversationId.of("h2", "b");

  @Test
  void aDirectiveHasTheSameIdWheneverItIsMadeAndAnotherForAnotherOwnerOrKind() {
    Directives made = given(SchemeName.UTILITY_FAIR, Map.of(A, grant(4_000, "s", "t")));
    Directives again = given(SchemeName.UTILITY_FAIR, Map.of(A, grant(9_000, "s", "x", "t")));
    assertThat(made.about(A))
        .extracting(Directive::id)
        .containsExactly("utility-fair/pace/h1/a", "utility-fair/route/h1/a");
    assertThat(again.about(A))
        .extracting(Directive::id)
        .isEqualTo(made.about(A).stream().map(Directive::id).collect(Collectors.toList()));
    assertThat(given(SchemeName.FIXED_RATE, Map.of(A, grant(4_000, "s", "t"))).about(A))
        .extracting(Directive::id)
        .containsExactly("fixed-rate/pace/h1/a", "fixed-rate/route/h1/a");
    Pace pace = made.paces().firstEntry().getValue();
    assertThat(Meter.insteadOf(pace).id()).isEqualTo("utility-fair/meter/h1/a");
    assertThat(Meter.insteadOf(pace).rate()).isEqualTo(pace.rate());
  }

  @Test
  void whoSharesAMeterDoesSoByItsGroupAndOnlyWhereNoAgentPacesIt() {
    MeterGroup gold = MeterGroup.of(IntentPath.parse("video/gold"), "L");
    Directives shared =
        given(
                SchemeName.SERVICE_CLASSES,
                Map.of(A, grant(4_000, "s", "t"), B, grant(1_000, "r", "s", "t")))
            .sharing(Map.of(A, gold));
    Pace pace = shared.paces().firstEntry().getValue().at(DataRate.ofKilobitsPerSecond(2_000));
    assertThat(Meter.sharedInsteadOf(pace).group()).hasValue(gold);
    assertThat(Meter.sharedInsteadOf(pace.held()).group()).hasValue(gold);
    assertThat(Meter.insteadOf(pace).group()).isEmpty();
    assertThat(Meter.sharedInsteadOf(pace).told().meterGroup()).isEmpty();
    assertThat(Meter.sharedInsteadOf(shared.paces().lastEntry().getValue()).group()).isEmpty();
    assertThat(gold).hasToString("video/gold L");
  }

  @Test
  void aLinkCarriesTheRatesOfAllWhoArePacedAcrossIt() {
    Directives all =
        given(
            SchemeName.UTILITY_FAIR,
            Map.of(A, grant(4_000, "s", "t"), B, grant(1_000, "r", "s", "t")));
    assertThat(all.loads())
        .containsEntry(LinkId.of("s", "t"), 5_000_000_000L)
        .containsEntry(LinkId.of("r", "s"), 1_000_000_000L)
        .hasSize(2);
  }

  @Test
  void whoHasNoPathKeepsRateAndPathForThatReason() {
    Directives kept =
        given(
                SchemeName.FIXED_RATE,
                Map.of(A, grant(4_000, "s", "t"), B, grant(1_000, "r", "s", "t")))
            .about(A::equals)
            .nowBecause(Directive.Reason.NO_PATH);
    assertThat(kept.about(B)).isEmpty();
    assertThat(kept.about(A))
        .allMatch(one -> one.reason() == Directive.Reason.NO_PATH)
        .allMatch(one -> one.owner() == SchemeName.FIXED_RATE);
  }

  @Test
  void queuesOfPortsAreNobodysConversation() {
    Queue queue = queue(SchemeName.FIXED_RATE, 3_000);
    Directives all =
        given(SchemeName.UTILITY_FAIR, Map.of(A, grant(4_000, "s", "t")))
            .with(Directives.of(List.of(queue)));
    assertThat(queue.id()).isEqualTo("fixed-rate/queue/s -> t");
    assertThat(all.loads()).containsEntry(LinkId.of("s", "t"), 4_000_000_000L).hasSize(1);
    assertThat(all.without(A::equals)).isEqualTo(Directives.of(List.of(queue)));
    assertThat(all.about(A::equals).queues()).isEmpty();
    Queue other = queue(SchemeName.UTILITY_FAIR, 1_000);
    assertThat(all.with(Directives.of(List.of(other))).queues())
        .containsOnly(Map.entry(LinkId.of("s", "t"), other));
  }

  @Test
  void aQueueWithoutARateIsRefusedForNothingWouldEverLeaveIt() {
    assertThatThrownBy(() -> QueueShares.of(DataRate.ZERO, DataRate.ofKilobitsPerSecond(1)))
        .hasMessageContaining("must both be above 0");
  }

  /** Told and read back are the same to the bit, whatever the ratio. */
  @Test
  void sharesFillARateInWholeKilobits() {
    QueueShares scaled =
        QueueShares.of(DataRate.ofBitsPerSecond(1), DataRate.ofBitsPerSecond(2_999_999))
            .scaledTo(DataRate.ofBitsPerSecond(9_900_900));
    assertThat(scaled.elephants()).isEqualTo(DataRate.ofKilobitsPerSecond(1));
    assertThat(scaled.others()).isEqualTo(DataRate.ofKilobitsPerSecond(9_899));
  }

  private static Queue queue(SchemeName owner, long kbps) {
    return Queue.of(
        owner,
        Directive.Reason.ELEPHANTS,
        LinkId.of("s", "t"),
        QueueShares.of(DataRate.ofKilobitsPerSecond(kbps), DataRate.ofKilobitsPerSecond(kbps)));
  }

  private static Directives given(SchemeName owner, Map<ConversationId, Grant> grants) {
    return Directives.of(owner, Directive.Reason.GRANTED, grants);
  }

  private static Grant grant(long kbps, String... way) {
    return Grant.of(
        "x",
        1,
        DataRate.ofKilobitsPerSecond(kbps),
        Latency.ofMillis(10),
        Utility.MAX,
        Path.of(List.of(way)));
  }
}
