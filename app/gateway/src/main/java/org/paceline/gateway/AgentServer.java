package org.paceline.gateway;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.paceline.control.directive.Pace;
import org.paceline.control.directive.QueueShares;
import org.paceline.control.directive.SwitchPort;
import org.paceline.control.enrolment.EnrolmentAuthority;
import org.paceline.control.enrolment.EnrolmentTokens;
import org.paceline.control.inventory.BoundedJournal;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.PoolId;
import org.paceline.control.model.Unserved;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.port.Journal;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.control.work.Closers;
import org.paceline.control.work.Each;
import org.paceline.control.work.WorkerThread;
import org.paceline.gateway.tls.AgentTls;
import org.paceline.gateway.tls.CertificateExpiry;
import org.paceline.gateway.tls.CertifiedNames;
import org.paceline.gateway.tls.Peer;
import org.paceline.gateway.tls.RootCause;
import org.paceline.intents.unit.DataRate;
import org.paceline.protocol.AgentGatewayGrpc;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.ControllerMessage;
import org.paceline.protocol.EnrolmentGrpc;
import org.paceline.protocol.Pool;
import org.paceline.protocol.PortQueue;
import org.paceline.protocol.PortQueues;
import org.paceline.protocol.Rate;
import org.paceline.protocol.Rates;
import org.paceline.protocol.Refusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens for host agents and keeps one stream with each. No gRPC type leaves this package. */
public final class AgentServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AgentServer.class);
  private static final Context.Key<Peer> PEER = Context.key("peer");
  private static final Context.Key<Optional<CertifiedNames>> NAMES = Context.key("names");
  private static final Duration HEARTBEAT = Duration.ofSeconds(2);
  private static final int KEEP_ALIVE_SECONDS = 5;
  private static final int IDLE_SECONDS = 10;

  /** Of one connection at once; an agent has one. */
  private static final int MOST_CALLS = 4;

  /** An agent reports once a second unless it is set to do so more seldom. */
  private static final Duration SILENCE = Duration.ofSeconds(10);

  private final AgentSessions sessions;
  private final Server server;
  private final Optional<AgentTls> tls;
  private final Closers opened;

  private AgentServer(
      AgentSessions sessions, Server server, Optional<AgentTls> tls, Closers opened) {
    this.sessions = sessions;
    this.server = server;
    this.tls = tls;
    this.opened = opened;
  }

  /** Who attaches, and to whom rates are told; exists before the planner that needs it. */
  public static final class Agents {
    private final AgentSessions sessions;

    public Agents() {
      this(new AgentSessions(new SharedBounds()));
    }

    Agents(AgentSessions sessions) {
      this.sessions = sessions;
    }

    /** Says nothing to a host without an agent: it will ask again when it attaches. */
    public void send(
        String host, long version, Map<Conversation, Pace> rates, Map<PoolId, DataRate> pools) {
      Rates.Builder message = Rates.newBuilder().setPlanVersion(version);
      rates.forEach(
          (conversation, pace) ->
              message.addRates(
                  Rate.newBuilder()
                      .setConversationId(conversation.id().local())
                      // 0 would take the grant back.
                      .setRateBitsPerSecond(Math.max(1, pace.rate().bitsPerSecond()))
                      .setCeilingBitsPerSecond(pace.borrowsUpTo().bitsPerSecond())
                      .setBorrowRank(pace.borrowRank())));
      pools.forEach(
          (pool, rate) ->
              message.addPools(
                  Pool.newBuilder()
                      .setInterface(pool.device())
                      .setRateBitsPerSecond(rate.bitsPerSecond())));
      ControllerMessage batch = ControllerMessage.newBuilder().setRates(message).build();
      sessions.find(host).ifPresent(stream -> stream.send(batch));
    }

    /**
     * Says nothing where the host has no agent.
     *
     * @param shares empty: the port is one queue again
     */
    void divide(
        String host, long number, SwitchPort port, Optional<QueueShares> shares, int elephantDscp) {
      PortQueue.Builder told =
          PortQueue.newBuilder().setSwitchId(port.device()).setPort(port.name());
      shares.ifPresent(
          s ->
              told.setElephantsBitsPerSecond(s.elephants().bitsPerSecond())
                  .setOthersBitsPerSecond(s.others().bitsPerSecond())
                  .setElephantDscp(elephantDscp));
      ControllerMessage message =
          ControllerMessage.newBuilder()
              .setPorts(PortQueues.newBuilder().setNumber(number).addPorts(told))
              .build();
      sessions.find(host).ifPresent(stream -> stream.send(message));
    }

    /** The host's agent may not divide ports of a switch. */
    void refuseSwitch(String host, String why) {
      ControllerMessage refusal =
          ControllerMessage.newBuilder()
              .setRefusal(
                  Refusal.newBuilder().setCode(Refusal.Code.SWITCH_NOT_ALLOWED).setMessage(why))
              .build();
      sessions.find(host).ifPresent(stream -> stream.send(refusal));
    }

    /** They have the rate that the Welcome names. */
    public void takeBack(String host, long version, Collection<Conversation> conversations) {
      Rates.Builder message = Rates.newBuilder().setPlanVersion(version);
      conversations.forEach(
          conversation ->
              message.addRates(Rate.newBuilder().setConversationId(conversation.id().local())));
      ControllerMessage batch = ControllerMessage.newBuilder().setRates(message).build();
      sessions.find(host).ifPresent(stream -> stream.send(batch));
    }

    /** What a Welcome says has changed: each agent is welcomed again. */
    public void welcomeAgain() {
      try {
        Each.of(sessions.all(), AgentStream::welcome);
      } finally {
        GatewayThreads.forgetCaller();
      }
    }

    /** Says nothing to a host without an agent. */
    void askAgain(String host) {
      sessions.find(host).ifPresent(AgentStream::startOver);
    }

    public void refuse(Conversation conversation, Unserved why) {
      ControllerMessage refusal =
          ControllerMessage.newBuilder()
              .setRefusal(
                  Refusal.newBuilder()
                      .setCode(Translation.code(why.kind()))
                      .setConversationId(conversation.id().local())
                      .setMessage(why.reason()))
              .build();
      sessions.find(conversation.id().host()).ifPresent(stream -> stream.send(refusal));
    }
  }

  /**
   * Begins to listen.
   *
   * @throws IOException if the address is taken, or the certificates cannot be used; nothing is
   *     left open then
   */
  public static AgentServer open(
      AgentEndpoint endpoint,
      Agents agents,
      AgentEvents events,
      IntentPolicies policies,
      Supplier<PlannerSettings> settings,
      String node,
      EnrolmentTokens enrolment,
      Journal journal)
      throws IOException {
    return open(endpoint, agents, events, policies, settings, node, enrolment, journal, SILENCE);
  }

  /**
   * @param silence after which an agent is no longer believed to be there
   */
  static AgentServer open(
      AgentEndpoint endpoint,
      Agents agents,
      AgentEvents events,
      IntentPolicies policies,
      Supplier<PlannerSettings> settings,
      String node,
      EnrolmentTokens enrolment,
      Journal journal,
      Duration silence)
      throws IOException {
    // gRPC finds its parts through the context class loader, which in OSGi is somebody else's.
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(AgentServer.class.getClassLoader());
    Closers opened = new Closers(journal);
    boolean listens = false;
    try {
      GatewayThreads threads = new GatewayThreads();
      opened.add(threads);
      WorkerThread heartbeats = new WorkerThread("paceline-heartbeats", journal);
      opened.add(heartbeats);
      BoundedJournal ofAgents = new BoundedJournal(journal, heartbeats);
      Optional<AgentTls> tls = tls(endpoint, journal);
      tls.ifPresent(opened::add);
      AgentAdmission admission =
          new AgentAdmission(
              policies,
              settings,
              node,
              Math.toIntExact(HEARTBEAT.toSeconds()),
              Clock.systemUTC(),
              caller -> tls.flatMap(one -> one.revocation(caller)));
      NettyServerBuilder builder = NettyServerBuilder.forAddress(endpoint.address());
      tls.ifPresent(
          one ->
              builder
                  .protocolNegotiator(one.negotiator(ofAgents))
                  .addService(
                      new EnrolmentEndpoint(
                          one, enrolment, NAMES::get, PEER::get, ofAgents, Clock.systemUTC())));
      Server server =
          threads
              .serve(builder)
              .addService(
                  service(agents.sessions, admission, events, heartbeats, ofAgents, silence))
              // The one that is named last looks at a call first.
              .intercept(new StreamBound(agents.sessions.bounds()))
              .intercept(new PeerInterceptor(ofAgents))
              .maxConcurrentCallsPerConnection(MOST_CALLS)
              // An attached agent's never is; who has no certificate must not stay for nothing.
              .maxConnectionIdle(IDLE_SECONDS, TimeUnit.SECONDS)
              .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
              .keepAliveTimeout(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
              .permitKeepAliveTime(1, TimeUnit.SECONDS)
              .permitKeepAliveWithoutCalls(true)
              .build();
      start(server, endpoint.address());
      opened.add(() -> end(server, agents.sessions));
      log.info("Listening for host agents on {}", endpoint.text());
      endpoint.advice().ifPresent(log::warn);
      beatFromNowOn(heartbeats, agents.sessions, silence);
      tls.ifPresent(one -> one.onRevocation(() -> endRevoked(heartbeats, agents.sessions)));
      listens = true;
      return new AgentServer(agents.sessions, server, tls, opened);
    } finally {
      if (!listens) {
        opened.close();
      }
      thread.setContextClassLoader(before);
      GatewayThreads.forgetCaller();
    }
  }

  private static Optional<AgentTls> tls(AgentEndpoint endpoint, Journal journal)
      throws IOException {
    Optional<Path> directory = endpoint.tls();
    return directory.isPresent()
        ? Optional.of(AgentTls.open(directory.get(), journal))
        : Optional.empty();
  }

  private static AgentGatewayGrpc.AgentGatewayImplBase service(
      AgentSessions sessions,
      AgentAdmission admission,
      AgentEvents events,
      WorkerThread heartbeats,
      BoundedJournal journal,
      Duration silence) {
    return new AgentGatewayGrpc.AgentGatewayImplBase() {
      @Override
      public StreamObserver<AgentMessage> attach(StreamObserver<ControllerMessage> out) {
        AgentStream agent =
            new AgentStream(sessions, admission, events, out, PEER.get(), NAMES.get(), journal);
        heartbeats.after(silence, agent::endWhereAwaited);
        return new SlowedStream(
            agent,
            (ServerCallStreamObserver<ControllerMessage>) out,
            heartbeats,
            sessions.bounds(),
            events::afterwards);
      }
    };
  }

  private static void start(Server server, InetSocketAddress bind) throws IOException {
    try {
      server.start();
    } catch (IOException taken) {
      throw new IOException(
          "Host agents cannot call in on ("
              + bind.getHostString()
              + ":"
              + bind.getPort()
              + "): "
              + RootCause.of(taken).getMessage()
              + ". Maybe stop what holds the port, or give another with \"cfg preset"
              + " org.paceline.onos.PacelineComponent port NUMBER\".",
          taken);
    }
  }

  /**
   * On a thread that waits for nothing: whatever the planner waits for, such as a store that
   * stalls, no agent takes the controller for gone.
   */
  private static void beatFromNowOn(
      WorkerThread heartbeats, AgentSessions sessions, Duration silence) {
    heartbeats.every(
        () -> HEARTBEAT,
        () -> {
          sessions.forgetLongGone();
          sessions.floods().forget(heartbeats.now().toNanos());
          Each.of(sessions.all(), stream -> beat(stream, silence));
        });
  }

  /** At once, and not with the next heartbeat. */
  private static void endRevoked(WorkerThread heartbeats, AgentSessions sessions) {
    heartbeats.execute(() -> Each.of(sessions.all(), AgentStream::endWhereRevoked));
  }

  private static void beat(AgentStream stream, Duration silence) {
    if (stream.isSilentFor(silence)) {
      stream.giveUp();
    } else {
      stream.endWhereRevoked();
      stream.beat();
    }
  }

  public int port() {
    return server.getPort();
  }

  /** Who signs for hosts that enrol; empty where agents need no certificates. */
  public Optional<EnrolmentAuthority> authority() {
    return tls.map(one -> one);
  }

  /** When the controller's certificate ends; empty where agents need none. */
  public Optional<CertificateExpiry> expiry() {
    return tls.map(AgentTls::expiry);
  }

  /**
   * What all agents have too much of, who floods, and certificates, the controller's too, that end
   * soon.
   */
  public List<Alarm> alarms(Instant now) {
    List<Alarm> all = new ArrayList<>(sessions.bounds().alarms());
    all.addAll(sessions.floods().alarms());
    tls.ifPresent(
        one -> {
          all.addAll(one.expiry().alarms(now));
          Each.of(sessions.all(), s -> s.certificateAlarm(one, now).ifPresent(all::add));
        });
    return all;
  }

  @Override
  public void close() {
    opened.close();
    GatewayThreads.forgetCaller();
  }

  private static void end(Server server, AgentSessions sessions) {
    try {
      Each.of(sessions.all(), AgentStream::complete);
    } finally {
      shutDown(server);
    }
  }

  private static void shutDown(Server server) {
    server.shutdown();
    try {
      if (!server.awaitTermination(1, TimeUnit.SECONDS)) {
        server.shutdownNow().awaitTermination(2, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  /** Notes where a stream comes from, and what its certificate names. */
  private static final class PeerInterceptor implements ServerInterceptor {
    private final BoundedJournal journal;

    PeerInterceptor(BoundedJournal journal) {
      this.journal = journal;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      Peer peer = Peer.of(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
      Optional<CertifiedNames> names =
          Optional.ofNullable(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION))
              .map(CertifiedNames::of);
      if (names.filter(caller -> !caller.isShown()).isPresent()
          && !call.getMethodDescriptor().equals(EnrolmentGrpc.getEnrolMethod())) {
        journal.warn(
            peer.host(), "A caller from " + peer + " is not let in: it has shown no certificate.");
        call.close(
            Status.UNAUTHENTICATED.withDescription(
                "This controller asks for a certificate. Maybe enrol this host."),
            new Metadata());
        return new ServerCall.Listener<>() {};
      }
      return Contexts.interceptCall(
          Context.current().withValue(PEER, peer).withValue(NAMES, names), call, headers, next);
    }
  }
}
