package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.unit.DataRate;

/** What becomes of the conversations of an agent that goes, and when it comes back. */
final class AbsentAgentsTest {
  private final Office office = new Office();

  @Test
  void theConversationsOfALostAgentKeepTheirShareForALeaseAndThenGiveItBack() {
    office.attach(1);
    office.open(Office.conversation(1, "a", ""));
    office.settle();
    office.planner.detached("h1");
    office.worker.pass(PlannerSettings.DEFAULT.lease().minusSeconds(1));
    assertThat(office.proof("h1", "a").state()).isEqualTo(ConversationState.CLOSING);
    assertThat(office.grant("h1", "a")).isPositive();
    office.worker.pass(Duration.ofSeconds(2));
    assertThat(office.proofs.all()).isEmpty();
  }

  @Test
  void theConversationsOfAnAgentThatStoppedGiveTheirShareBackSoon() {
    office.attach(1);
    office.open(Office.conversation(1, "a", ""));
    office.settle();
    office.planner.stopped("h1");
    office.worker.pass(PlannerSettings.DEFAULT.agentGrace().minusSeconds(1));
    assertThat(office.proof("h1", "a").state()).isEqualTo(ConversationState.CLOSING);
    office.worker.pass(Duration.ofSeconds(2));
    assertThat(office.proofs.all()).isEmpty();
  }

  @Test
  void aShareIsKeptForALeaseAtLeastAndLeasesAreNoShorterThanHeartbeatsAllow() {
    PlannerSettings.Builder settings = PlannerSettings.DEFAULT.toBuilder();
    assertThat(settings.lease(Duration.ofSeconds(6)).build().silenceGrace())
        .isEqualTo(PlannerSettings.DEFAULT.agentGrace());
    assertThat(settings.lease(Duration.ofSeconds(60)).build().silenceGrace())
        .isEqualTo(Duration.ofSeconds(60));
    assertThat(settings.lease(Duration.ZERO).build().silenceGrace())
        .isEqualTo(PlannerSettings.DEFAULT.agentGrace());
    assertThatThrownBy(() -> settings.lease(Duration.ofSeconds(5)).build())
        .hasMessageContaining("(5 s)")
        .hasMessageContaining("Maybe");
  }

  @Test
  void anAgentThatComesBackKeepsItsGrantsAndIsNotToldWhatItHolds() {
    office.attach(1);
    office.open(Office.conversation(1, "a", ""));
    office.settle();
    office.planner.detached("h1");
    office.worker.pass(Duration.ofSeconds(1));
    comesBackWith(DataRate.ofMillibitsPerSecond(office.grant("h1", "a")));
    office.worker.pass(Duration.ofSeconds(20));
    assertThat(office.onTheirWay).isEmpty();
    office.settle();
    assertThat(office.proof("h1", "a").state()).isEqualTo(ConversationState.GRANTED);
    assertThat(office.planner.plan().version()).isGreaterThan(1_000);
  }

  @Test
  void anAgentThatComesBackIsToldWhatItDoesNotHoldOrHasNotAnswered() {
    office.attach(1);
    office.open(Office.conversation(1, "a", ""));
    office.settle();
    ConversationId id = ConversationId.of("h1", "a");
    office.enforced.put(id, Office.DEFAULT.millibitsPerSecond());
    comesBackWith(Office.DEFAULT);
    office.settle();
    assertThat(office.enforced.get(id)).isEqualTo(office.grant("h1", "a"));

    office.open(Office.conversation(2, "b", ""));
    office.worker.pass(Duration.ofMillis(20));
    assertThat(office.onTheirWay).isNotEmpty();
    office.onTheirWay.clear();
    comesBackWith(DataRate.ofMillibitsPerSecond(office.enforced.get(id)));
    office.worker.pass(Duration.ofSeconds(20));
    office.settle();
    assertThat(office.enforced.get(id)).isEqualTo(office.grant("h1", "a"));
  }

  @Test
  void anAgentThatComesBackHearsAgainWhatIsNotServedAndWhy() {
    Conversation stranger =
        Conversation.builder()
            .id(ConversationId.of("h1", "x"))
            .localAddress("10.0.1.1")
            .remoteAddress("192.0.2.7")
            .build();
    AgentInfo agent = AgentInfo.of("h1", List.of(), "htb", "test", "test", Instant.EPOCH);
    office.planner.attached(agent, List.of(stranger), 0);
    office.settle();
    String why = office.proof("h1", "x").reason();
    for (int back = 2; back <= 3; back++) {
      office.planner.detached("h1");
      office.worker.pass(Duration.ofSeconds(1));
      office.planner.attached(agent, List.of(stranger), 0);
      office.settle();
      assertThat(office.proof("h1", "x").state()).isEqualTo(ConversationState.UNSERVED);
      assertThat(office.proof("h1", "x").reason()).isEqualTo(why);
      assertThat(office.refused).hasSize(back);
    }
  }

  private void comesBackWith(DataRate inForce) {
    office.planner.attached(
        AgentInfo.of("h1", List.of(), "htb", "test", "test", Instant.EPOCH),
        List.of(Office.conversation(1, "a", "", inForce)),
        1_000);
  }
}
