package org.paceline.gateway;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.control.Nobody;
import org.paceline.control.RememberedRecords;
import org.paceline.control.assurance.BesideRules;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.directive.Pace;
import org.paceline.control.directive.RateDirective;
import org.paceline.control.directive.SwitchPort;
import org.paceline.control.enrolment.EnrolmentAuthority;
import org.paceline.control.enrolment.EnrolmentTokens;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.PoolId;
import org.paceline.control.model.Unserved;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.port.Journal;
import org.paceline.control.port.PlannerPorts;
import org.paceline.control.port.RateSender;
import org.paceline.control.rollout.Planner;
import org.paceline.control.settings.PlanMode;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.control.work.WorkerThread;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.json.catalogue.Catalogue;
import org.paceline.protocol.AgentGatewayGrpc;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.Capabilities;
import org.paceline.protocol.ControllerMessage;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.Hello;
import org.paceline.protocol.InstalledRate;
import org.paceline.protocol.RatesInstalled;

/**
 * The server and the real planner, and clients over TCP. As an extension it ends with each test.
 */
final class AgentServerRig implements AfterEachCallback, AutoCloseable {
  static final int SECONDS = 60;
  private static final Duration PATIENT = Duration.ofSeconds(SECONDS);

  /** What is thrown where the server tells of an event, by its name. */
  final Map<String, Error> broken = new ConcurrentHashMap<>();

  /** How often the server has told of an event, by its name. */
  final Map<String, Integer> told = new ConcurrentHashMap<>();

  /** What the server has written down. */
  final List<String> written = new CopyOnWriteArrayList<>();

  final ProofBook proofs = new ProofBook();
  final BesideRules besideRules = new BesideRules(proofs, new Nobody.NoJournal());
  final WorkerThread worker = new WorkerThread("test-planner", new Nobody.NoJournal());
  private final List<ManagedChannel> channels = new ArrayList<>();
  final AgentServer.Agents agents;

  /** One link that leaves a switch, and who may divide its port. */
  final OneSwitch switches = new OneSwitch();

  final PortSchedulers schedulers;
  final AgentServer server;
  final EnrolmentTokens enrolment;
  final Planner planner;

  /** What an agent is told must not depend on how busy the machine is that tests it. */
  private volatile PlannerSettings settings =
      PlannerSettings.DEFAULT.toBuilder().solveLimit(PATIENT).acknowledgementLimit(PATIENT).build();

  /** Without certificates. */
  AgentServerRig() {
    this(Optional.empty());
  }

  /**
   * @param tls as for the server
   */
  AgentServerRig(Optional<Path> tls) {
    this(tls, PATIENT);
  }

  /**
   * @param silence as for the server
   */
  AgentServerRig(Optional<Path> tls, Duration silence) {
    this(tls, silence, new SharedBounds());
  }

  /**
   * @param bounds of what all agents together may have
   */
  AgentServerRig(Optional<Path> tls, Duration silence, SharedBounds bounds) {
    this(tls, silence, new AgentSessions(bounds));
  }

