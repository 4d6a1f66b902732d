package org.paceline.agent;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.paceline.agent.config.AgentConfig;
import org.paceline.agent.conversation.Conversation;
import org.paceline.agent.conversation.ConversationKey;
import org.paceline.agent.conversation.Conversations;
import org.paceline.agent.link.Backoff;
import org.paceline.agent.link.ControllerLink;
import org.paceline.agent.link.Messages;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.pace.ClassKey;
import org.paceline.agent.pace.ClassStatistics;
import org.paceline.agent.pace.HtbPacer;
import org.paceline.agent.pace.ManagedInterface;
import org.paceline.agent.pace.StateFile;
import org.paceline.agent.pace.TcRate;
import org.paceline.agent.sense.Flow;
import org.paceline.agent.sense.ProcessInfo;
import org.paceline.agent.sense.Sighting;
import org.paceline.agent.sense.Transport;
import org.paceline.protocol.ControllerMessage;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.InstalledRate;
import org.paceline.protocol.Rate;
import org.paceline.protocol.Rates;
import org.paceline.protocol.RatesInstalled;
import org.paceline.protocol.Refusal;
import org.paceline.protocol.Welcome;

/**
 * Tells the controller who talks and paces as it grants. One thread owns all of this; whatever
 * happens elsewhere is handed to it. Nothing on the host is changed before the controller has
 * welcomed the agent, and rates hold while it is away.
 */
final class Agent implements ControllerLink.Listener, AutoCloseable {
  // An unconnected UDP socket does not show its peers: silence of this length is the end.
  private static final Duration UNCONNECTED_SILENCE = Duration.ofSeconds(10);
  // Where first packets cannot be heard, the scan is all there is.
  private static final Duration DEAF_SCAN = Duration.ofMillis(50);

  private final AgentConfig config;
  private final List<ManagedInterface> interfaces;
  private final StateFile state;
  private final int protocolVersion;
  private final Console console;
  private final Sensing sensing;
  private final Conversations conversations;
  private final ScheduledExecutorService loop;
  private final ControllerLink link;
  private final Backoff backoff = new Backoff(new java.util.Random());
  private final Queue<Sighting> sightings = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean sightingsAwaited = new AtomicBoolean();
  private final CompletableFuture<String> refused = new CompletableFuture<>();
  private final Set<Conversation> opened = new LinkedHashSet<>();
  private final Map<ClassKey, Integer> newKeys = new LinkedHashMap<>();
  private Optional<HtbPacer> pacer = Optional.empty();
  private boolean attached;
  private boolean everWelcomed;
  private long planVersion;
  private long defaultRate;
  private long heartbeatNanos;
  private long lastHeard;

