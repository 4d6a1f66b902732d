package org.paceline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.ControllerMessage;
import org.paceline.protocol.ConversationClosed;
import org.paceline.protocol.ConversationReport;
import org.paceline.protocol.InstalledRate;
import org.paceline.protocol.RatesInstalled;
import org.paceline.protocol.Refusal;
import org.paceline.protocol.Report;

/** Whatever an agent says, the controller answers with one error, or takes it, and goes on. */
final class AgentMessagesFuzzTest {
  private static final int MESSAGES = 10_000;
  private static final long SEED = 20_261_121;

  @Test
  void noMessageEndsTheStreamOrTheServer() throws Exception {
    Random random = new Random(SEED);
    try (AgentServerRig rig = new AgentServerRig(Optional.empty())) {
      AgentServerRig.Agent agent = rig.agent();
      agent.say(AgentServerRig.hello("h1").build());
      assertThat(agent.hears().hasWelcome()).isTrue();
      List<AgentMessage> samples = samples();
      int sent = 0;
      while (sent < MESSAGES) {
        // An opened conversation costs a plan: the others are what is said most, as in life.
        AgentMessage sample = samples.get(sent % 100 == 0 ? 0 : 1 + random.nextInt(3));
        Optional<AgentMessage> mangled = mangled(sample, random);
        if (mangled.isPresent()) {
          agent.say(mangled.get());
          sent++;
        }
      }
      agent.say(AgentServerRig.opened("sound", "10.0.0.2"));

      boolean served = false;
      while (!served) {
        ControllerMessage heard = agent.hears();
        if (heard.hasRefusal()) {
          assertThat(heard.getRefusal().getCode())
              .isIn(
                  Refusal.Code.INVALID_CONVERSATION,
                  Refusal.Code.UNKNOWN_HOST,
                  Refusal.Code.NOT_ADMITTED);
          assertThat(heard.getRefusal().getMessage()).isNotBlank().doesNotContain("Exception");
        }
        if (heard.hasRates()) {
          // What one conversation gives up is another's only once it is said to be installed.
          agent.acknowledge(heard);
        }
        served =
            heard.getRates().getRatesList().stream()
                .anyMatch(rate -> rate.getConversationId().equals("sound"));
      }
      assertThat(agent.ended).isEmpty();
    }
  }

  private static List<AgentMessage> samples() {
    return List.of(
        AgentMessage.newBuilder().setOpened(AgentServerRig.opened("c1", "10.0.0.2")).build(),
        AgentMessage.newBuilder()
            .setReport(
                Report.newBuilder()
                    .setUnixNanos(1)
                    .addConversations(
                        ConversationReport.newBuilder()
                            .setConversationId("c1")
                            .setSentBytes(1_000)
                            .setInstalledRateBitsPerSecond(1_000_000)
                            .putKpis("rtt_ms", 1.5)))
            .build(),
        AgentMessage.newBuilder()
            .setInstalled(
                RatesInstalled.newBuilder()
                    .setPlanVersion(1)
                    .addRates(
                        InstalledRate.newBuilder()
                            .setConversationId("c1")
                            .setRateBitsPerSecond(1_000_000)))
            .build(),
        AgentMessage.newBuilder().setClosed(ConversationClosed.newBuilder().addIds("c1")).build());
  }

  /** Some bytes of it changed; empty where that is no message any more, as gRPC itself finds. */
  private static Optional<AgentMessage> mangled(AgentMessage sample, Random random) {
    byte[] bytes = sample.toByteArray();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    try {
      return Optional.of(AgentMessage.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }
}
