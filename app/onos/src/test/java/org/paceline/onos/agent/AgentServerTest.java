package org.paceline.onos.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.control.conversations.Conversation;
import org.paceline.control.conversations.ConversationId;
import org.paceline.control.conversations.Enforcement;
import org.paceline.control.conversations.Unserved;
import org.paceline.control.plan.Planner;
import org.paceline.control.plan.PlannerPorts;
import org.paceline.control.plan.PlannerSettings;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.port.IntentStore;
import org.paceline.control.port.KnownHosts;
import org.paceline.control.port.NetworkState;
import org.paceline.control.port.PathInstaller;
import org.paceline.control.port.RateSender;
import org.paceline.control.proof.ProofBook;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.json.Catalogue;
import org.paceline.onos.plan.LogJournal;
import org.paceline.onos.plan.PlannerThread;
import org.paceline.protocol.AgentGatewayGrpc;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.Capabilities;
import org.paceline.protocol.ControllerMessage;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.Hello;
import org.paceline.protocol.InstalledRate;
import org.paceline.protocol.Rate;
import org.paceline.protocol.RatesInstalled;
import org.paceline.protocol.Refusal;
import org.paceline.protocol.Welcome;

/** A real client over TCP against the server and the real planner. */
@SuppressWarnings("NullAway.Init")
final class AgentServerTest {
  private static final int SECONDS = 20;
  private static final Duration SILENCE = Duration.ofSeconds(3);

  private final ProofBook proofs = new ProofBook();
  private final PlannerThread worker = new PlannerThread("test-planner");
  private final List<ManagedChannel> channels = new ArrayList<>();
  private final AgentServer.Agents agents = new AgentServer.Agents();
  private AgentServer server;
  private Planner planner;

  @BeforeEach
  void listen() throws IOException {
    IntentPolicies policies = IntentPolicies.open(new NoStore(), Catalogue.defaultTree());
    NetworkState state = office();
    planner =
        new Planner(
            PlannerPorts.builder()
                .network(() -> state)
                .rates(new ToAgents())
                .paths(new NoPaths())
                .worker(worker)
                .solving(Runnable::run)
                .hosts(new NobodyBefore())
                .clock(Clock.systemUTC())
                .journal(new LogJournal())
                .build(),
            PlannerSettings.DEFAULT,
            policies,
            proofs,
            new NetworkAllocator(Optional.empty()));
    server =
        AgentServer.open(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            agents,
            planner,
            policies,
            () -> PlannerSettings.DEFAULT,
            "test",
            worker.executor(),
            SILENCE);
  }

  @AfterEach
  void close() {
    channels.forEach(ManagedChannel::shutdownNow);
    server.close();
    worker.close();
  }

  @Test
  void aConversationIsPacedAsSoonAsItIsAnnounced() throws Exception {
    Agent agent = new Agent();
    agent.say(hello("h1").build());
    assertThat(agent.hears().getWelcome().getDefaultRateBitsPerSecond()).isEqualTo(500_000);
    agent.say(opened("c1", "10.0.0.2"));
    Rate rate = agent.hearsRates().getRates().getRates(0);
    assertThat(rate.getConversationId()).isEqualTo("c1");
    assertThat(rate.getRateBitsPerSecond()).isGreaterThan(1_000_000);
  }

