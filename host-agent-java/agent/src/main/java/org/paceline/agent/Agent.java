package org.paceline.agent;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
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
import org.paceline.agent.link.Backoff;
import org.paceline.agent.link.ControllerLink;
import org.paceline.agent.link.Messages;
import org.paceline.agent.link.Reunion;
import org.paceline.agent.pace.ClassStatistics;
import org.paceline.agent.pace.EnforcerChoice;
import org.paceline.agent.pace.Inherited;
import org.paceline.agent.pace.ManagedInterface;
import org.paceline.agent.pace.Pacer;
import org.paceline.agent.pace.StateFile;
import org.paceline.agent.sense.Flow;
import org.paceline.agent.sense.RemoteName;
import org.paceline.agent.sense.Sighting;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.ControllerMessage;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.Hello;
import org.paceline.protocol.Rates;
import org.paceline.protocol.Refusal;
import org.paceline.protocol.Welcome;

/**
 * Tells the controller who talks and paces as it grants. One thread owns all of this; whatever
 * happens elsewhere is handed to it. Nothing on the host is changed before the controller has
 * welcomed the agent, and rates hold while it is away.
 */
final class Agent implements ControllerLink.Listener, Watch.Audience, Closeable {
  // Where first packets cannot be heard, the scan is all there is.
  private static final Duration DEAF_SCAN = Duration.ofMillis(50);

  // A loop that comes so late has stood still; a busy host is not that late.
  private static final Duration STANDS_STILL = Duration.ofSeconds(5);

