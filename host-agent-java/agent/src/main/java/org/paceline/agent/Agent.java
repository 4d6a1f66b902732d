package org.paceline.agent;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.paceline.agent.config.AgentConfig;
import org.paceline.agent.conversation.Conversation;
import org.paceline.agent.conversation.Conversations;
import org.paceline.agent.link.Backoff;
import org.paceline.agent.link.ControllerLink;
import org.paceline.agent.link.Messages;
import org.paceline.agent.pace.ClassStatistics;
import org.paceline.agent.pace.EnforcerChoice;
import org.paceline.agent.pace.HtbPacer;
import org.paceline.agent.pace.Inherited;
import org.paceline.agent.pace.ManagedInterface;
import org.paceline.agent.pace.StateFile;
import org.paceline.agent.sense.Flow;
import org.paceline.agent.sense.Sighting;
import org.paceline.protocol.ControllerMessage;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.Refusal;
import org.paceline.protocol.Welcome;

/**
 * Tells the controller who talks and paces as it grants. One thread owns all of this; whatever
 * happens elsewhere is handed to it. Nothing on the host is changed before the controller has
 * welcomed the agent, and rates hold while it is away.
 */
final class Agent implements ControllerLink.Listener, Watch.Audience, AutoCloseable {
  // Where first packets cannot be heard, the scan is all there is.
  private static final Duration DEAF_SCAN = Duration.ofMillis(50);

  private final AgentConfig config;
  private final List<ManagedInterface> interfaces;
  private final int protocolVersion;
  private final Console console;
  private final Conversations conversations;
  private final ScheduledExecutorService loop;
  private final ControllerLink link;
  private final StateFile state;
  private final Pacing pacing;
  private final Watch watch;
  private final Backoff backoff = new Backoff(new java.util.Random());
  private final Sightings sightings = new Sightings();
  private final Silence silence = new Silence();
  private final CompletableFuture<String> refused = new CompletableFuture<>();
  private boolean attached;
  private boolean everWelcomed;

