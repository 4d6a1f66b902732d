package org.paceline.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.stub.CallStreamObserver;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.paceline.control.model.ConversationId;
import org.paceline.gateway.flood.MessageRate;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.ControllerMessage;
import org.paceline.protocol.ConversationClosed;
import org.paceline.protocol.Heartbeat;
import org.paceline.protocol.PeerAgreement;
import org.paceline.protocol.Refusal;

/** An agent that says, or leaves unread, more than any host has a reason to. */
final class AgentBoundsTest {
  private static final String LONG = "x".repeat(AgentBounds.LONGEST_NAME + 1);
  private static final ControllerMessage MESSAGE =
      ControllerMessage.newBuilder().setHeartbeat(Heartbeat.getDefaultInstance()).build();

  @Test
  void whatIsTooLongIsRefusedOrCutOffAndTheStreamGoesOn() throws Exception {
    try (AgentServerRig rig = new AgentServerRig(Optional.empty())) {
      AgentServerRig.Agent agent = rig.agent();
      agent.say(AgentServerRig.hello("h1").build());
      agent.hears();
      agent.say(AgentServerRig.opened(LONG, "10.0.0.2"));
      Refusal refusal = agent.hears().getRefusal();
      assertThat(refusal.getCode()).isEqualTo(Refusal.Code.INVALID_CONVERSATION);
      assertThat(refusal.getMessage()).contains("(257)").contains("(256)").contains("Maybe");
      agent.say(
          AgentServerRig.opened("c1", "10.0.0.2").toBuilder()
              .setProcess("p".repeat(100_000))
              .build());
      agent.hearsRates();
      assertThat(rig.proofs.all()).hasSize(1);
      assertThat(
              rig.proofs.find(ConversationId.of("h1", "c1")).orElseThrow().conversation().process())
          .hasSize(AgentBounds.LONGEST_TEXT);
    }
  }

  @Test
  void aHelloOfMoreThanAnyHostHasIsRefused() throws Exception {
    try (AgentServerRig rig = new AgentServerRig(Optional.empty())) {
      AgentServerRig.Agent agent = rig.agent();
      agent.say(
          AgentServerRig.hello("h1")
              .addAllIntents(Collections.nCopies(AgentBounds.MOST_INTENTS, "voip"))
              .build());
      Refusal refusal = agent.hears().getRefusal();
      assertThat(refusal.getCode()).isEqualTo(Refusal.Code.UNSUPPORTED_PROTOCOL_VERSION);
      assertThat(refusal.getMessage()).contains("(10001) intents").contains("(10000)");
    }
  }

  @Test
  void aHelloOfMorePeersThanThereCanBeIsRefused() throws Exception {
    try (AgentServerRig rig = new AgentServerRig(Optional.empty())) {
      AgentServerRig.Agent agent = rig.agent();
      // The greatest number of 32 bits, not -1.
      agent.say(
          AgentServerRig.hello("h1")
              .setPeerAgreement(PeerAgreement.newBuilder().setPeers(-1))
              .build());
      assertThat(agent.hears().getRefusal().getMessage())
          .contains("(4294967295) peers")
          .contains("(10000)");
    }
  }

  @Test
  void thereIsRoomForSoManyConversations() {
    AgentBounds.checkRoom(AgentBounds.MOST_CONVERSATIONS - 1);
    assertThatThrownBy(() -> AgentBounds.checkRoom(AgentBounds.MOST_CONVERSATIONS))
        .hasMessageContaining("(20000)")
        .hasMessageContaining("Maybe");
  }

  /**
   * It cannot be faster, however quick the machine is; the answer to the last shows that all came.
   */
  @Test
  void oneThatFloodsIsSlowedAndLosesNothing() throws Exception {
    try (AgentServerRig rig = new AgentServerRig(Optional.empty())) {
      AgentServerRig.Agent agent = rig.agent();
      agent.say(AgentServerRig.hello("h1").build());
      agent.hears();
      AgentMessage nothing =
          AgentMessage.newBuilder().setClosed(ConversationClosed.getDefaultInstance()).build();
      long begun = System.nanoTime();
      for (int i = 0; i < MessageRate.BURST + MessageRate.A_SECOND; i++) {
        agent.say(nothing);
      }
      agent.say(AgentServerRig.opened("last", "nowhere"));
      assertThat(agent.hears().getRefusal().getConversationId()).isEqualTo("last");
      assertThat(System.nanoTime() - begun).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(900));
    }
  }

  @Test
  void aBurstIsTakenAtOnceAndThenSoManyASecond() {
    MessageRate rate = new MessageRate();
    long second = TimeUnit.SECONDS.toNanos(1);
    for (int i = 0; i < MessageRate.BURST; i++) {
      assertThat(rate.taken(second)).isZero();
    }
    assertThat(rate.taken(second)).isEqualTo(second / MessageRate.A_SECOND);
    // Half a burst later half a burst is free.
    long later = second + second * MessageRate.BURST / MessageRate.A_SECOND / 2;
    for (int i = 0; i < MessageRate.BURST / 2 - 1; i++) {
      assertThat(rate.taken(later)).isZero();
    }
    assertThat(rate.taken(later)).isPositive();
  }

  @Test
  void whoDoesNotReadIsGivenUpBeforeItTakesTheMemory() {
    Pipe pipe = new Pipe();
    AgentLine line = new AgentLine(pipe);
    for (int i = 0; i < AgentLine.MOST_UNREAD; i++) {
      assertThat(line.send(MESSAGE)).isTrue();
    }
    assertThat(line.send(MESSAGE)).isFalse();
    pipe.isRead = true;
    assertThat(line.send(MESSAGE)).isTrue();
    pipe.isRead = false;
    assertThat(line.send(MESSAGE)).as("it is counted anew").isTrue();
    assertThat(pipe.sent).isEqualTo(AgentLine.MOST_UNREAD + 2);
  }

  /** What gRPC gives to speak into, of an agent that reads or does not. */
  private static final class Pipe extends CallStreamObserver<ControllerMessage> {
    boolean isRead;
    int sent;

    @Override
    public boolean isReady() {
      return isRead;
    }

    @Override
    public void onNext(ControllerMessage message) {
      sent++;
    }

    @Override
    public void setOnReadyHandler(@Nullable Runnable handler) {}

    @Override
    public void disableAutoInboundFlowControl() {}

    @Override
    public void request(int count) {}

    @Override
    public void setMessageCompression(boolean enable) {}

    @Override
    public void onError(Throwable broken) {}

    @Override
    public void onCompleted() {}
  }
}