  private final AgentConfig config;
  private final List<ManagedInterface> interfaces;
  private final int protocolVersion;
  private final Console console;
  private final Conversations conversations;
  private final Loop loop;
  private final ControllerLink link;
  private final Reunion reunion = new Reunion();
  private final StateFile state;
  private final Sensing sensing;
  private final Pacing pacing;
  private final Grants grants;
  private final Claims claims;
  private final SocketNames names;
  private final Hearing hearing;
  private final Watch watch;
  private final Backoff backoff = new Backoff(new java.util.Random());
  private final Sightings sightings = new Sightings();
  private final Silence silence;
  private final TcpHealth tcp;
  private final RateChanges rateChanges = new RateChanges();
  private final CompletableFuture<String> refused = new CompletableFuture<>();
  private boolean attached;
  private boolean everWelcomed;

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
    this.interfaces = interfaces;
    this.protocolVersion = protocolVersion;
    this.console = console;
    this.state = state;
    this.conversations =
        new Conversations(Long.toString(System.currentTimeMillis(), 36), Pacer.MOST_CONVERSATIONS);
    this.silence = new Silence(Silence::sinceBoot, config.scanInterval().plus(STANDS_STILL));
    this.loop = new Loop(console);
    this.tcp = new TcpHealth(console);
    this.link =
        new ControllerLink(
            config.controllerHost(), config.controllerPort(), config.tls(), loop, this);
    this.pacing = new Pacing(config, interfaces, choice, inherited, state, this::sighted);
    this.grants = new Grants(pacing, conversations);
    this.claims = new Claims(sensing::socketsOf);
    this.names = new SocketNames(config.rules(), sensing, claims);
    this.watch = new Watch(config, sensing, conversations, pacing, names, this);
    this.sensing = sensing;
    this.hearing = hearing;
  }

  /** Completes with the reason when a person has to put something right. */
  CompletableFuture<String> refused() {
    return refused;
  }

  void start() {
    loop.soon(this::takeOver);
    loop.soon(watch::scan);
    loop.soon(this::attach);
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

  // ---- the controller ----

  private void attach() {
    Hello.Builder hello =
        Messages.hello(config, interfaces, pacing.choice(), grants.planVersion(), protocolVersion);
    reunion.say(hello, open(false), open(true));
    link.open(AgentMessage.newBuilder().setHello(hello).build());
  }

  private List<ConversationOpened> open(boolean incoming) {
    return conversations.all().stream()
        .filter(c -> c.incoming() == incoming)
        .map(c -> Messages.opened(c, pacing.installedRate(c)))
        .toList();
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
    loop.after(wait, this::attach);
  }

  @Override
  public void received(ControllerMessage message, long arrivedNanos) {
    silence.heard();
    loop.guarded(
        () -> {
          switch (message.getMessageCase()) {
            case WELCOME -> welcome(message.getWelcome());
            case RATES -> rates(message.getRates(), arrivedNanos);
            case REFUSAL -> refusal(message.getRefusal());
            case HEARTBEAT, MESSAGE_NOT_SET -> {}
          }
        });
  }

  private void rates(Rates rates, long arrivedNanos) throws IOException {
    link.send(Messages.of(grants.apply(rates)));
    rateChanges.took(rates.getRatesCount(), System.nanoTime() - arrivedNanos);
  }

  private void welcome(Welcome welcome) throws IOException {
    attached = true;
    reunion.answer(welcome, open(false), open(true)).forEach(link::send);
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
        notInstalled("Pacing could not be installed: " + e.getMessage());
        return;
      }
      watch.placeAll();
    }
    // It counts for the next agent only: this one goes on without.
    loop.guarded(() -> state.agreed(silence.lease()));
    if (!everWelcomed) {
      watch.scan();
    }
    everWelcomed = true;
    backoff.reset();
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

  /** At the start a person has to know; what could be done before may be possible again. */
  private void notInstalled(String why) {
    if (everWelcomed) {
      console.say(why + "; trying again");
      attached = false;
      link.giveUp(why);
    } else {
      refused.complete(why);
    }
  }

  /** For a person. */
  private String how() {
    String where = pacing.isInstalled() ? "pacing on " + pacing.deviceNames() : "pacing nothing";
    return where + ", " + pacing.choice().text();
  }

  private void refusal(Refusal refusal) throws IOException {
    String text = RefusalText.of(refusal);
    switch (refusal.getCode()) {
      case NOT_ADMITTED ->
          console.say("the controller refused " + refusal.getConversationId() + ", " + text);
      case UNKNOWN_HOST, INVALID_CONVERSATION, COUNTED_ALREADY -> {
        console.say("the controller refused " + refusal.getConversationId() + ", " + text);
        Optional<Conversation> refusedOne = conversations.byId(refusal.getConversationId());
        if (refusedOne.filter(Conversation::incoming).isPresent()) {
          pacing.let(refusedOne.get());
        }
      }
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
    if (attached && silence.isDead()) {
      link.giveUp("the controller was not heard in time");
    }
    loop.guarded(this::relax);
    boolean deaf = !pacing.hearsFirstPackets() && config.scanInterval().compareTo(DEAF_SCAN) > 0;
    Duration next = deaf ? DEAF_SCAN : config.scanInterval();
    loop.after(next, this::scanAgain);
  }

  /** Every word of the controller renews every lease. */
  private void relax() throws IOException {
    int step = silence.step();
    if (step != pacing.step()) {
      pacing.relax(step, conversations);
      console.say(Lease.text(step));
    }
  }

  @Override
  public void opened(Conversation conversation) {
    if (attached) {
      link.send(Messages.of(Messages.opened(conversation, 0), conversation.key().direction()));
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
    tcp.read(statistics.keySet());
    if (attached) {
      link.offer(
          Messages.report(
              statistics, names::kpis, Usage.now(pacing.helpers()), WallClock.unixNanos()));
    }
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
                how(),
                config.controllerHost() + ":" + config.controllerPort(),
                attached,
                grants.planVersion(),
                pacing.step(),
                conversations.all().stream().map(this::row).toList(),
                rateChanges.now(),
                loop.failures(),
                hearing.text(),
                Usage.now(pacing.helpers())));
  }

  private View.Row row(Conversation one) {
    Optional<RemoteName> name = one.flows().stream().findFirst().flatMap(sensing::remoteName);
    return View.Row.of(one, pacing.installedRate(one), name.map(RemoteName::text).orElse(""));
  }

  /** What the destinations of sockets are called, as far as it was heard; from another thread. */
  Map<Flow, RemoteName> remoteNames() {
    return loop.ask(sensing::remoteNames);
  }

  /** Takes everything down; what the controller has granted ends with it. */
  @Override
  public void close() throws IOException {
    hearing.close();
    loop.end(
        () -> {
          link.close();
          tcp.close();
          pacing.close();
        });
  }
}
