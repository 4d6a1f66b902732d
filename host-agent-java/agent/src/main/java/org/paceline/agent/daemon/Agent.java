package org.paceline.agent.daemon;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.paceline.agent.application.Allowances;
import org.paceline.agent.application.Claims;
import org.paceline.agent.application.RequestHandler;
import org.paceline.agent.config.AgentConfig;
import org.paceline.agent.conversation.Conversation;
import org.paceline.agent.conversation.Conversations;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.ClassStatistics;
import org.paceline.agent.flow.FirstPacket;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.naming.RemoteName;
import org.paceline.agent.pacing.HostSetup;
import org.paceline.agent.pacing.Lease;
import org.paceline.agent.pacing.Pacing;
import org.paceline.agent.pacing.StateFile;
import org.paceline.agent.peer.PeerNameCapture;
import org.paceline.agent.runtime.Console;
import org.paceline.agent.runtime.EventLoop;
import org.paceline.agent.runtime.ExitCode;
import org.paceline.agent.runtime.ProcessUsage;
import org.paceline.agent.session.ControllerSession;
import org.paceline.agent.session.RateChanges;
import org.paceline.agent.smallnetwork.SmallNetwork;
import org.paceline.agent.status.AgentStatus;
import org.paceline.agent.status.SocketKnowledge;
import org.paceline.agent.tracking.ConversationTracker;
import org.paceline.agent.tracking.FirstPacketQueue;
import org.paceline.agent.tracking.SocketNames;
import org.paceline.agent.tracking.SocketTable;
import org.paceline.agent.tracking.TcpHealth;
import org.paceline.agent.tracking.UnmanagedTrafficCounter;
import org.paceline.protocol.PeerAgreement;
import org.paceline.protocol.UnmanagedTraffic;

/**
 * Tells the controller who talks and paces as it grants; without one it shares links with its
 * peers. One thread owns all of this; whatever happens elsewhere is handed to it. Nothing on the
 * host is changed before the controller has welcomed the agent, unless peers decide, and rates hold
 * while it is away.
 */
public final class Agent implements ControllerSession.Work, Closeable {
  // Where first packets cannot be heard, what is counted of connections is all there is.
  private static final Duration GLANCE = Duration.ofMillis(50);

  // For peers not to begin what the controller, which is just being called, would change at once.
  private static final Duration CONTROLLER_COMES = Duration.ofSeconds(5);

  private final AgentConfig config;
  private final Console console;
  private final Conversations conversations;
  private final EventLoop loop;
  private final StateFile state;
  private final SocketTable socketTable;
  private final Pacing pacing;
  private final Claims claims;
  private final SocketNames names;
  private final PeerNameCapture peerNames;
  private final Optional<ControllerSession> controller;
  private final Optional<SmallNetwork> peers;
  private final CompletableFuture<String> refused = new CompletableFuture<>();
  private final long begunNanos = System.nanoTime();
  private final ConversationTracker tracker;
  private final FirstPacketQueue sightings = new FirstPacketQueue();
  private final TcpHealth tcp;
  private final UnmanagedTrafficCounter unmanaged;

  public Agent(
      AgentConfig config,
      HostSetup setup,
      SocketTable socketTable,
      PeerNameCapture peerNames,
      int protocolVersion,
      Console console) {
    this.config = config;
    this.console = console;
    this.state = setup.state();
    this.conversations =
        new Conversations(
            Long.toString(System.currentTimeMillis(), 36), ClassIds.MOST_CONVERSATIONS);
    this.loop = new EventLoop(console, () -> Runtime.getRuntime().halt(ExitCode.FAULT));
    this.tcp = new TcpHealth(console);
    this.pacing = new Pacing(config, setup, this::sighted);
    this.claims = new Claims(socketTable::socketsOf);
    this.names = new SocketNames(config.rules(), socketTable, claims);
    this.controller =
        config
            .controller()
            .map(
                any ->
                    new ControllerSession(
                        config, protocolVersion, console, loop, conversations, pacing, this));
    this.controller.ifPresent(c -> c.refused().thenAccept(refused::complete));
    this.peers =
        config
            .peers()
            .map(
                settings ->
                    new SmallNetwork(config, settings, pacing, conversations, loop, console));
    Told told = new Told(controller, peers, console);
    this.tracker = new ConversationTracker(config, socketTable, conversations, pacing, names, told);
    this.socketTable = socketTable;
    this.peerNames = peerNames;
    this.unmanaged =
        new UnmanagedTrafficCounter(
            Path.of("/proc/net/dev"), pacing.deviceNames(), socketTable, conversations, tcp);
  }

  /** What listens to the controller. */
  ControllerSession controller() {
    return controller.orElseThrow();
  }

  /** Completes with the reason when a person has to put something right. */
  public CompletableFuture<String> refused() {
    return refused;
  }

  public void start() {
    loop.soon(this::takeOver);
    loop.soon(tracker::scan);
    controller.ifPresent(c -> loop.soon(c::attach));
    loop.after(config.timing().scanInterval(), this::scanAgain);
    if (peers.isPresent()) {
      peers.get().start(this::seeWhoDecides, this::report);
    } else {
      loop.every(config.timing().reportInterval(), this::report);
    }
    peerNames.trouble().ifPresent(console::say);
    peerNames.start(() -> loop.soon(() -> tracker.take(peerNames.names().takeNews())));
  }

  /** Rates that an agent which was killed has left go on as they are. */
  private void takeOver() throws IOException {
    Duration lease = state.lease();
    if (pacing.takeOver(conversations)) {
      controller.ifPresent(c -> c.silence().agreed(lease));
      pacing.agreed(lease);
      console.say("an agent was killed here: its rates go on");
      loop.after(ConversationTracker.UNCONNECTED_SILENCE, () -> pacing.settle(conversations));
    }
  }