  /**
   * @param sessions where the agents' streams are
   */
  AgentServerRig(Optional<Path> tls, Duration silence, AgentSessions sessions) {
    agents = new AgentServer.Agents(sessions);
    schedulers = new PortSchedulers(agents, switches, Clock.systemUTC());
    IntentPolicies policies = new IntentPolicies(Catalogue.defaultTree());
    NetworkState state = office();
    planner =
        new Planner(
            PlannerPorts.builder()
                .network(() -> state)
                .rates(new ToAgents())
                .paths(new Nobody.NoPaths())
                .worker(worker)
                .solving(Runnable::run)
                .improving(Runnable::run)
                .hosts(new Nobody.NoHosts())
                .clock(Clock.systemUTC())
                .journal(new Nobody.NoJournal())
                .build(),
            settings,
            policies,
            proofs,
            new NetworkAllocator(Optional.empty()));
    AtomicReference<Optional<EnrolmentAuthority>> authority =
        new AtomicReference<>(Optional.empty());
    enrolment =
        new EnrolmentTokens(
            new RememberedRecords<>(),
            new ChangeLog(
                RememberedRecords.numbered(new RememberedRecords<>()),
                new RememberedRecords<>(),
                "test",
                Clock.systemUTC()),
            authority::get,
            Clock.systemUTC());
    try {
      server =
          AgentServer.open(
              AgentEndpoint.of(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), tls, false),
              agents,
              mayFail(AgentEvents.to(planner, besideRules, schedulers)),
              policies,
              () -> settings,
              "test",
              enrolment,
              new Written(),
              silence);
    } catch (IOException taken) {
      throw new UncheckedIOException(taken);
    }
    authority.set(server.authority());
  }

  @Override
  public void afterEach(ExtensionContext test) {
    close();
  }

  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
    server.close();
    worker.close();
  }

  /** As when an operator sets it. */
  void mode(PlanMode mode) {
    settings = settings.toBuilder().mode(mode).build();
    agents.welcomeAgain();
    planner.configure(settings);
  }

  private AgentEvents mayFail(AgentEvents events) {
    return (AgentEvents)
        Proxy.newProxyInstance(
            AgentEvents.class.getClassLoader(),
            new Class<?>[] {AgentEvents.class},
            (proxy, event, what) -> {
              told.merge(event.getName(), 1, Integer::sum);
              Error bug = broken.get(event.getName());
              if (bug != null) {
                throw bug;
              }
              return event.invoke(events, what);
            });
  }

  private final class Written implements Journal {
    @Override
    public void note(String sentence) {
      written.add(sentence);
    }

    @Override
    public void warn(String sentence) {
      written.add(sentence);
    }

    @Override
    public void fault(String sentence, Throwable bug) {
      written.add(sentence + ": " + bug);
    }

    @Override
    public void planned(long version, String summary, String difference) {}
  }

  /** Without a certificate. */
  Agent agent() {
    return new Agent();
  }

  Agent agent(ManagedChannel channel) {
    return new Agent(channel);
  }

  /** A switch whose operator may let an agent divide its ports. */
  static final class OneSwitch implements PortSchedulers.Switches {
    static final LinkId LINK = LinkId.of("s", "b");
    static final SwitchPort PORT = SwitchPort.of("s", "eth2");

    volatile Optional<String> allowed = Optional.empty();
    volatile int dscp = 10;

    @Override
    public Set<LinkId> links() {
      return Set.of(LINK);
    }

    @Override
    public Optional<SwitchPort> portOf(LinkId link) {
      return link.equals(LINK) ? Optional.of(PORT) : Optional.empty();
    }

    @Override
    public Optional<String> queueAgent(String device) {
      return allowed.filter(host -> device.equals("s"));
    }

    @Override
    public int elephantDscp() {
      return dscp;
    }
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

  static Hello.Builder hello(String host) {
    return Hello.newBuilder()
        .setProtocolVersion(1)
        .setHostId(host)
        .setCapabilities(Capabilities.newBuilder().setEnforcer("htb"))
        .addIntents("file-download/emailattach");
  }

  static ConversationOpened opened(String id, String remote) {
    return ConversationOpened.newBuilder()
        .setId(id)
        .setIntent("file-download/emailattach")
        .setLocalAddress("10.0.0.1")
        .setRemoteAddress(remote)
        .build();
  }

  /** Until it is so, or has had more than enough time to become so. */
  static void await(BooleanSupplier isSo) throws InterruptedException {
    long end = System.nanoTime() + PATIENT.toNanos();
    while (!isSo.getAsBoolean() && System.nanoTime() < end) {
      Thread.sleep(10);
    }
  }

  /** An agent that acknowledges whatever it is told. */
  final class Agent implements StreamObserver<ControllerMessage> {
    final BlockingQueue<ControllerMessage> heard = new LinkedBlockingQueue<>();
    final BlockingQueue<String> ended = new LinkedBlockingQueue<>();
    private final StreamObserver<AgentMessage> out;

    Agent() {
      this(NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build());
    }

    Agent(ManagedChannel channel) {
      channels.add(channel);
      out = AgentGatewayGrpc.newStub(channel).attach(this);
    }

    void say(AgentMessage message) {
      out.onNext(message);
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
      acknowledge(message);
      return message;
    }

    /** Says good-bye. */
    void goes() {
      out.onCompleted();
    }

    /** Says that the rates in it are installed. */
    void acknowledge(ControllerMessage message) {
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
      installed.addAllPools(message.getRates().getPoolsList());
      out.onNext(AgentMessage.newBuilder().setInstalled(installed).build());
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
    public void send(
        String host,
        long version,
        Map<Conversation, RateDirective> directives,
        Map<PoolId, DataRate> pools) {
      Map<Conversation, Pace> rates = new HashMap<>();
      // Here agents are told what switches would be, too.
      directives.forEach(
          (conversation, one) ->
              rates.put(
                  conversation,
                  one instanceof Pace
                      ? (Pace) one
                      : Pace.of(one.owner(), one.reason(), one.conversation(), one.rate())));
      agents.send(host, version, rates, pools);
    }

    @Override
    public void takeBack(String host, long version, Collection<Conversation> conversations) {
      agents.takeBack(host, version, conversations);
    }

    @Override
    public void endQuarantine(Conversation conversation) {}

    @Override
    public void release(Conversation conversation) {}

    @Override
    public void refuse(Conversation conversation, Unserved why) {
      agents.refuse(conversation, why);
    }
  }
}
