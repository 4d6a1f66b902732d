package org.paceline.agent;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.paceline.agent.application.Allowances;
import org.paceline.agent.application.Claims;
import org.paceline.agent.application.Desk;
import org.paceline.agent.config.AgentConfig;
import org.paceline.agent.conversation.Conversation;
import org.paceline.agent.conversation.Conversations;
import org.paceline.agent.pace.ClassIds;
import org.paceline.agent.pace.ClassStatistics;
import org.paceline.agent.pace.EnforcerChoice;
import org.paceline.agent.pace.Inherited;
import org.paceline.agent.pace.ManagedInterface;
import org.paceline.agent.pace.StateFile;
import org.paceline.agent.sense.Flow;
import org.paceline.agent.sense.RemoteName;
import org.paceline.agent.sense.Sighting;
import org.paceline.protocol.UnmanagedTraffic;

/**
 * Tells the controller who talks and paces as it grants. One thread owns all of this; whatever
 * happens elsewhere is handed to it. Nothing on the host is changed before the controller has
 * welcomed the agent, and rates hold while it is away.
 */
final class Agent implements Attachment.Work, Closeable {
  // Where first packets cannot be heard, what is counted of connections is all there is.
  private static final Duration GLANCE = Duration.ofMillis(50);

  // A loop that comes so late has stood still; a busy host is not that late.
  private static final Duration STANDS_STILL = Duration.ofSeconds(5);

  private final AgentConfig config;
  private final Console console;
  private final Conversations conversations;
  private final Loop loop;
  private final StateFile state;
  private final Sensing sensing;
  private final Pacing pacing;
  private final Claims claims;
  private final SocketNames names;
  private final Hearing hearing;
  private final Attachment controller;
  private final Watch watch;
  private final Sightings sightings = new Sightings();
  private final Silence silence;
  private final TcpHealth tcp;
  private final Unmanaged unmanaged;

  Agent(
      AgentConfig config,
      List<ManagedInterface> interfaces,
      EnforcerChoice choice,
      Optional<Inherited> inherited,
      Sensing sensing,
      Hearing hearing,
      StateFile state,
      int protocolVersion,
      Console console) {
    this.config = config;
    this.console = console;
    this.state = state;
    this.conversations =
        new Conversations(
            Long.toString(System.currentTimeMillis(), 36), ClassIds.MOST_CONVERSATIONS);
    this.silence = new Silence(Silence::sinceBoot, config.scanInterval().plus(STANDS_STILL));
    this.loop = new Loop(console, () -> Runtime.getRuntime().halt(ExitCode.FAULT));
    this.tcp = new TcpHealth(console);
    this.pacing = new Pacing(config, interfaces, choice, inherited, state, this::sighted);
    this.claims = new Claims(sensing::socketsOf);
    this.names = new SocketNames(config.rules(), sensing, claims);
    this.controller =
        new Attachment(
            config,
            interfaces,
            protocolVersion,
            console,
            loop,
            conversations,
            pacing,
            silence,
            state,
            this);
    this.watch = new Watch(config, sensing, conversations, pacing, names, controller);
    this.sensing = sensing;
    this.hearing = hearing;
    this.unmanaged =
        new Unmanaged(Path.of("/proc/net/dev"), pacing.deviceNames(), sensing, conversations, tcp);
  }

  /** What listens to the controller. */
  Attachment controller() {
    return controller;
  }

  /** Completes with the reason when a person has to put something right. */
  CompletableFuture<String> refused() {
    return controller.refused();
  }

  void start() {
    loop.soon(this::takeOver);
    loop.soon(watch::scan);
    loop.soon(controller::attach);
    loop.after(config.scanInterval(), this::scanAgain);
    loop.every(config.reportInterval(), this::report);
    hearing.trouble().ifPresent(console::say);
    hearing.start(() -> loop.soon(() -> watch.take(hearing.names().takeNews())));
  }

  /** Rates that an agent which was killed has left go on as they are. */
  private void takeOver() throws IOException {
    Duration lease = state.lease();
    if (pacing.takeOver(conversations)) {
      silence.agreed(lease);
      state.agreed(lease);
      console.say("an agent was killed here: its rates go on");
      loop.after(Watch.UNCONNECTED_SILENCE, () -> pacing.settle(conversations));
    }
  }

  @Override
  public void placeAll() throws IOException {
    watch.placeAll();
  }

  @Override
  public void scan() throws IOException {
    watch.scan();
  }

  private void sighted(Sighting sighting) {
    if (sightings.add(sighting)) {
      loop.soon(() -> watch.take(sightings.take()));
    }
  }

  private void scanAgain() {
    Duration still = silence.passes();
    if (!still.isZero()) {
      console.say("stood still for " + still.toSeconds() + " s: rates are as they were");
      // What was sent meanwhile counts before what seems silent is ended.
      loop.guarded(this::report);
    }
    loop.guarded(watch::scan);
    controller.giveUpWhereSilent();
    loop.guarded(this::relax);
    passUntil(System.nanoTime() + config.scanInterval().toNanos());
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
            loop.guarded(watch::glance);
            passUntil(due);
          });
    }
  }

  /** Every word of the controller renews every lease. */
  private void relax() throws IOException {
    int step = silence.step();
    if (step != pacing.step()) {
      pacing.relax(step, conversations);
      console.say(Lease.text(step));
    }
  }

  private void report() throws IOException {
    Map<Conversation, ClassStatistics> statistics = pacing.read(conversations);
    tcp.read(statistics.keySet());
    watch.learnOwners();
    controller.report(statistics, names::kpis, unmanaged(statistics));
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
  Desk desk(Allowances allowances) {
    return new FrontDesk(loop, allowances, sensing, watch, claims, names, conversations, this::row);
  }

  /** Asked from another thread. */
  View view() {
    return loop.ask(
        () ->
            new View(
                config.hostId(),
                controller.how(),
                config.controllerHost() + ":" + config.controllerPort(),
                controller.isAttached(),
                controller.planVersion(),
                pacing.step(),
                conversations.all().stream().map(this::row).toList(),
                controller.rateChanges().now(),
                loop.failures(),
                hearing.text(),
                Usage.now(pacing.helpers())));
  }

  private View.Row row(Conversation one) {
    Optional<RemoteName> name = one.flows().stream().findFirst().flatMap(sensing::remoteName);
    return View.Row.of(one, pacing.installedRate(one), name.map(RemoteName::text).orElse(""));
  }

  /** What nobody else can know of sockets; asked from another thread. */
  Known known() {
    return loop.ask(
        () -> {
          Map<Flow, Long> peers = sensing.peers(conversations.all());
          return new Known(sensing.remoteNames(peers.keySet()), claims.claimed(), peers);
        });
  }

  /** Takes everything down; what the controller has granted ends with it. */
  @Override
  public void close() throws IOException {
    hearing.close();
    loop.end(
        () -> {
          controller.close();
          tcp.close();
          pacing.close();
        });
  }
}