  @Test
  void ratesArePromisedForALeaseThatEveryHeartbeatRenews() throws Exception {
    Agent agent = new Agent();
    agent.say(hello("h1").build());
    Welcome welcome = agent.hears().getWelcome();
    assertThat(welcome.getLeaseSeconds()).isEqualTo(120);
    assertThat(welcome.getHeartbeatSeconds()).isBetween(1, welcome.getLeaseSeconds() / 3);
    ControllerMessage next = agent.heard.poll(SECONDS, TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    assertThat(next.hasHeartbeat()).isTrue();
  }

  @Test
  void whatAnAgentCannotPaceIsLimitedAtItsFirstSwitch() throws Exception {
    Agent agent = new Agent();
    agent.say(hello("h1").setCapabilities(Capabilities.getDefaultInstance()).build());
    agent.hears();
    agent.say(opened("c1", "10.0.0.2"));
    agent.hearsRates();
    assertThat(proofs.find(ConversationId.of("h1", "c1")).orElseThrow().conversation())
        .extracting(Conversation::enforcement)
        .isEqualTo(Enforcement.FIRST_HOP);
  }

  @Test
  void anAgentOfAnotherProtocolVersionIsRefused() throws Exception {
    Agent agent = new Agent();
    agent.say(hello("h1").setProtocolVersion(2).build());
    Refusal refusal = agent.hears().getRefusal();
    assertThat(refusal.getCode()).isEqualTo(Refusal.Code.UNSUPPORTED_PROTOCOL_VERSION);
    assertThat(refusal.getMessage()).contains("(2)").contains("Maybe");
  }

  @Test
  void anUnknownIntentIsRefusedWithTheNearest() throws Exception {
    Agent agent = new Agent();
    agent.say(hello("h1").addIntents("voip/g729").build());
    Refusal refusal = agent.hears().getRefusal();
    assertThat(refusal.getCode()).isEqualTo(Refusal.Code.UNKNOWN_INTENT);
    assertThat(refusal.getUnknownIntentsList()).containsExactly("voip/g729");
    assertThat(refusal.getKnownIntentsList()).startsWith("voip/g729.1");
    assertThat(proofs.all()).isEmpty();
  }

  @Test
  void aSecondAgentOfTheSameHostIsRefusedAndTheFirstStays() throws Exception {
    Agent first = new Agent();
    first.say(hello("h1").build());
    first.hears();
    Agent second = new Agent();
    second.say(hello("h1").build());
    assertThat(second.hears().getRefusal().getCode()).isEqualTo(Refusal.Code.DUPLICATE_HOST);
    first.say(opened("c1", "10.0.0.2"));
    assertThat(first.hearsRates().hasRates()).isTrue();
  }

  @Test
  void aConversationToAnUnknownHostIsAnsweredWithTheReason() throws Exception {
    Agent agent = new Agent();
    agent.say(hello("h1").build());
    agent.hears();
    agent.say(opened("c1", "192.0.2.9"));
    Refusal refusal = agent.hears().getRefusal();
    assertThat(refusal.getCode()).isEqualTo(Refusal.Code.UNKNOWN_HOST);
    assertThat(refusal.getConversationId()).isEqualTo("c1");
    assertThat(refusal.getMessage()).contains("192.0.2.9");
  }

  @Test
  void aConversationWithoutAnAddressIsRefusedAndTheStreamGoesOn() throws Exception {
    Agent agent = new Agent();
    agent.say(hello("h1").build());
    agent.hears();
    agent.say(opened("c1", "nowhere"));
    assertThat(agent.hears().getRefusal().getCode()).isEqualTo(Refusal.Code.INVALID_CONVERSATION);
    agent.say(opened("c2", "10.0.0.2"));
    assertThat(agent.hearsRates().hasRates()).isTrue();
  }

  @Test
  void anAgentThatFallsSilentIsGivenUpThoughItsConnectionStands() throws Exception {
    Agent silent = new Agent();
    silent.say(hello("h1").build());
    silent.hears();
    silent.say(opened("c1", "10.0.0.2"));
    silent.hearsRates();
    assertThat(silent.ended.poll(SECONDS, TimeUnit.SECONDS)).contains("UNAVAILABLE");
    Agent again = new Agent();
    again.say(hello("h1").build());
    assertThat(again.hears().hasWelcome()).isTrue();
  }

  @Test
  void aTakenPortIsNamedWithAWayOut() {
    assertThatThrownBy(
            () ->
                AgentServer.open(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()),
                    new AgentServer.Agents(),
                    planner,
                    IntentPolicies.open(new NoStore(), Catalogue.defaultTree()),
                    () -> PlannerSettings.DEFAULT,
                    "test",
                    worker.executor()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(":" + server.port())
        .hasMessageContaining("in use")
        .hasMessageContaining("Maybe");
  }

  private static NetworkState office() {
    LinkDelay delay = LinkDelay.constant(Latency.ofMillis(1));
    DataRate capacity = DataRate.ofKilobitsPerSecond(10_000);
    return NetworkState.of(
        Network.of(
            List.of("a", "s", "b"),
            List.of(Link.of("a", "s", capacity, delay), Link.of("s", "b", capacity, delay))),
        Map.of("10.0.0.1", "a", "10.0.0.2", "b"),
        List.of());
  }

  private static Hello.Builder hello(String host) {
    return Hello.newBuilder()
        .setProtocolVersion(1)
        .setHostId(host)
        .setCapabilities(Capabilities.newBuilder().setEnforcer("htb"))
        .addIntents("file-download/emailattach");
  }

  private static ConversationOpened opened(String id, String remote) {
    return ConversationOpened.newBuilder()
        .setId(id)
        .setIntent("file-download/emailattach")
        .setLocalAddress("10.0.0.1")
        .setRemoteAddress(remote)
        .build();
  }

  /** An agent that acknowledges whatever it is told. */
  private final class Agent implements StreamObserver<ControllerMessage> {
    private final BlockingQueue<ControllerMessage> heard = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> ended = new LinkedBlockingQueue<>();
    private final StreamObserver<AgentMessage> out;

    Agent() {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
      channels.add(channel);
      out = AgentGatewayGrpc.newStub(channel).attach(this);
    }

    void say(Hello hello) {
      out.onNext(AgentMessage.newBuilder().setHello(hello).build());
    }

    void say(ConversationOpened opened) {
      out.onNext(AgentMessage.newBuilder().setOpened(opened).build());
    }

    ControllerMessage hears() throws InterruptedException {
      while (true) {
        ControllerMessage message = heard.poll(SECONDS, TimeUnit.SECONDS);
        if (message == null) {
          throw new AssertionError("the controller said nothing");
        }
        if (!message.hasHeartbeat()) {
          return message;
        }
      }
    }

    ControllerMessage hearsRates() throws InterruptedException {
      ControllerMessage message = hears();
      RatesInstalled.Builder installed =
          RatesInstalled.newBuilder().setPlanVersion(message.getRates().getPlanVersion());
      message
          .getRates()
          .getRatesList()
          .forEach(
              rate ->
                  installed.addRates(
                      InstalledRate.newBuilder()
                          .setConversationId(rate.getConversationId())
                          .setRateBitsPerSecond(rate.getRateBitsPerSecond())));
      out.onNext(AgentMessage.newBuilder().setInstalled(installed).build());
      return message;
    }

    @Override
    public void onNext(ControllerMessage message) {
      heard.add(message);
    }

    @Override
    public void onError(Throwable broken) {
      ended.add(String.valueOf(broken.getMessage()));
    }

    @Override
    public void onCompleted() {}
  }

  private final class ToAgents implements RateSender {
    @Override
    public void send(String host, long version, Map<Conversation, DataRate> rates) {
      agents.send(host, version, rates);
    }

    @Override
    public void release(Conversation conversation) {}

    @Override
    public void refuse(Conversation conversation, Unserved why) {
      agents.refuse(conversation, why);
    }
  }

  private static final class NoPaths implements PathInstaller {
    @Override
    public CompletableFuture<Void> install(Conversation conversation, Path path) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void remove(Conversation conversation) {}
  }

  private static final class NobodyBefore implements KnownHosts {
    @Override
    public Set<String> all() {
      return Set.of();
    }

    @Override
    public void add(String host) {}

    @Override
    public void remove(String host) {}
  }

  private static final class NoStore implements IntentStore {
    @Override
    public Optional<IntentTree> load() {
      return Optional.empty();
    }

    @Override
    public void save(IntentTree tree) {}
  }
}
