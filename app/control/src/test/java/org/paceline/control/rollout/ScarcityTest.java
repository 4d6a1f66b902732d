package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.Proof;
import org.paceline.control.model.Unserved;
import org.paceline.control.planning.Plan;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.Policy;

/** 10 Mbit/s, of which 9.5 may be granted, and conversations that need 100 kbit/s each. */
final class ScarcityTest {
  private final Office office = new Office();

  @Test
  void whomTheLinkHasNoRoomForIsToldSoAndHeldToATrickle() {
    for (int i = 100; i < 300; i++) {
      office.open(Office.conversation(1 + i % 3, "a" + i, ""));
    }
    office.settle();
    Plan plan = office.planner.plan();
    assertThat(plan.grants()).hasSizeBetween(90, 95);
    assertThat(plan.unserved()).hasSize(200 - plan.grants().size());
    assertThat(plan.unserved().values())
        .allSatisfy(why -> assertThat(why.kind()).isEqualTo(Unserved.Kind.NOT_ADMITTED))
        .allSatisfy(why -> assertThat(why.reason()).contains("(s1 -> s2)").contains("Maybe"));
    assertThat(plan.restrained().keySet()).isEqualTo(plan.unserved().keySet());
    assertThat(plan.summary().remarks()).isNotEmpty();
    assertThat(office.enforcedSum()).isLessThanOrEqualTo(9_600_000_960L);
    Proof refused = office.proofs.find(plan.unserved().firstKey()).orElseThrow();
    assertThat(refused.state()).isEqualTo(ConversationState.UNSERVED);
    assertThat(refused.reason()).contains("Not admitted");
    assertThat(refused.installed()).isEqualTo(refused.computed().map(grant -> grant.rate()));
  }

  /** A rule at its first switch leads it through its meter: without one nobody holds it. */
  @Test
  void whoeverIsHeldToATrickleByAMeterIsLedThroughIt() {
    for (int i = 100; i < 300; i++) {
      office.open(Office.metered(1 + i % 3, "a" + i, ""));
    }
    office.settle();
    Plan plan = office.planner.plan();
    assertThat(plan.restrained()).hasSizeGreaterThan(100);
    assertThat(office.led).isEqualTo(plan.directives().routes().keySet()).hasSize(200);
    assertThat(office.released).doesNotContainAnyElementsOf(plan.restrained().keySet());
  }

  @Test
  void aHigherPriorityIsServedFirst() {
    office.setPolicy(IntentPath.parse("calls"), Policy.builder().priority(7).build());
    for (int i = 100; i < 200; i++) {
      office.open(Office.conversation(1, "a" + i, ""));
    }
    office.settle();
    for (int i = 100; i < 150; i++) {
      office.open(Office.conversation(2, "b" + i, "calls"));
    }
    office.settle();
    assertThat(
            office.planner.plan().grants().keySet().stream().filter(id -> id.host().equals("h2")))
        .hasSize(50);
  }

  @Test
  void amongEqualsWhoIsServedStaysServedWhateverTheNewcomersAreCalled() {
    for (int i = 100; i < 190; i++) {
      office.open(Office.conversation(3, "z" + i, ""));
    }
    office.settle();
    assertThat(office.planner.plan().grants()).hasSize(90);
    for (int i = 100; i < 190; i++) {
      office.open(Office.conversation(1, "a" + i, ""));
    }
    office.settle();
    assertThat(
            office.planner.plan().grants().keySet().stream().filter(id -> id.host().equals("h3")))
        .hasSize(90);
  }

  @Test
  void aRefusalIsSaidOnceHoweverOftenItIsPlanned() {
    for (int i = 100; i < 250; i++) {
      office.open(Office.conversation(1, "a" + i, ""));
    }
    office.settle();
    int said = office.refused.size();
    office.state = OfficeNetwork.oneWay(10_001);
    office.planner.networkChanged();
    office.settle();
    assertThat(office.refused).hasSize(said);
  }

  @Test
  void whoeverWasRefusedIsServedWhenOthersLeave() {
    for (int i = 100; i < 200; i++) {
      office.open(Office.conversation(1, "a" + i, ""));
    }
    office.settle();
    ConversationId refused = office.planner.plan().unserved().firstKey();
    office.planner.plan().grants().keySet().stream().limit(20).forEach(office::close);
    office.settle();
    assertThat(office.planner.plan().unserved()).isEmpty();
    Proof proof = office.proofs.find(refused).orElseThrow();
    assertThat(proof.state()).isEqualTo(ConversationState.GRANTED);
    assertThat(proof.reason()).isEmpty();
  }
}