  Agent(
      AgentConfig config,
      List<ManagedInterface> interfaces,
      Sensing sensing,
      StateFile state,
      int protocolVersion,
      Console console) {
    this.config = config;
    this.interfaces = interfaces;
    this.sensing = sensing;
    this.state = state;
    this.protocolVersion = protocolVersion;
    this.console = console;
    this.defaultRate = config.defaultRate().bitsPerSecond();
    this.conversations =
        new Conversations(
            Long.toString(System.currentTimeMillis(), 36), HtbPacer.MOST_CONVERSATIONS);
    this.loop = Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "agent"));
    this.link = new ControllerLink(config.controllerHost(), config.controllerPort(), loop, this);
  }

  /** Completes with the reason when a person has to put something right. */
  CompletableFuture<String> refused() {
    return refused;
  }

  void start() {
    loop.execute(() -> guarded(this::scan));
    loop.execute(this::attach);
    loop.schedule(this::scanAgain, config.scanInterval().toNanos(), TimeUnit.NANOSECONDS);
    long report = config.reportInterval().toNanos();
    loop.scheduleWithFixedDelay(() -> guarded(this::report), report, report, TimeUnit.NANOSECONDS);
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
        conversations.all().stream().map(c -> Messages.opened(c, installedRate(c))).toList();
    link.open(Messages.hello(config, interfaces, open, planVersion, protocolVersion));
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
              + (everWelcomed ? "rates hold" : "nothing is paced yet")
              + ", trying again");
    }
    attached = false;
    loop.schedule(this::attach, wait.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void received(ControllerMessage message) {
    lastHeard = System.nanoTime();
    guarded(
        () -> {
          switch (message.getMessageCase()) {
            case WELCOME -> welcome(message.getWelcome());
            case RATES -> apply(message.getRates());
            case REFUSAL -> refusal(message.getRefusal());
            case HEARTBEAT, MESSAGE_NOT_SET -> {}
          }
        });
  }

  private void welcome(Welcome welcome) throws IOException {
    attached = true;
    backoff.reset();
    if (welcome.getDefaultRateBitsPerSecond() > 0) {
      defaultRate = welcome.getDefaultRateBitsPerSecond();
    }
    heartbeatNanos = TimeUnit.SECONDS.toNanos(welcome.getHeartbeatSeconds());
    if (pacer.isEmpty()) {
      try {
        pacer =
            Optional.of(
                HtbPacer.install(
                    interfaces,
                    config.rules(),
                    config.newcomersRate().bitsPerSecond(),
                    state,
                    this::sighted));
      } catch (IOException e) {
        refused.complete("Pacing could not be installed: " + e.getMessage());
        return;
      }
      conversations.all().forEach(this::prepare);
      commit();
    }
    if (!everWelcomed) {
      scan();
    }
    everWelcomed = true;
    console.say(
        "attached to "
            + welcome.getController()
            + " as "
            + config.hostId()
            + ", session "
            + welcome.getSession()
            + ", pacing on "
            + interfaces.stream().map(ManagedInterface::name).toList());
  }

  private void refusal(Refusal refusal) {
    String text = refusal.getCode() + ": " + refusal.getMessage();
    switch (refusal.getCode()) {
      case UNKNOWN_HOST, NOT_ADMITTED, INVALID_CONVERSATION ->
          console.say("the controller refused " + refusal.getConversationId() + ", " + text);
      case UNAVAILABLE -> link.giveUp(text);
      case DUPLICATE_HOST -> {
        // After a cut the controller may still hold this agent's former stream for a while.
        if (everWelcomed) {
          link.giveUp(text);
        } else {
          refused.complete("The controller refused this agent, " + text);
        }
      }
      default -> refused.complete("The controller refused this agent, " + text + known(refusal));
    }
  }

  private static String known(Refusal refusal) {
    String unknown =
        refusal.getUnknownIntentsList().stream()
            .filter(intent -> !refusal.getMessage().contains(intent))
            .reduce("", (a, b) -> a + " (" + b + ")");
    return (unknown.isEmpty() ? "" : " Unknown:" + unknown + ".")
        + (refusal.getKnownIntentsCount() == 0
            ? ""
            : " Maybe you meant one of " + String.join(", ", refusal.getKnownIntentsList()) + ".");
  }

  private void apply(Rates rates) throws IOException {
    Optional<HtbPacer> active = pacer;
    if (active.isEmpty()) {
      return;
    }
    Set<String> devices = new LinkedHashSet<>();
    for (Rate rate : rates.getRatesList()) {
      conversations
          .byId(rate.getConversationId())
          .ifPresent(
              conversation -> {
                conversation.grant(rate.getRateBitsPerSecond());
                prepare(conversation);
                devices.add(conversation.device());
              });
    }
    List<String> complaints = new ArrayList<>();
    for (String device : devices) {
      complaints.addAll(active.get().reconcile(device));
    }
    planVersion = Math.max(planVersion, rates.getPlanVersion());
    link.send(Messages.of(acknowledgement(rates, complaints)));
  }

  private RatesInstalled acknowledgement(Rates rates, List<String> complaints) {
    RatesInstalled.Builder installed =
        RatesInstalled.newBuilder().setPlanVersion(rates.getPlanVersion());
    for (Rate rate : rates.getRatesList()) {
      InstalledRate.Builder one =
          InstalledRate.newBuilder().setConversationId(rate.getConversationId());
      Optional<Conversation> conversation = conversations.byId(rate.getConversationId());
      if (conversation.isEmpty()) {
        one.setError("There is no such conversation. Maybe it closed meanwhile.");
      } else {
        long now = installedRate(conversation.get());
        one.setRateBitsPerSecond(now);
        if (now != TcRate.atMost(rateFor(conversation.get()))) {
          one.setError("The kernel holds another rate. " + String.join("; ", complaints));
        }
      }
      installed.addRates(one);
    }
    return installed.build();
  }

  private long rateFor(Conversation conversation) {
    return conversation.grantedBitsPerSecond() > 0
        ? conversation.grantedBitsPerSecond()
        : defaultRate;
  }

  private long installedRate(Conversation conversation) {
    return pacer
        .flatMap(
            p -> Optional.ofNullable(p.installed(conversation.device()).get(conversation.minor())))
        .map(ClassStatistics::rateBitsPerSecond)
        .orElse(0L);
  }

  // ---- the sockets ----

  private void sighted(Sighting sighting) {
    sightings.add(sighting);
    // Those that come while the loop is busy are taken together.
    if (sightingsAwaited.compareAndSet(false, true)) {
      loop.execute(() -> guarded(this::takeSightings));
    }
  }

  private void takeSightings() throws IOException {
    sightingsAwaited.set(false);
    boolean fresh = false;
    for (Optional<Sighting> next = Optional.ofNullable(sightings.poll());
        next.isPresent();
        next = Optional.ofNullable(sightings.poll())) {
      Flow flow = next.get().flow();
      if (!fresh && !sensing.hasSocket(flow)) {
        sensing.read();
        fresh = true;
      }
      // A refusal to connect is a packet without a socket.
      if (sensing.manages(next.get().outInterface()) && sensing.hasSocket(flow)) {
        notice(flow, next.get().outInterface());
      }
    }
    commit();
  }

  private void scanAgain() {
    guarded(this::scan);
    boolean hears = everWelcomed;
    try {
      hears = pacer.isEmpty() || pacer.get().hearsFirstPackets();
    } catch (IOException e) {
      hears = false;
    }
    Duration next = config.scanInterval();
    if (!hears && next.compareTo(DEAF_SCAN) > 0) {
      next = DEAF_SCAN;
    }
    loop.schedule(this::scanAgain, next.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void scan() throws IOException {
    sensing.read();
    Map<Flow, String> sending = sensing.sendingByInterface();
    sending.forEach(this::notice);
    commit();
    closeSilent();
    sensing.learnListeners();
    if (attached && heartbeatNanos > 0 && System.nanoTime() - lastHeard > 3 * heartbeatNanos) {
      link.giveUp("silent for three heartbeats");
    }
  }

  private void notice(Flow flow, String device) {
    if (conversations.knows(flow)) {
      return;
    }
    ProcessInfo owner = sensing.owner(flow);
    Optional<RuleSet.Name> name = config.rules().name(flow, owner);
    if (name.isEmpty()) {
      return;
    }
    ConversationKey key = ConversationKey.of(name.get().intent(), name.get().grouping(), flow);
    ClassKey classKey = ClassKey.of(flow, name.get().coverage());
    Optional<Conversation> known = conversations.byKey(key);
    Optional<Conversation> conversation =
        known.isPresent()
            ? known
            : conversations.open(key, device, classKey, owner, unixNanos(), System.nanoTime());
    if (conversation.isEmpty()) {
      console.say("too many conversations: " + flow + " goes unpaced");
      return;
    }
    if (known.isEmpty()) {
      opened.add(conversation.get());
      prepare(conversation.get());
    }
    conversations.join(conversation.get(), flow);
    if (conversation.get().classKeys().add(classKey)) {
      newKeys.put(classKey, conversation.get().minor());
    }
  }

  private static long unixNanos() {
    java.time.Instant now = java.time.Instant.now();
    return Math.addExact(Math.multiplyExact(now.getEpochSecond(), 1_000_000_000L), now.getNano());
  }

  private void prepare(Conversation conversation) {
    pacer.ifPresent(
        p -> p.want(conversation.device(), conversation.minor(), rateFor(conversation)));
  }

  /** Tells and installs what was noticed: the controller first, for it to plan meanwhile. */
  private void commit() throws IOException {
    if (attached) {
      opened.forEach(c -> link.send(Messages.of(Messages.opened(c, 0))));
    }
    if (pacer.isPresent()) {
      Set<String> devices = new LinkedHashSet<>();
      opened.forEach(c -> devices.add(c.device()));
      for (String device : devices) {
        pacer.get().reconcile(device);
      }
      // Those that could not be put are put with the next ones.
      pacer.get().classify(newKeys, List.of(), List.of());
      newKeys.clear();
    }
    opened.clear();
  }

  private void closeSilent() throws IOException {
    long now = System.nanoTime();
    List<Conversation> over = new ArrayList<>();
    List<Flow> forgotten = new ArrayList<>();
    List<ClassKey> keys = new ArrayList<>();
    for (Conversation conversation : conversations.all()) {
      for (Flow flow : List.copyOf(conversation.flows())) {
        if (!isAlive(conversation, flow, now)) {
          conversations.leave(conversation, flow);
          ClassKey own = ClassKey.of(flow, RuleSet.Coverage.SOCKET);
          if (conversation.classKeys().remove(own)) {
            keys.add(own);
            forgotten.add(flow);
          } else {
            conversation.departed(flow);
          }
        }
      }
      if (!conversation.flows().isEmpty()) {
        conversation.aliveAt(now);
      } else if (now - conversation.lastAliveNanos() >= config.linger().toNanos()) {
        over.add(conversation);
      }
    }
    for (Conversation conversation : over) {
      conversations.close(conversation);
      keys.addAll(conversation.classKeys());
      forgotten.addAll(conversation.departed());
      pacer.ifPresent(p -> p.unwant(conversation.device(), conversation.minor()));
    }
    if (attached && !over.isEmpty()) {
      link.send(Messages.closed(over.stream().map(Conversation::id).toList()));
    }
    if (pacer.isPresent()) {
      pacer.get().classify(Map.of(), keys, forgotten);
      for (String device : over.isEmpty() ? List.<String>of() : pacer.get().devices()) {
        pacer.get().reconcile(device);
      }
    }
  }

  private boolean isAlive(Conversation conversation, Flow flow, long now) {
    if (flow.transport() == Transport.UDP && !sensing.isConnected(flow)) {
      boolean talks = now - conversation.lastSentNanos() < UNCONNECTED_SILENCE.toNanos();
      return talks && sensing.hasSocket(flow);
    }
    return sensing.isConnected(flow);
  }

  private void report() throws IOException {
    Optional<HtbPacer> active = pacer;
    if (active.isEmpty()) {
      return;
    }
    for (String device : active.get().devices()) {
      active.get().reconcile(device);
    }
    Map<Conversation, ClassStatistics> statistics = new HashMap<>();
    long now = System.nanoTime();
    for (Conversation conversation : conversations.all()) {
      Optional.ofNullable(active.get().installed(conversation.device()).get(conversation.minor()))
          .ifPresent(
              s -> {
                conversation.sent(s.sentBytes(), now);
                statistics.put(conversation, s);
              });
    }
    if (attached && link.isReady()) {
      link.send(Messages.report(statistics, Usage.now(active.get().helpers()), unixNanos()));
    }
  }

  /** Takes everything down; what the controller has granted ends with it. */
  @Override
  public void close() throws IOException {
    CompletableFuture<Void> down = new CompletableFuture<>();
    loop.execute(
        () -> {
          link.close();
          try {
            if (pacer.isPresent()) {
              pacer.get().close();
            }
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
