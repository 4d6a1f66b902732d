package org.paceline.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.tree.IntentPath;
import org.paceline.protocol.Hello;
import org.paceline.protocol.Refusal;
import org.paceline.protocol.UnknownIntent;
import org.paceline.protocol.Welcome;

/** What a real agent hears over TCP that says what it may not, or what nobody can follow. */
final class AgentRefusalsTest {
  @RegisterExtension final AgentServerRig rig = new AgentServerRig();

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
  void anUnknownIntentIsNamedWithTheNearestAndItsConversationsAreServed() throws Exception {
    AgentServerRig.Agent agent = rig.agent();
    agent.say(AgentServerRig.hello("h1").addIntents("voip/g729").addIntents("voip//x").build());
    Welcome welcome = agent.hears().getWelcome();
    assertThat(welcome.getUnknownIntentsList())
        .extracting(UnknownIntent::getIntent, UnknownIntent::getServedAs)
        .containsExactly(tuple("voip/g729", "voip"), tuple("voip//x", "/"));
    assertThat(welcome.getUnknownIntents(0).getNearestList()).startsWith("voip/g729.1");
    agent.say(AgentServerRig.opened("c1", "10.0.0.2").toBuilder().setIntent("voip/g729").build());
    assertThat(agent.hearsRates().getRates().getRates(0).getRateBitsPerSecond()).isPositive();
    assertThat(rig.proofs.find(ConversationId.of("h1", "c1")).orElseThrow().requested().node())
        .isEqualTo(IntentPath.parse("voip"));
    assertThat(rig.planner.agents())
        .singleElement()
        .satisfies(
            one ->
                assertThat(one.intents())
                    .containsExactlyInAnyOrder(
                        "file-download/emailattach", "voip/g729", "voip//x"));
  }

  @Test
  void ofManyUnknownIntentsOnlySomeAreToldAgain() throws Exception {
    AgentServerRig.Agent agent = rig.agent();
    Hello.Builder hello = AgentServerRig.hello("h1");
    for (int i = 0; i < 10_000 - 1; i++) {
      hello.addIntents("no/" + i);
    }
    agent.say(hello.build());
    assertThat(agent.hears().getWelcome().getUnknownIntentsCount()).isEqualTo(10);
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
