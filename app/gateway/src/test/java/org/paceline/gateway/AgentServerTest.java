package org.paceline.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.paceline.control.Nobody;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Enforcement;
import org.paceline.control.model.TcpReading;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.settings.PlanMode;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.unit.Latency;
import org.paceline.json.catalogue.Catalogue;
import org.paceline.protocol.Address;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.Capabilities;
import org.paceline.protocol.ControllerMessage;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.ConversationReport;
import org.paceline.protocol.Hello;
import org.paceline.protocol.PeerAgreement;
import org.paceline.protocol.Protocol;
import org.paceline.protocol.Rate;
import org.paceline.protocol.Refusal;
import org.paceline.protocol.Report;
import org.paceline.protocol.Welcome;

/** A real client over TCP against the server and the real planner. */
final class AgentServerTest {
  @RegisterExtension final AgentServerRig rig = new AgentServerRig();

  @Test
  void aConversationIsPacedAsSoonAsItIsAnnounced() throws Exception {
    AgentServerRig.Agent agent = rig.agent();
    agent.say(AgentServerRig.hello("h1").build());
    assertThat(agent.hears().getWelcome().getDefaultRateBitsPerSecond()).isEqualTo(500_000);
    agent.say(AgentServerRig.opened("c1", "10.0.0.2"));
    Rate rate = agent.hearsRates().getRates().getRates(0);
    assertThat(rate.getConversationId()).isEqualTo("c1");
    assertThat(rate.getRateBitsPerSecond()).isGreaterThan(1_000_000);
  }

  @Test
  void inShadowAgentsAreTakenTheirRatesAndNoneIsTold() throws Exception {
    AgentServerRig.Agent agent = rig.agent();
    agent.say(AgentServerRig.hello("h1").build());
    agent.hears();
    agent.say(AgentServerRig.opened("c1", "10.0.0.2"));
    agent.hearsRates();
    rig.mode(PlanMode.SHADOW);
    assertThat(welcomed(agent).getDefaultRateBitsPerSecond()).isEqualTo(100_000_000_000L);
    Rate rate = agent.hearsRates().getRates().getRates(0);
    assertThat(rate.getConversationId()).isEqualTo("c1");
    assertThat(rate.getRateBitsPerSecond()).isZero();
    rig.mode(PlanMode.ENFORCE);
    assertThat(welcomed(agent).getDefaultRateBitsPerSecond()).isEqualTo(500_000);
    assertThat(agent.hearsRates().getRates().getRates(0).getRateBitsPerSecond())
        .isBetween(1_000_000L, 10_000_000L);
  }

  @Test
  void aHostThatComesFromItsPeersIsMarkedAndOneOfAnAgentThatSaysNothingIsNot() throws Exception {
    AgentServerRig.Agent agent = rig.agent();
    agent.say(
        AgentServerRig.hello("h1")
            .setPeerAgreement(
                PeerAgreement.newBuilder().setSinceUnixNanos(60_000_000_001L).setPeers(2))
            .build());
    agent.hears();
    AgentServerRig.Agent older = rig.agent();
    older.say(AgentServerRig.hello("h2").build());
    older.hears();
    AgentServerRig.await(() -> rig.planner.agents().size() == 2);
    assertThat(rig.planner.agents())
        .extracting(AgentInfo::host, AgentInfo::peerAgreement)
        .containsExactlyInAnyOrder(
            tuple("h1", Optional.of(AgentInfo.PeerAgreement.of(Instant.ofEpochSecond(60, 1), 2))),
            tuple("h2", Optional.empty()));
  }

  private static Welcome welcomed(AgentServerRig.Agent agent) throws InterruptedException {
    ControllerMessage next = agent.hears();
    while (!next.hasWelcome()) {
      next = agent.hears();
    }
    return next.getWelcome();
  }

