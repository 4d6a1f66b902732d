package org.paceline.control.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.paceline.control.directive.Directive.Reason;
import org.paceline.control.directive.Directives;
import org.paceline.control.directive.Queue;
import org.paceline.control.directive.QueueShares;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

final class PlanDifferenceTest {
  private static final ConversationId A = ConversationId.of("h1", "a");
  private static final ConversationId B = ConversationId.of("h2", "b");
  private static final ConversationId C = ConversationId.of("h3", "c");

  @Test
  void fromNothingEverybodyIsNew() {
    PlanDifference difference =
        PlanDifference.between(Plan.EMPTY, plan(given(Map.of(A, grant(4_000, "s", "t")))));
    assertThat(difference.paced()).containsExactly(A);
    assertThat(difference).hasToString("1 new, 0 raised, 0 lowered, 0 moved, 0 ended");
  }

  @Test
  void rateAndPathChangeApart() {
    PlanDifference difference =
        PlanDifference.between(
            plan(
                given(
                    Map.of(
                        A,
                        grant(4_000, "s", "t"),
                        B,
                        grant(4_000, "s", "t"),
                        C,
                        grant(1, "s", "t")))),
            plan(given(Map.of(A, grant(5_000, "s", "t"), B, grant(3_000, "s", "r", "t")))));
    assertThat(difference.paced()).isEmpty();
    assertThat(difference.moved()).containsExactly(B);
    assertThat(difference.ended()).containsExactly(C);
    assertThat(difference).hasToString("0 new, 1 raised, 1 lowered, 1 moved, 1 ended");
  }

  /** It keeps its rate and its path, so nothing is to be done; but a grant it is not any more. */
  @Test
  void whoIsOnlyHeldToARateCountsAsNoGrant() {
    Directives granted = given(Map.of(A, grant(4_000, "s", "t")));
    Directives held = granted.nowBecause(Reason.NO_PATH);
    PlanDifference lost = PlanDifference.between(plan(granted), plan(held));
    assertThat(lost.paced()).isEmpty();
    assertThat(lost.ended()).isEmpty();
    assertThat(lost).hasToString("0 new, 0 raised, 0 lowered, 0 moved, 1 ended");
    assertThat(PlanDifference.between(plan(held), plan(granted)))
        .hasToString("1 new, 0 raised, 0 lowered, 0 moved, 0 ended");
    assertThat(PlanDifference.between(plan(held), Plan.EMPTY))
        .hasToString("0 new, 0 raised, 0 lowered, 0 moved, 0 ended");
  }

  @Test
  void portsAreCountedWhereTheirQueuesAreOthers() {
    Directives first = Directives.of(List.of(queue("t", 1_000), queue("r", 1_000)));
    Directives second = Directives.of(List.of(queue("t", 2_000)));
    assertThat(PlanDifference.between(plan(first), plan(second)))
        .hasToString("0 new, 0 raised, 0 lowered, 0 moved, 0 ended, 1 ports divided, 1 no longer");
    assertThat(PlanDifference.between(plan(second), plan(second)))
        .hasToString("0 new, 0 raised, 0 lowered, 0 moved, 0 ended");
  }

  private static Queue queue(String to, long elephantsKbps) {
    return Queue.of(
        SchemeName.UTILITY_FAIR,
        Reason.ELEPHANTS,
        LinkId.of("s", to),
        QueueShares.of(
            DataRate.ofKilobitsPerSecond(elephantsKbps), DataRate.ofKilobitsPerSecond(5_000)));
  }

  private static Plan plan(Directives directives) {
    return Plan.of(1, directives, Map.of(), Map.of(), Map.of(), PlanSummary.EMPTY);
  }

  private static Directives given(Map<ConversationId, Grant> grants) {
    return Directives.of(SchemeName.UTILITY_FAIR, Reason.GRANTED, grants);
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
