package org.paceline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Collections;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.paceline.protocol.Refusal;

/** What a real agent hears over TCP that says what it may not, or what nobody can follow. */
@SuppressWarnings("NullAway.Init")
final class AgentRefusalsTest {
  private AgentServerRig rig;

  @BeforeEach
  void listen() throws IOException {
    rig = new AgentServerRig(Optional.empty());
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void anAgentOfAnotherProtocolVersionIsRefused() throws Exception {
    AgentServerRig.Agent agent = rig.agent();
    agent.say(AgentServerRig.hello("h1").setProtocolVersion(2).build());
    Refusal refusal = agent.hears().getRefusal();
    assertThat(refusal.getCode()).isEqualTo(Refusal.Code.UNSUPPORTED_PROTOCOL_VERSION);
    assertThat(refusal.getMessage()).contains("(2)").contains("Maybe");
  }

  @Test
  void anAgentMayNotSpeakForHostsWithoutOne() throws Exception {
    AgentServerRig.Agent agent = rig.agent();
    agent.say(AgentServerRig.hello("announced").build());
    Refusal refusal = agent.hears().getRefusal();
    assertThat(refusal.getCode()).isEqualTo(Refusal.Code.NOT_AUTHORISED);
    assertThat(refusal.getMessage()).contains("(announced)").contains("Maybe");
  }

  @Test
  void moreDigestsThanAnyAgentNeedsAreRefused() throws Exception {
    AgentServerRig.Agent agent = rig.agent();
    agent.say(AgentServerRig.hello("h1").addAllDigests(Collections.nCopies(8_193, 7L)).build());
    Refusal refusal = agent.hears().getRefusal();
    assertThat(refusal.getCode()).isEqualTo(Refusal.Code.UNSUPPORTED_PROTOCOL_VERSION);
    assertThat(refusal.getMessage())
        .isEqualTo(
            "The Hello carries (8193) digests, and at most (8192) are allowed. Maybe install the"
                + " agent that came with this controller.");
  }

  @Test
  void anUnknownIntentIsRefusedWithTheNearest() throws Exception {
    AgentServerRig.Agent agent = rig.agent();
    agent.say(AgentServerRig.hello("h1").addIntents("voip/g729").build());
    Refusal refusal = agent.hears().getRefusal();
    assertThat(refusal.getCode()).isEqualTo(Refusal.Code.UNKNOWN_INTENT);
    assertThat(refusal.getUnknownIntentsList()).containsExactly("voip/g729");
    assertThat(refusal.getKnownIntentsList()).startsWith("voip/g729.1");
    assertThat(rig.proofs.all()).isEmpty();
  }

  @Test
  void aSecondAgentOfTheSameHostIsRefusedAndTheFirstStays() throws Exception {
    AgentServerRig.Agent first = rig.agent();
    first.say(AgentServerRig.hello("h1").build());
    first.hears();
    AgentServerRig.Agent second = rig.agent();
    second.say(AgentServerRig.hello("h1").build());
    assertThat(second.hears().getRefusal().getCode()).isEqualTo(Refusal.Code.DUPLICATE_HOST);
    first.say(AgentServerRig.opened("c1", "10.0.0.2"));
    assertThat(first.hearsRates().hasRates()).isTrue();
  }

  @Test
  void aConversationToAnUnknownHostIsAnsweredWithTheReason() throws Exception {
    AgentServerRig.Agent agent = rig.agent();
    agent.say(AgentServerRig.hello("h1").build());
    agent.hears();
    agent.say(AgentServerRig.opened("c1", "192.0.2.9"));
    Refusal refusal = agent.hears().getRefusal();
    assertThat(refusal.getCode()).isEqualTo(Refusal.Code.UNKNOWN_HOST);
    assertThat(refusal.getConversationId()).isEqualTo("c1");
    assertThat(refusal.getMessage()).contains("192.0.2.9");
  }

  @Test
  void aConversationWithoutAnAddressIsRefusedAndTheStreamGoesOn() throws Exception {
    AgentServerRig.Agent agent = rig.agent();
    agent.say(AgentServerRig.hello("h1").build());
    agent.hears();
    agent.say(AgentServerRig.opened("c1", "nowhere"));
    assertThat(agent.hears().getRefusal().getCode()).isEqualTo(Refusal.Code.INVALID_CONVERSATION);
    agent.say(AgentServerRig.opened("c2", "10.0.0.2"));
    assertThat(agent.hearsRates().hasRates()).isTrue();
  }
}
