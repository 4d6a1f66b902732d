package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.Enforcement;
import org.paceline.control.model.Proof;
import org.paceline.control.model.Transport;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.Path;

/** Conversations that the receiver announced count where nobody else speaks for them, once. */
class ReceiversTest {
  private final Office office = new Office();
  private final ConversationId incoming = ConversationId.of("c1", "in");

  /** From h1, which may have no agent, to c1, which has. */
  private Conversation incoming(String from) {
    return Conversation.builder()
        .id(incoming)
        .incoming(true)
        .enforcement(Enforcement.RECEIVER)
        .localAddress(from)
        .remoteAddress("10.0.2.1")
        .transport(Transport.TCP)
        .localPort(8080)
        .build();
  }

  private void sendersAgentComes() {
    office.planner.attached(
        AgentInfo.of("h1", List.of("10.0.1.1"), "htb", "test", "test", Instant.EPOCH),
        List.of(),
        0);
  }

  private Proof proof() {
    return office.proofs.find(incoming).orElseThrow(AssertionError::new);
  }

  @Test
  void whatNobodyPacesIsHeldByItsReceiverAndTakesItsShareOfTheWayFromTheSender() {
    office.open(incoming("10.0.1.1"));
    office.worker.pass(Duration.ofMillis(20));
    Office.Batch batch = office.onTheirWay.getFirst();
    assertThat(batch.host).isEqualTo("c1");
    assertThat(batch.rates.keySet()).containsExactly(incoming("10.0.1.1"));

    office.settle();

    assertThat(proof().state()).isEqualTo(ConversationState.GRANTED);
    assertThat(proof().computed().orElseThrow(AssertionError::new).path())
        .isEqualTo(Path.of(List.of("h1", "s1", "s2", "c1")));
  }

  /** A table's end holds nobody back while a link is idle, whichever end is held. */
  @Test
  void whatIsHeldWhereItArrivesIsLentWhatNobodyWasGranted() {
    office.open(incoming("10.0.1.1"));
    office.settle();
    long granted = office.grant("c1", "in");
    office.report(id -> 1);
    office.report(id -> 1);
    assertThat(proof().lent().millibitsPerSecond()).isGreaterThan(2 * granted);
    assertThat(office.enforced.get(incoming))
        .as("what its receiver was told")
        .isEqualTo(granted + proof().lent().millibitsPerSecond());

    office.open(Office.conversation(2, "other", ""));
    office.settle();
    assertThat(office.mostSent()).isLessThanOrEqualTo(9_600_000_960L);
    assertThat(office.enforced.get(ConversationId.of("h2", "other")))
        .isEqualTo(office.grant("h2", "other"));
  }

  @Test
  void whoeverHasAnAgentSpeaksForItself() {
    sendersAgentComes();
    office.open(incoming("10.0.1.1"));
    office.settle();
    assertThat(proof().state()).isEqualTo(ConversationState.UNSERVED);
    assertThat(proof().reason()).contains("10.0.1.1");
    assertThat(proof().reason()).contains("(h1)");
    assertThat(proof().reason()).contains("Maybe");
    assertThat(office.refused).hasSize(1);
    assertThat(office.enforced.get(incoming)).isZero();
  }

  @Test
  void theSendersAgentThatComesTakesItOverAndTheReceiverThatIsLeftTakesItBack() {
    office.open(incoming("10.0.1.1"));
    office.settle();
    sendersAgentComes();
    office.settle();
    assertThat(proof().state()).isEqualTo(ConversationState.UNSERVED);
    assertThat(office.planner.plan().grants()).isEmpty();

    // Away it may still pace: its word stands until it is given up.
    office.planner.detached("h1");
    office.settle();
    assertThat(proof().state()).isEqualTo(ConversationState.UNSERVED);
    office.worker.pass(PlannerSettings.DEFAULT.silenceGrace().plusSeconds(1));
    office.settle();

    assertThat(proof().state()).isEqualTo(ConversationState.GRANTED);
    assertThat(office.enforced.get(incoming)).isPositive();
  }