  @Test
  void ratesArePromisedForALeaseThatEveryHeartbeatRenews() throws Exception {
    AgentServerRig.Agent agent = rig.agent();
    agent.say(AgentServerRig.hello("h1").build());
    Welcome welcome = agent.hears().getWelcome();
    assertThat(welcome.getLeaseSeconds()).isEqualTo(120);
    assertThat(welcome.getHeartbeatSeconds()).isBetween(1, welcome.getLeaseSeconds() / 3);
    ControllerMessage next = agent.heard.poll(AgentServerRig.SECONDS, TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    assertThat(next.hasHeartbeat()).isTrue();
  }

  /**
   * A store that stalls holds up the planner; agents must not take that for the controller's end.
   */
  @Test
  void heartbeatsGoOnWhileThePlannerWaits() throws Exception {
    AgentServerRig.Agent agent = rig.agent();
    agent.say(AgentServerRig.hello("h1").build());
    agent.hears();
    CountDownLatch store = new CountDownLatch(1);
    rig.worker.execute(() -> assertThatCode(store::await).doesNotThrowAnyException());
    try {
      agent.heard.clear();
      for (int beats = 0; beats < 3; beats++) {
        ControllerMessage next = agent.heard.poll(AgentServerRig.SECONDS, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        assertThat(next.hasHeartbeat()).isTrue();
      }
    } finally {
      store.countDown();
    }
  }

  /**
   * What it says next waits for the planner, so nothing is heard of it: that is not its silence.
   */
  @Test
  void whoIsHeldBackByThePlannerIsNotGivenUpForSilence() throws Exception {
    try (AgentServerRig impatient = new AgentServerRig(Optional.empty(), Duration.ofSeconds(3))) {
      AgentServerRig.Agent agent = impatient.agent();
      CountDownLatch store = new CountDownLatch(1);
      agent.say(AgentServerRig.hello("h1").build());
      agent.hears();
      impatient.worker.execute(() -> assertThatCode(store::await).doesNotThrowAnyException());
      try {
        agent.say(AgentServerRig.opened("c1", "10.0.0.2"));
        AgentServerRig.await(() -> impatient.told.containsKey("opened"));
        agent.heard.clear();
        for (int beats = 0; beats < 3; beats++) {
          ControllerMessage next = agent.heard.poll(AgentServerRig.SECONDS, TimeUnit.SECONDS);
          assertThat(next).isNotNull();
          assertThat(next.hasHeartbeat()).isTrue();
        }
      } finally {
        store.countDown();
      }
    }
  }

  @Test
  void whatAnAgentCannotPaceIsLimitedAtItsFirstSwitch() throws Exception {
    AgentServerRig.Agent agent = rig.agent();
    agent.say(
        AgentServerRig.hello("h1").setCapabilities(Capabilities.getDefaultInstance()).build());
    agent.hears();
    agent.say(AgentServerRig.opened("c1", "10.0.0.2"));
    agent.hearsRates();
    assertThat(rig.proofs.find(ConversationId.of("h1", "c1")).orElseThrow().conversation())
        .extracting(Conversation::enforcement)
        .isEqualTo(Enforcement.FIRST_HOP);
  }

  @Test
  void datagramsOfAHostThatTellsSocketsTheirRatesAreLimitedAtTheFirstSwitch() throws Exception {
    AgentServerRig.Agent agent = rig.agent();
    agent.say(
        AgentServerRig.hello("h1")
            .setCapabilities(Capabilities.newBuilder().setEnforcer("socket"))
            .build());
    agent.hears();
    agent.say(AgentServerRig.opened("c1", "10.0.0.2"));
    agent.hearsRates();
    agent.say(
        AgentServerRig.opened("c2", "10.0.0.2").toBuilder().setProtocol(Protocol.UDP).build());
    // What was acknowledged late is told again.
    while (agent.hearsRates().getRates().getRatesList().stream()
        .noneMatch(rate -> rate.getConversationId().equals("c2"))) {
      continue;
    }
    assertThat(enforcement("c1")).isEqualTo(Enforcement.AGENT);
    assertThat(enforcement("c2")).isEqualTo(Enforcement.FIRST_HOP);
  }

  private Enforcement enforcement(String id) {
    return rig.proofs.find(ConversationId.of("h1", id)).orElseThrow().conversation().enforcement();
  }

  @Test
  void whatAHostReceivesIsItsPeersTrafficAndItsOwnToHold() throws Exception {
    AgentServerRig.Agent agent = rig.agent();
    agent.say(receiver(true).build());
    agent.hears();
    agent.say(AgentMessage.newBuilder().setIncoming(INCOMING).build());
    assertThat(agent.hearsRates().getRates().getRates(0).getConversationId()).isEqualTo("in");
    assertIncoming(Enforcement.RECEIVER);
  }

  @Test
  void whatItCannotHoldIsLimitedAtTheSendersFirstSwitch() throws Exception {
    AgentServerRig.Agent agent = rig.agent();
    agent.say(receiver(false).addIncoming(INCOMING).build());
    agent.hears();
    agent.hearsRates();
    assertIncoming(Enforcement.FIRST_HOP);
  }

  @Test
  void aReceiverLearnsThatTheSendersAgentSpeaksForItself() throws Exception {
    AgentServerRig.Agent agent = rig.agent();
    agent.say(receiver(true).addIncoming(INCOMING).build());
    agent.hears();
    agent.hearsRates();
    rig.agent()
        .say(
            AgentServerRig.hello("h1")
                .addAddresses(Address.newBuilder().setIp("10.0.0.1"))
                .build());
    Refusal refusal = agent.hears().getRefusal();
    assertThat(refusal.getCode()).isEqualTo(Refusal.Code.COUNTED_ALREADY);
    assertThat(refusal.getConversationId()).isEqualTo("in");
    assertThat(refusal.getMessage()).contains("(h1)").contains("Maybe");
  }

  private static final ConversationOpened INCOMING =
      ConversationOpened.newBuilder()
          .setId("in")
          .setIntent("file-download/emailattach")
          .setLocalAddress("10.0.0.2")
          .setLocalPort(40_000)
          .setRemoteAddress("10.0.0.1")
          .setRemotePort(80)
          .build();

  private static Hello.Builder receiver(boolean limits) {
    return AgentServerRig.hello("h2")
        .setCapabilities(Capabilities.newBuilder().setEnforcer("htb").setLimitsIncoming(limits));
  }

  private void assertIncoming(Enforcement by) {
    Conversation conversation =
        rig.proofs.find(ConversationId.of("h2", "in")).orElseThrow().conversation();
    assertThat(conversation.enforcement()).isEqualTo(by);
    assertThat(conversation.incoming()).isTrue();
    assertThat(conversation.localAddress()).isEqualTo("10.0.0.1");
    assertThat(conversation.localPort()).isEqualTo(80);
    assertThat(conversation.remoteAddress()).isEqualTo("10.0.0.2");
    assertThat(conversation.remotePort()).isEqualTo(40_000);
  }

  @Test
  void whatTheHostsKernelAndItsApplicationsSayStandsInTheProof() throws Exception {
    Instant asked = Instant.now();
    AgentServerRig.Agent agent = rig.agent();
    agent.say(AgentServerRig.hello("h1").build());
    agent.hears();
    agent.say(AgentServerRig.opened("c1", "10.0.0.2"));
    agent.say(AgentServerRig.opened("c2", "10.0.0.2"));
    agent.say(
        AgentMessage.newBuilder()
            .setReport(
                Report.newBuilder()
                    .addConversations(
                        ConversationReport.newBuilder()
                            .setConversationId("c1")
                            .setRetransmittedSegments(3)
                            .setSmoothedRttMicros(21_350)
                            .setFarEndThousandths(7)
                            .putKpis("page_load_s", 2.5)
                            .putKpis("x".repeat(33), 1)
                            .putKpiAgesMillis("page_load_s", 60_000))
                    // An agent from before these fields, or a conversation without TCP.
                    .addConversations(ConversationReport.newBuilder().setConversationId("c2")))
            .build());
    // Answered after the report was taken.
    agent.say(AgentServerRig.opened("c3", "nowhere"));
    while (!agent.hears().getRefusal().getConversationId().equals("c3")) {
      continue;
    }
    rig.planner.awaitTold(Duration.ofSeconds(AgentServerRig.SECONDS));
    assertThat(tcp("c1"))
        .contains(TcpReading.of(3, Optional.of(Latency.ofNanos(21_350_000)), OptionalInt.of(7)));
    assertThat(tcp("c2")).isEmpty();
    // By the controller's clock, whatever the host's is.
    assertThat(rig.proofs.find(ConversationId.of("h1", "c1")).orElseThrow().kpis())
        .containsOnlyKeys("page_load_s")
        .hasEntrySatisfying(
            "page_load_s",
            reading -> {
              assertThat(reading.value()).isEqualTo(2.5);
              assertThat(reading.at())
                  .isBetween(asked.minusSeconds(60), Instant.now().minusSeconds(59));
            });
  }

  private Optional<TcpReading> tcp(String id) {
    return rig.proofs.find(ConversationId.of("h1", id)).orElseThrow().tcp();
  }

  @Test
  void whatTheHostCallsTheOtherEndIsKept() throws Exception {
    AgentServerRig.Agent agent = rig.agent();
    agent.say(
        AgentServerRig.hello("h1")
            .addConversations(
                AgentServerRig.opened("c1", "10.0.0.2").toBuilder().setRemoteName("www.example"))
            .build());
    agent.hears();
    agent.hearsRates();
    assertThat(
            rig.proofs
                .find(ConversationId.of("h1", "c1"))
                .orElseThrow()
                .conversation()
                .remoteName())
        .isEqualTo("www.example");
  }

  @Test
  void anAgentThatFallsSilentIsGivenUpThoughItsConnectionStands() throws Exception {
    try (AgentServerRig strict = new AgentServerRig(Optional.empty(), Duration.ofSeconds(3))) {
      AgentServerRig.Agent silent = strict.agent();
      silent.say(AgentServerRig.hello("h1").build());
      assertThat(silent.ended.poll(AgentServerRig.SECONDS, TimeUnit.SECONDS))
          .contains("UNAVAILABLE");
      // A machine that is busy may keep silent for so long itself: as agents do, it tries again.
      AgentServerRig.Agent again = attached(strict);
      while (again.heard.isEmpty()) {
        again = attached(strict);
      }
      assertThat(again.heard.element().hasWelcome()).isTrue();
    }
  }

  /** Once it was answered or given up. */
  private static AgentServerRig.Agent attached(AgentServerRig to) throws InterruptedException {
    AgentServerRig.Agent agent = to.agent();
    agent.say(AgentServerRig.hello("h1").build());
    AgentServerRig.await(() -> !agent.heard.isEmpty() || !agent.ended.isEmpty());
    assertThat(agent.heard.size() + agent.ended.size()).isPositive();
    return agent;
  }

  @Test
  void aTakenPortIsNamedWithAWayOut() {
    assertThatThrownBy(
            () ->
                AgentServer.open(
                    AgentEndpoint.of(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), rig.server.port()),
                        Optional.empty(),
                        false),
                    new AgentServer.Agents(),
                    AgentEvents.to(rig.planner, rig.besideRules, rig.schedulers),
                    new IntentPolicies(Catalogue.defaultTree()),
                    () -> PlannerSettings.DEFAULT,
                    "test",
                    rig.enrolment,
                    new Nobody.NoJournal()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(":" + rig.server.port())
        .hasMessageContaining("in use")
        .hasMessageContaining("Maybe");
  }
}
