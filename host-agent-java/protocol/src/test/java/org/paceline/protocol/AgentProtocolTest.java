package org.paceline.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.MethodDescriptor;
import org.junit.jupiter.api.Test;

/** The names and numbers on the wire, which other versions of agent and controller rely on. */
class AgentProtocolTest {

  @Test
  void anAgentAttachesWithOneBidirectionalStream() {
    var attach = AgentGatewayGrpc.getAttachMethod();

    assertThat(attach.getFullMethodName()).isEqualTo("paceline.agent.v1.AgentGateway/Attach");
    assertThat(attach.getType()).isEqualTo(MethodDescriptor.MethodType.BIDI_STREAMING);
  }

  @Test
  void anUnknownFieldFromANewerPeerSurvivesTheRoundTrip() throws Exception {
    // Field 900, varint 7: nothing in version 1 has it.
    byte[] fromTheFuture = {(byte) 0xa0, 0x38, 0x07};

    var hello = Hello.newBuilder().mergeFrom(fromTheFuture).setHostId("h1").build();

    assertThat(Hello.parseFrom(hello.toByteArray()).getUnknownFields().asMap()).containsKey(900);
  }

  @Test
  void refusalsThatEndTheStreamHaveNumbersBelowThoseAboutOneConversation() {
    assertThat(Refusal.Code.UNKNOWN_INTENT.getNumber()).isEqualTo(3);
    assertThat(Refusal.Code.UNKNOWN_HOST.getNumber()).isEqualTo(10);
  }
}
