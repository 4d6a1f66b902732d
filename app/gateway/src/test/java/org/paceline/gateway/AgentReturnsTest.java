package org.paceline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.paceline.control.model.ConversationId;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.ControllerMessage;
import org.paceline.protocol.ConversationDigests;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.Rate;
import org.paceline.protocol.Resumption;
import org.paceline.protocol.Welcome;

/** An agent whose stream broke, and what it and the controller still have to say to each other. */
@SuppressWarnings("NullAway.Init")
final class AgentReturnsTest {
  private static final int BUCKETS = 64;

  @RegisterExtension final AgentServerRig rig = new AgentServerRig();
  private ManagedChannel channel;

  @BeforeEach
  void listen() throws Exception {
    channel = NettyChannelBuilder.forAddress("127.0.0.1", rig.server.port()).usePlaintext().build();
  }

  @Test
  void whereBothHoldTheSameNothingMoreIsSaid() throws Exception {
    ConversationOpened held = attachedWith("c1");

    AgentServerRig.Agent back = comesBack(List.of(held));

    Welcome welcome = back.hears().getWelcome();
    assertThat(welcome.getWantedBucketsList()).isEmpty();
    List<ControllerMessage> next = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      next.add(back.heard.poll(AgentServerRig.SECONDS, TimeUnit.SECONDS));
    }
    assertThat(next).allMatch(ControllerMessage::hasHeartbeat);
    rig.planner.awaitTold(Duration.ofSeconds(AgentServerRig.SECONDS));
    assertThat(rig.proofs.all()).hasSize(1);
    assertThat(rig.planner.agents()).hasSize(1);
  }

  @Test
  void onlyWhatDiffersIsAskedForAndTheOthersAreNotTouched() throws Exception {
    ConversationOpened held = attachedWith("c1");
    ConversationOpened fresh = AgentServerRig.opened("c2", "10.0.0.2");
    int bucket = ConversationDigests.bucket("c2", BUCKETS);
    assertThat(bucket).isNotEqualTo(ConversationDigests.bucket("c1", BUCKETS));
    Instant before = reportedAt("c1");

    AgentServerRig.Agent back = comesBack(List.of(held, fresh));
    assertThat(back.hears().getWelcome().getWantedBucketsList()).containsExactly(bucket);
    back.say(resumption(List.of(bucket), List.of(fresh)));

    while (!told(back.hears()).contains("c2")) {
      continue;
    }
    assertThat(reportedAt("c1")).isEqualTo(before);
  }

  @Test
  void whatHasEndedMeanwhileIsOver() throws Exception {
    attachedWith("c1");

    AgentServerRig.Agent back = comesBack(List.of());
    List<Integer> wanted = back.hears().getWelcome().getWantedBucketsList();
    back.say(resumption(wanted, List.of()));

    while (!rig.proofs.all().isEmpty()) {
      Thread.sleep(20);
    }
  }

  @Test
  void aControllerThatHoldsNothingAsksForAll() throws Exception {
    List<ConversationOpened> open =
        List.of(AgentServerRig.opened("c1", "10.0.0.2"), AgentServerRig.opened("c2", "10.0.0.2"));
    AgentServerRig.Agent agent = rig.agent();
    agent.say(
        AgentServerRig.hello("h1").addAllDigests(ConversationDigests.of(open, BUCKETS)).build());
    List<Integer> wanted = agent.hears().getWelcome().getWantedBucketsList();
    assertThat(wanted).hasSize(2);
    assertThat(rig.planner.agents()).isEmpty();
    // Out of turn: nothing becomes of it.
    agent.say(AgentServerRig.opened("c3", "10.0.0.2"));
    agent.say(resumption(wanted, open));

    assertThat(told(agent.hearsRates())).isSubsetOf("c1", "c2");
    assertThat(rig.proofs.all()).hasSize(2);
  }

  @Test
  void anAgentThatKnowsNoDigestsSaysAllAsEver() throws Exception {
    ConversationOpened held = attachedWith("c1");
    breaks();

    AgentServerRig.Agent back = rig.agent();
    back.say(AgentServerRig.hello("h1").addConversations(held).build());

    assertThat(back.hears().getWelcome().getWantedBucketsList()).isEmpty();
    back.say(AgentServerRig.opened("c2", "10.0.0.2"));
    while (!told(back.hears()).contains("c2")) {
      continue;
    }
  }

  /** Has a rate that was told, installed and acknowledged; as its agent would say it again. */
  private ConversationOpened attachedWith(String id) throws Exception {
    AgentServerRig.Agent agent = rig.agent(channel);
    agent.say(AgentServerRig.hello("h1").build());
    assertThat(agent.hears().getWelcome().getKnowsDigests()).isTrue();
    ConversationOpened opened = AgentServerRig.opened(id, "10.0.0.2");
    agent.say(opened);
    Rate rate = agent.hearsRates().getRates().getRates(0);
    while (rig.proofs.find(ConversationId.of("h1", id)).orElseThrow().installedAt().isEmpty()) {
      Thread.sleep(20);
    }
    return opened.toBuilder().setInstalledRateBitsPerSecond(rate.getRateBitsPerSecond()).build();
  }

  private void breaks() throws Exception {
    channel.shutdownNow().awaitTermination(AgentServerRig.SECONDS, TimeUnit.SECONDS);
    while (!rig.planner.agents().isEmpty()) {
      Thread.sleep(20);
    }
  }

  private AgentServerRig.Agent comesBack(List<ConversationOpened> open) throws Exception {
    breaks();
    AgentServerRig.Agent back = rig.agent();
    back.say(
        AgentServerRig.hello("h1").addAllDigests(ConversationDigests.of(open, BUCKETS)).build());
    return back;
  }

  private static AgentMessage resumption(List<Integer> buckets, List<ConversationOpened> open) {
    return AgentMessage.newBuilder()
        .setResumption(Resumption.newBuilder().addAllBuckets(buckets).addAllConversations(open))
        .build();
  }

  private static Set<String> told(ControllerMessage message) {
    return message.getRates().getRatesList().stream()
        .map(Rate::getConversationId)
        .collect(Collectors.toSet());
  }

  private Instant reportedAt(String id) {
    return rig.proofs.find(ConversationId.of("h1", id)).orElseThrow().reportedAt();
  }
}