  Agent(
      AgentConfig config,
      List<ManagedInterface> interfaces,
      EnforcerChoice choice,
      Optional<Inherited> inherited,
      Sensing sensing,
      StateFile state,
      int protocolVersion,
      Console console) {
    this.config = config;
    this.interfaces = interfaces;
    this.protocolVersion = protocolVersion;
    this.console = console;
    this.state = state;
    this.conversations =
        new Conversations(
            Long.toString(System.currentTimeMillis(), 36), HtbPacer.MOST_CONVERSATIONS);
    this.loop = Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "agent"));
    this.link =
        new ControllerLink(
            config.controllerHost(), config.controllerPort(), config.tls(), loop, this);
    this.pacing = new Pacing(config, interfaces, choice, inherited, state, this::sighted);
    this.watch = new Watch(config, sensing, conversations, pacing, this);
  }

  /** Completes with the reason when a person has to put something right. */
  CompletableFuture<String> refused() {
    return refused;
  }

  void start() {
    loop.execute(() -> guarded(this::takeOver));
    loop.execute(() -> guarded(watch::scan));
    loop.execute(this::attach);
    loop.schedule(this::scanAgain, config.scanInterval().toNanos(), TimeUnit.NANOSECONDS);
    long report = config.reportInterval().toNanos();
    loop.scheduleWithFixedDelay(() -> guarded(this::report), report, report, TimeUnit.NANOSECONDS);
  }

  /** Rates that an agent which was killed has left go on as they are. */
  private void takeOver() throws IOException {
    Duration lease = state.lease();
    if (pacing.takeOver(conversations)) {
      silence.agreed(lease);
      state.agreed(lease);
      console.say("an agent was killed here: its rates go on");
      loop.schedule(
          () -> guarded(() -> pacing.settle(conversations)),
          Watch.UNCONNECTED_SILENCE.toNanos(),
          TimeUnit.NANOSECONDS);
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  /** A step that fails is told and tried again at the next occasion; the loop goes on. */
  private void guarded(Step step) {
    try {
      step.run();
    } catch (IOException | RuntimeException e) {
      console.say("failed, and will be tried again: " + e);
    }
  }

  // ---- the controller ----

  private void attach() {
    List<ConversationOpened> open =
        conversations.all().stream().map(c -> Messages.opened(c, pacing.installedRate(c))).toList();
    link.open(
        Messages.hello(
            config,
            interfaces,
            pacing.choice().kind(),
            open,
            pacing.planVersion(),
            protocolVersion));
  }

  @Override
  public void ended(String reason) {
    Duration wait = backoff.next();
    if (attached || !everWelcomed) {
      console.say(
          "no controller at "
              + config.controllerHost()
              + ":"
              + config.controllerPort()
              + " ("
              + reason
              + "); "
              + (pacing.isInstalled() ? "rates hold" : "nothing is paced")
              + ", trying again");
    }
    attached = false;
    loop.schedule(this::attach, wait.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void received(ControllerMessage message) {
    silence.heard();
    guarded(
        () -> {
          switch (message.getMessageCase()) {
            case WELCOME -> welcome(message.getWelcome());
            case RATES -> link.send(Messages.of(pacing.apply(message.getRates(), conversations)));
            case REFUSAL -> refusal(message.getRefusal());
            case HEARTBEAT, MESSAGE_NOT_SET -> {}
          }
        });
  }

  private void welcome(Welcome welcome) throws IOException {
    attached = true;
    backoff.reset();
    if (welcome.getDefaultRateBitsPerSecond() > 0) {
      pacing.defaultTo(welcome.getDefaultRateBitsPerSecond());
    }
    silence.agreed(welcome);
    // What holds is what the controller decides from now on; until then, what it had granted.
    pacing.relax(0, conversations);
    if (!pacing.isInstalled()) {
      try {
        pacing.install();
      } catch (IOException e) {
        refused.complete("Pacing could not be installed: " + e.getMessage());
        return;
      }
      watch.placeAll();
    }
    state.agreed(silence.lease());
    if (!everWelcomed) {
      watch.scan();
    }
    everWelcomed = true;
    console.say(
        "attached to "
            + welcome.getController()
            + " as "
            + config.hostId()
            + ", session "
            + welcome.getSession()
            + ", "
            + how());
  }

  /** For a person. */
  private String how() {
    String where = pacing.isInstalled() ? "pacing on " + pacing.deviceNames() : "pacing nothing";
    return where + ", " + pacing.choice().text();
  }

  private void refusal(Refusal refusal) {
    String text = RefusalText.of(refusal);
    switch (refusal.getCode()) {
      case UNKNOWN_HOST, NOT_ADMITTED, INVALID_CONVERSATION ->
          console.say("the controller refused " + refusal.getConversationId() + ", " + text);
      case UNAVAILABLE -> link.giveUp(text);
      case DUPLICATE_HOST -> {
        // After a cut the controller may still hold this agent's former stream for a while.
        if (everWelcomed || pacing.isInstalled()) {
          link.giveUp(text);
        } else {
          refused.complete("The controller refused this agent, " + text);
        }
      }
      default ->
          refused.complete("The controller refused this agent, " + RefusalText.withKnown(refusal));
    }
  }

  // ---- the sockets ----

  private void sighted(Sighting sighting) {
    if (sightings.add(sighting)) {
      loop.execute(() -> guarded(() -> watch.take(sightings.take())));
    }
  }

  private void scanAgain() {
    guarded(watch::scan);
    if (attached && silence.missesHeartbeats()) {
      link.giveUp("silent for three heartbeats");
    }
    guarded(this::relax);
    boolean deaf = !pacing.hearsFirstPackets() && config.scanInterval().compareTo(DEAF_SCAN) > 0;
    Duration next = deaf ? DEAF_SCAN : config.scanInterval();
    loop.schedule(this::scanAgain, next.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Every word of the controller renews every lease. */
  private void relax() throws IOException {
    int step = silence.step();
    if (attached && step > 0) {
      link.giveUp("silent for a lease");
    }
    if (step != pacing.step()) {
      pacing.relax(step, conversations);
      console.say(
          step == 0
              ? "the controller is heard again: rates are as it granted them"
              : step == Lease.OVER
                  ? "no controller for three leases: nothing is paced until it comes back"
                  : "no controller for a lease: rates are relaxed, step " + step);
    }
  }

  @Override
  public void opened(Conversation conversation) {
    if (attached) {
      link.send(Messages.of(Messages.opened(conversation, 0)));
    }
  }

  @Override
  public void closed(Collection<Conversation> over) {
    if (attached) {
      link.send(Messages.closed(over.stream().map(Conversation::id).toList()));
    }
  }

  @Override
  public void unpaced(Flow flow, String reason) {
    console.say(reason + ": " + flow + " goes unpaced");
  }

  private void report() throws IOException {
    Map<Conversation, ClassStatistics> statistics = pacing.read(conversations);
    if (attached && link.isReady()) {
      link.send(Messages.report(statistics, Usage.now(pacing.helpers()), WallClock.unixNanos()));
    }
  }

  /** For a person; asked from another thread. */
  String status() {
    CompletableFuture<String> text = new CompletableFuture<>();
    loop.execute(() -> text.complete(statusNow()));
    return text.orTimeout(5, TimeUnit.SECONDS).join();
  }

  private String statusNow() {
    String controller = config.controllerHost() + ":" + config.controllerPort();
    return StatusText.of(
        List.of(
            "host " + config.hostId() + ", " + how(),
            "controller "
                + controller
                + (attached ? ": attached, plan " + pacing.planVersion() : ": away, trying again"),
            pacing.step() == 0
                ? "rates are as granted"
                : "rates are relaxed, step " + pacing.step() + " of " + Lease.OVER),
        conversations.all(),
        pacing::installedRate);
  }

  /** Takes everything down; what the controller has granted ends with it. */
  @Override
  public void close() throws IOException {
    CompletableFuture<Void> down = new CompletableFuture<>();
    loop.execute(
        () -> {
          link.close();
          try {
            pacing.close();
            down.complete(null);
          } catch (IOException e) {
            down.completeExceptionally(e);
          }
        });
    loop.shutdown();
    try {
      down.get(20, TimeUnit.SECONDS);
    } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
      throw new IOException("the clean-up did not come to its end: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    loop.shutdownNow();
  }
}
