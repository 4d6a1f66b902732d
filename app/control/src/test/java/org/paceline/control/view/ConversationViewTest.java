package org.paceline.control.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.Proof;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

final class ConversationViewTest {
  private static final IntentTree TREE =
      IntentTree.withDefault(
          UtilityFunction.of(
              "web",
              List.of(kbps(100)),
              List.of(Latency.ofMillis(10)),
              List.of(List.of(Utility.MAX))));

  @Test
  void whoIsHeldToNoRateHasNoneToShow() {
    ConversationView free = ConversationView.of(proof().installed(kbps(200_000_000)).build());
    assertThat(PlannerSettings.isUnlimited(kbps(200_000_000))).isTrue();
    assertThat(free.isNotPaced()).isTrue();
    assertThat(free.pacedAt()).isEmpty();
    ConversationView held = ConversationView.of(proof().installed(kbps(250)).build());
    assertThat(held.isNotPaced()).isFalse();
    assertThat(held.pacedAt()).contains(kbps(250));
  }

  @Test
  void whatItUsesIsOfGrantAndLoanTogether() {
    Grant grant =
        Grant.of(
            "h1/a", 1, kbps(100), Latency.ofMillis(5), Utility.MAX, Path.of(List.of("h1", "h2")));
    ConversationView lent =
        ConversationView.of(
            proof()
                .computed(Optional.of(grant))
                .lent(kbps(50))
                .measured(kbps(111))
                .state(ConversationState.GRANTED)
                .build());
    assertThat(lent.usedPercent()).contains(74L);
    assertThat(lent.lent()).contains(kbps(50));
    assertThat(lent.state()).isEqualTo("granted");
    ConversationView unserved = ConversationView.of(proof().build());
    assertThat(unserved.usedPercent()).isEmpty();
    assertThat(unserved.lent()).isEmpty();
    assertThat(unserved.sent()).isEqualTo(DataRate.ZERO);
  }

  private static Proof.Builder proof() {
    Conversation conversation =
        Conversation.builder()
            .id(ConversationId.of("h1", "a"))
            .localAddress("10.0.0.1")
            .remoteAddress("10.0.0.2")
            .build();
    return Proof.of(conversation, TREE.resolve(""), Instant.EPOCH).toBuilder();
  }

  private static DataRate kbps(long kbps) {
    return DataRate.ofKilobitsPerSecond(kbps);
  }
}
