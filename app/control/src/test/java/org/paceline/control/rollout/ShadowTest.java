package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.Counters;
import org.paceline.control.model.Proof;
import org.paceline.control.settings.PlanMode;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.unit.DataRate;

final class ShadowTest {
  private static final PlannerSettings SHADOW =
      PlannerSettings.DEFAULT.toBuilder().mode(PlanMode.SHADOW).build();
  private static final DataRate UNLIMITED = SHADOW.rateWithoutGrant();

  @Test
  void aPlanIsMadeAndNobodyIsToldARate() {
    Office office = new Office(SHADOW);
    office.open(Office.conversation(1, "a", "files/copy", UNLIMITED));
    office.settle();
    assertThat(office.batches).isZero();
    assertThat(office.planner.plan().grants()).hasSize(1);
    Proof proof = proof(office, "a");
    assertThat(proof.state()).isEqualTo(ConversationState.RECOMMENDED);
    assertThat(proof.computed().orElseThrow().rate())
        .isEqualTo(DataRate.ofKilobitsPerSecond(5_000));
    assertThat(proof.installedAt()).isEmpty();
  }

  @Test
  void whoIsNotServedIsShownAndNotRefused() {
    Office office = new Office(SHADOW);
    office.open(toNowhere("a"));
    office.settle();
    assertThat(proof(office, "a").state()).isEqualTo(ConversationState.UNSERVED);
    assertThat(office.refused).isEmpty();
    assertThat(office.batches).isZero();
  }

  @Test
  void switchedOnItTakesRatesRulesAndMetersBack() {
    Office office = new Office();
    office.state = OfficeNetwork.twoWays(10_000);
    talk(office, 12);
    assertThat(office.led).isNotEmpty();
    int before = office.batches;
    office.mode(PlanMode.SHADOW);
    office.settle();
    assertThat(office.enforced.values()).containsOnly(UNLIMITED.millibitsPerSecond());
    assertThat(office.led).isEmpty();
    assertThat(office.released).hasSize(12);
    assertThat(office.batches).isEqualTo(before);
    assertThat(office.planner.plan().grants()).hasSize(12);
    assertThat(proof(office, "a0").state()).isEqualTo(ConversationState.RECOMMENDED);
    assertThat(proof(office, "a0").installedAt()).isEmpty();
  }

  @Test
  void switchedOffItCarriesOutWhatItRecommended() {
    Office office = new Office();
    office.state = OfficeNetwork.twoWays(10_000);
    talk(office, 12);
    Map<ConversationId, Long> before = Map.copyOf(office.enforced);
    office.mode(PlanMode.SHADOW);
    office.settle();
    office.mode(PlanMode.ENFORCE);
    office.settle();
    assertThat(office.enforced).isEqualTo(before);
    assertThat(office.led).isNotEmpty();
    assertThat(proof(office, "a0").state()).isEqualTo(ConversationState.GRANTED);
    assertThat(proof(office, "a0").installedAt()).isPresent();
  }

  @Test
  void switchedOffNobodyIsRaisedBeforeThoseWhoSendAsTheyLikeAreHeld() {
    Office office = new Office(SHADOW);
    talk(office, 6);
    office.mode(PlanMode.ENFORCE);
    office.worker.pass(Duration.ofMillis(20));
    // Each host is told at once: all rates fall from what holds nobody back.
    assertThat(office.onTheirWay).isNotEmpty();
    office.settle();
    assertThat(office.enforcedSum()).isLessThanOrEqualTo(9_600_000_000L);
    assertThat(proof(office, "a0").state()).isEqualTo(ConversationState.GRANTED);
  }

  @Test
  void switchedOffWhoGetsNothingHasTheDefaultAndLearnsWhy() {
    Office office = new Office(SHADOW);
    office.open(toNowhere("a"));
    office.settle();
    office.mode(PlanMode.ENFORCE);
    office.settle();
    assertThat(office.refused).hasSize(1);
    assertThat(office.enforced)
        .containsEntry(ConversationId.of("h1", "a"), SHADOW.defaultRate().millibitsPerSecond());
  }

  @Test
  void aRateThatAnAgentBringsOrStillReportsIsTakenBack() {
    Office office = new Office(SHADOW);
    ConversationId id = ConversationId.of("h1", "a");
    office.open(Office.conversation(1, "a", ""));
    office.settle();
    assertThat(office.enforced).containsEntry(id, UNLIMITED.millibitsPerSecond());
    office.enforced.put(id, 7_000_000L);
    office.planner.reported(
        office.worker.instant(),
        List.of(
            Counters.of(
                id,
                0,
                0,
                1,
                DataRate.ofMillibitsPerSecond(7_000_000),
                Map.of(),
                java.util.Optional.empty())));
    office.settle();
    assertThat(office.enforced).containsEntry(id, UNLIMITED.millibitsPerSecond());
  }

  private static void talk(Office office, int many) {
    for (int i = 0; i < many; i++) {
      office.open(Office.conversation(1, "a" + i, ""));
    }
    office.settle();
  }

  private static Conversation toNowhere(String id) {
    return Conversation.builder()
        .id(ConversationId.of("h1", id))
        .localAddress("10.0.1.1")
        .remoteAddress("192.0.2.7")
        .rateInForce(UNLIMITED)
        .build();
  }

  private static Proof proof(Office office, String id) {
    return office.proofs.find(ConversationId.of("h1", id)).orElseThrow();
  }
}