  @Test
  void whatIsAnnouncedByHandIsNotCountedAgain() {
    office.state = OfficeNetwork.twoWays(10_000);
    Conversation byHand =
        Conversation.builder()
            .id(ConversationId.of("announced", "x"))
            .enforcement(Enforcement.FIRST_HOP)
            .localAddress("10.0.1.1")
            .remoteAddress("10.0.2.1")
            .build();
    office.open(byHand);
    office.open(incoming("10.0.1.1"));
    office.settle();
    assertThat(proof().state()).isEqualTo(ConversationState.UNSERVED);
    assertThat(proof().reason()).contains("announced/x");

    office.close(byHand.id());
    office.settle();

    assertThat(proof().state()).isEqualTo(ConversationState.GRANTED);
  }

  @Test
  void onesOfOtherPortsAreOthers() {
    office.state = OfficeNetwork.twoWays(10_000);
    office.open(
        Conversation.builder()
            .id(ConversationId.of("announced", "x"))
            .enforcement(Enforcement.FIRST_HOP)
            .localAddress("10.0.1.1")
            .remoteAddress("10.0.2.1")
            .localPort(22)
            .build());
    office.open(incoming("10.0.1.1"));
    office.settle();
    assertThat(proof().state()).isEqualTo(ConversationState.GRANTED);
  }

  @Test
  void whatComesFromOutsideComesByTheGatewayWhereThereIsOne() {
    Office outside = new Office(PlannerSettings.DEFAULT.toBuilder().gateway("10.0.1.3").build());
    outside.open(incoming("192.0.2.7"));
    // Only what comes in: who sends to an unknown host may mean one of the network.
    outside.open(
        Conversation.builder()
            .id(ConversationId.of("h1", "x"))
            .localAddress("10.0.1.1")
            .remoteAddress("192.0.2.7")
            .build());
    outside.settle();
    Proof proof = outside.proofs.find(incoming).orElseThrow(AssertionError::new);
    assertThat(proof.computed().orElseThrow(AssertionError::new).path())
        .isEqualTo(Path.of(List.of("h3", "s1", "s2", "c1")));
    assertThat(outside.planner.plan().unserved().keySet())
        .containsExactly(ConversationId.of("h1", "x"));
  }

  @Test
  void whoeverIsOutsideTheNetworkIsListedAndHoldsUpNoRestart() {
    Office restarted = new Office(PlannerSettings.DEFAULT, Set.of("c1"));
    restarted.planner.attached(
        AgentInfo.of("c1", List.of("10.0.2.1"), "htb", "test", "test", Instant.EPOCH),
        List.of(incoming("192.0.2.7"), Office.conversation(1, "a", "")),
        7);
    restarted.worker.pass(Duration.ofSeconds(3));
    restarted.settle();
    assertThat(restarted.proofs.find(incoming).orElseThrow(AssertionError::new).state())
        .isEqualTo(ConversationState.UNSERVED);
    assertThat(restarted.planner.plan().grants().keySet())
        .containsExactly(ConversationId.of("h1", "a"));
  }

  @Test
  void ofTwoThatWereAnnouncedForTheSamePacketsTheFirstIsServedAndTheOtherAfterIt() {
    office.open(byHand("one", 5001, 1));
    office.open(byHand("another", 5001, 2));
    office.open(byHand("other-port", 5002, 3));
    office.settle();
    assertThat(state("one")).isEqualTo(ConversationState.GRANTED);
    assertThat(state("other-port")).isEqualTo(ConversationState.GRANTED);
    assertThat(state("another")).isEqualTo(ConversationState.UNSERVED);
    assertThat(office.proofs.find(announced("another")).orElseThrow(AssertionError::new).reason())
        .contains("(announced/one)");
    office.close(announced("one"));
    office.settle();
    assertThat(state("another")).isEqualTo(ConversationState.GRANTED);
  }

  private static ConversationId announced(String name) {
    return ConversationId.of("announced", name);
  }

  private ConversationState state(String name) {
    return office.proofs.find(announced(name)).orElseThrow(AssertionError::new).state();
  }

  private static Conversation byHand(String name, int port, long second) {
    return Conversation.builder()
        .id(announced(name))
        .localAddress("10.0.1.1")
        .remoteAddress("10.0.2.1")
        .transport(Transport.UDP)
        .localPort(port)
        .firstSeen(Instant.ofEpochSecond(second))
        .build();
  }
}