  /** Peers decide where there is no controller, or it is away. */
  private void seeWhoDecides() throws IOException {
    SmallNetwork sharing = peers.orElseThrow();
    boolean attached = controller.map(ControllerSession::isAttached).orElse(false);
    boolean mayCome =
        controller.isPresent() && System.nanoTime() - begunNanos < CONTROLLER_COMES.toNanos();
    if (attached) {
      sharing.leave();
    } else if (!sharing.rules() && !mayCome) {
      boolean anew = !pacing.isInstalled();
      if (anew) {
        install();
      }
      sharing.take(!anew);
    }
  }

  private void install() throws IOException {
    try {
      pacing.install();
    } catch (IOException e) {
      refused.complete("Pacing could not be installed: " + e.getMessage());
      throw e;
    }
    placeAll();
    scan();
  }

  @Override
  public void placeAll() throws IOException {
    tracker.placeAll();
  }

  @Override
  public void scan() throws IOException {
    tracker.scan();
  }

  @Override
  public Optional<PeerAgreement> peerAgreement() {
    return peers
        .flatMap(SmallNetwork::rulesSince)
        .map(
            since ->
                PeerAgreement.newBuilder()
                    .setSinceUnixNanos(since)
                    .setPeers(peers.orElseThrow().present())
                    .build());
  }

  private void sighted(FirstPacket sighting) {
    if (sightings.add(sighting)) {
      loop.soon(() -> tracker.take(sightings.take()));
    }
  }

  private void scanAgain() {
    Duration still = controller.map(c -> c.silence().passes()).orElse(Duration.ZERO);
    if (!still.isZero()) {
      console.say("stood still for " + still.toSeconds() + " s: rates are as they were");
      // What was sent meanwhile counts before what seems silent is ended.
      loop.guarded(this::report);
    }
    loop.guarded(tracker::scan);
    controller.ifPresent(ControllerSession::giveUpWhereSilent);
    loop.guarded(this::relax);
    passUntil(System.nanoTime() + config.timing().scanInterval().toNanos());
  }

  /** The next scan is due then; a whole one twenty times a second would cost more than pacing. */
  private void passUntil(long due) {
    Duration left = Duration.ofNanos(due - System.nanoTime());
    if (left.compareTo(GLANCE) <= 0 || pacing.hearsFirstPackets()) {
      loop.after(left, this::scanAgain);
    } else {
      loop.after(
          GLANCE,
          () -> {
            loop.guarded(tracker::glance);
            passUntil(due);
          });
    }
  }

  /** Every word of the controller renews every lease. */
  private void relax() throws IOException {
    // Peers take over from the rates in force.
    int step = peers.isPresent() ? 0 : controller.map(c -> c.silence().step()).orElse(0);
    if (step != pacing.step()) {
      pacing.relax(step, conversations);
      console.say(Lease.text(step));
    }
  }

  private void report() throws IOException {
    report(pacing.read(conversations));
  }

  private void report(Map<Conversation, ClassStatistics> statistics) throws IOException {
    tcp.read(statistics.keySet());
    tracker.learnOwners();
    if (controller.isPresent()) {
      controller.get().report(statistics, names::kpis, unmanaged(statistics));
    }
  }

  private Optional<UnmanagedTraffic> unmanaged(Map<Conversation, ClassStatistics> statistics)
      throws IOException {
    if (!pacing.countsPackets()) {
      return Optional.empty();
    }
    unmanaged.count(statistics);
    UnmanagedTraffic.Builder told =
        UnmanagedTraffic.newBuilder().setSentBytes(unmanaged.sentBytes());
    unmanaged
        .most()
        .ifPresent(
            most ->
                told.setProcess(most.process().name())
                    .setUser(most.process().user())
                    .setRemoteAddress(most.flow().remote().getHostAddress()));
    return Optional.of(told.build());
  }

  /** For applications to say themselves what they may. */
  public RequestHandler requests(Allowances allowances) {
    return new ApplicationRequests(
        loop, allowances, socketTable, tracker, names, conversations, this::row);
  }

  /** Asked from another thread. */
  public AgentStatus view() {
    return loop.ask(
        () ->
            new AgentStatus(
                config.hostId(),
                pacing.text(),
                controller.map(this::controllerView),
                peers.map(SmallNetwork::view),
                conversations.all().stream().map(this::row).toList(),
                controller.map(ControllerSession::rateChanges).orElseGet(RateChanges::new).now(),
                peerNames.text(),
                new AgentStatus.Health(loop.failures(), ProcessUsage.now(pacing.helpers()))));
  }

  private AgentStatus.Controller controllerView(ControllerSession session) {
    return new AgentStatus.Controller(
        config.controller().orElseThrow().text(),
        session.isAttached(),
        session.planVersion(),
        pacing.step());
  }

  private AgentStatus.Row row(Conversation one) {
    Optional<RemoteName> name = one.flows().stream().findFirst().flatMap(socketTable::remoteName);
    return AgentStatus.Row.of(
        one, pacing.installedRate(one), name.map(RemoteName::text).orElse(""));
  }

  /** What nobody else can know of sockets; asked from another thread. */
  public SocketKnowledge known() {
    return loop.ask(
        () -> {
          Map<Flow, Long> peers = socketTable.peers(conversations.all());
          return new SocketKnowledge(
              socketTable.remoteNames(peers.keySet()), claims.claimed(), peers);
        });
  }

  /** Takes everything down; what the controller has granted ends with it. */
  @Override
  public void close() throws IOException {
    peerNames.close();
    loop.end(
        () -> {
          peers.ifPresent(SmallNetwork::close);
          controller.ifPresent(ControllerSession::close);
          tcp.close();
          pacing.close();
        });
  }
}
