package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.Enforcement;
import org.paceline.control.model.PacketMatch;
import org.paceline.control.model.Proof;
import org.paceline.control.model.Transport;
import org.paceline.intents.unit.DataRate;

/** Conversations whose sockets have different ports. */
class MatchesTest {
  private static final PacketMatch SECOND = PacketMatch.of(Transport.TCP, 40_002, 443);
  private final Office office = new Office();

  private static Conversation one(PacketMatch... more) {
    return Conversation.builder()
        .id(ConversationId.of("h1", "c"))
        .intent("web/a")
        .localAddress("10.0.1.1")
        .remoteAddress("10.0.2.1")
        .transport(Transport.TCP)
        .localPort(40_001)
        .remotePort(443)
        .moreMatches(List.of(more))
        .rateInForce(Office.DEFAULT)
        .firstSeen(Instant.EPOCH)
        .build();
  }

  @Test
  void whoeverIsLedIsLedByItsNewPortsAtOnceAndKeepsWhatItHas() {
    office.state = OfficeNetwork.twoWays(10_000);
    office.planner.networkChanged();
    office.attach(1);
    office.open(one());
    office.settle();
    Proof before = proof();
    assertThat(before.state()).isEqualTo(ConversationState.GRANTED);
    int batches = office.batches;
    Conversation more =
        one(SECOND).toBuilder().rateInForce(before.installed().orElse(DataRate.ZERO)).build();

    openedAgain(more);

    assertThat(office.rematched).containsExactly(more);
    assertThat(proof()).isEqualTo(before.toBuilder().conversation(more).build());
    office.settle();
    assertThat(office.batches).as("no rate is told anew").isEqualTo(batches);

    openedAgain(one());
    assertThat(office.rematched).containsExactly(more, one());
  }

  @Test
  void whatDefaultForwardingLeadsNeedsNoRules() {
    office.attach(1);
    office.open(one());
    office.settle();
    openedAgain(one(SECOND));
    assertThat(office.rematched).isEmpty();
    assertThat(proof().conversation().moreMatches()).containsExactly(SECOND);
  }

  @Test
  void whatIsAnnouncedByHandIsCountedOnceBesideAnyOfAConversationsSockets() {
    office.attach(1);
    office.open(one(SECOND));
    Conversation byHand =
        Conversation.builder()
            .id(ConversationId.of("announced", "x"))
            .localAddress("10.0.1.1")
            .remoteAddress("10.0.2.1")
            .transport(Transport.TCP)
            .localPort(40_002)
            .remotePort(443)
            .enforcement(Enforcement.FIRST_HOP)
            .build();
    office.open(byHand);
    office.settle();
    Proof refused = office.proofs.find(byHand.id()).orElseThrow(AssertionError::new);
    assertThat(refused.state()).isEqualTo(ConversationState.UNSERVED);
    assertThat(refused.reason()).contains("h1/c");
    assertThat(proof().state()).isEqualTo(ConversationState.GRANTED);
  }

  private void openedAgain(Conversation conversation) {
    office.planner.opened(conversation);
    office.worker.pass(Duration.ofMillis(1));
  }

  private Proof proof() {
    return office.proofs.find(one().id()).orElseThrow(AssertionError::new);
  }
}
