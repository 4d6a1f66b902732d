package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.auto.AutoAllocator;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.control.ManualWorker;
import org.paceline.control.NoCeilings;
import org.paceline.control.RememberedRecords;
import org.paceline.control.SolverBug;
import org.paceline.control.directive.Capabilities;
import org.paceline.control.directive.Meter;
import org.paceline.control.directive.MeterGroup;
import org.paceline.control.directive.Pace;
import org.paceline.control.directive.QueueRefusal;
import org.paceline.control.directive.QueueShares;
import org.paceline.control.directive.QueueTraffic;
import org.paceline.control.directive.RateDirective;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Counters;
import org.paceline.control.model.Enforcement;
import org.paceline.control.model.InstalledRate;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.PoolId;
import org.paceline.control.model.Proof;
import org.paceline.control.model.Unserved;
import org.paceline.control.policy.Ceilings;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.port.Journal;
import org.paceline.control.port.KnownHosts;
import org.paceline.control.port.LinkRates;
import org.paceline.control.port.PathInstaller;
import org.paceline.control.port.PlannerPorts;
import org.paceline.control.port.PortQueues;
import org.paceline.control.port.RateSender;
import org.paceline.control.reservations.Admission;
import org.paceline.control.reservations.ReservationStore;
import org.paceline.control.reservations.Reservations;
import org.paceline.control.reservations.Terms;
import org.paceline.control.scheme.ReservableNetwork;
import org.paceline.control.settings.AdaptiveSettings;
import org.paceline.control.settings.ClassSettings;
import org.paceline.control.settings.ElephantSettings;
import org.paceline.control.settings.PlanMode;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.control.settings.SchemePlace;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * A small office: servers h1 to h3 behind s1, clients c1 to c3 behind s2, 10 Mbit/s between, and
 * agents that do what they are told as late as the test wants.
 */
final class Office {
  static final DataRate DEFAULT = DataRate.ofKilobitsPerSecond(10);

  final ManualWorker worker = new ManualWorker();
  final ProofBook proofs = new ProofBook();
  final Ceilings ceilings = NoCeilings.all();
  final Set<String> hosts = new TreeSet<>();
  final List<String> warnings = new ArrayList<>();
  final List<String> methods = new ArrayList<>();
  final List<Conversation> refused = new ArrayList<>();
  final Map<ConversationId, Long> enforced = new HashMap<>();

  /** Up to what each may borrow; who may not is not named. */
  final Map<ConversationId, Long> borrowing = new HashMap<>();

  /** Who shares a meter with which others, as each was last told. */
  final Map<ConversationId, MeterGroup> meterGroups = new HashMap<>();

  /** Who borrows first, as each was last told. */
  final Map<ConversationId, Integer> ranks = new HashMap<>();

  final Map<PoolId, Long> pools = new HashMap<>();
  final Map<ConversationId, Long> sent = new HashMap<>();
  final Deque<Batch> onTheirWay = new ArrayDeque<>();
  final IntentPolicies policies =
      new IntentPolicies(
          IntentTree.withDefault(steps("web", 100, 20))
              .with(
                  IntentPath.parse("files/copy"),
                  Policy.builder().utilityFunction(steps("copy", 200, 25)).build()));
  final Map<String, Capabilities> capabilities = new HashMap<>();
  final Planner planner;
  final Reservations reservations;
  NetworkState state = OfficeNetwork.oneWay(10_000);

  /** How often meters were asked what they have counted. */
  int metersAsked;

  int batches;

  /** Who is led by rules, and whose meters were taken. */
  final Set<ConversationId> led = new TreeSet<>();

  /** Where rules lead whom; all others go the direct way. */
  final Map<ConversationId, Path> ways = new HashMap<>();

  private boolean keepsApart(LinkId link) {
    return !capabilities.containsKey(link.from()) || divides.test(link);
  }

  /** Which ports somebody divides. */
  Predicate<LinkId> divides = link -> false;

  /** How they are divided. */
  final Map<LinkId, QueueShares> divided = new HashMap<>();

  /** Whether whoever divides them answers at once. */
  boolean answersQueues = true;

  private final List<Runnable> queueAnswers = new ArrayList<>();

  /** What links carry, as their switches count it. */
  final Map<LinkId, LinkRates.Reading> carried = new HashMap<>();

  /** How many packets each dropped. */
  final Map<LinkId, Long> dropped = new HashMap<>();

  private final class Readings implements LinkRates {
    @Override
    public Map<LinkId, Reading> rates() {
      return Map.copyOf(carried);
    }

    @Override
    public Map<LinkId, Long> dropped() {
      return Map.copyOf(dropped);
    }
  }

  /** What fails, and how, whenever it is asked or told something. */
  final Map<Part, SolverBug> broken = new EnumMap<>(Part.class);

  /** What came to the queues of ports that are divided. */
  final Map<LinkId, QueueTraffic> queued = new HashMap<>();

  /** Whose packets are kept apart, and where. */
  final Map<ConversationId, Path> apart = new HashMap<>();

  final List<Conversation> rematched = new ArrayList<>();

  final Set<ConversationId> released = new TreeSet<>();

  /** Whose agents are to say all once more, each time. */
  final List<String> askedAgain = new ArrayList<>();

  /** Whose meters of a quarantine were taken away. */
  final Set<ConversationId> unmetered = new TreeSet<>();

  /** A plan must not depend on how busy the machine is that tests it. */
  static final Duration NO_HURRY = Duration.ofSeconds(30);

  private PlannerSettings settings;

  /** What the planner asks, or tells. */
  enum Part {
    NETWORK,
    CAPABILITIES,
    SOLVER,
    SENDING,
    LEADING,
    RELEASING,
    MATCHING,
    REMEMBERING
  }

  private void mayFail(Part part) {
    Optional.ofNullable(broken.get(part)).ifPresent(SolverBug::thrown);
  }

  private NetworkState seen() {
    mayFail(Part.NETWORK);
    return state;
  }

  private Optional<Capabilities> can(String node) {
    mayFail(Part.CAPABILITIES);
    return Optional.ofNullable(capabilities.get(node));
  }

  /** Rates on their way to a host. */
  static final class Batch {
    final String host;
    final long version;
    final Map<Conversation, DataRate> rates;
    final Map<ConversationId, Long> borrowing;
    final Map<PoolId, DataRate> pools;

    Batch(
        String host,
        long version,
        Map<Conversation, DataRate> rates,
        Map<ConversationId, Long> borrowing,
        Map<PoolId, DataRate> pools) {
      this.host = host;
      this.version = version;
      this.rates = rates;
      this.borrowing = borrowing;
      this.pools = pools;
    }
  }

  Office() {
    this(PlannerSettings.DEFAULT);
  }

  Office(PlannerSettings settings) {
    this(settings, Set.of());
  }

  /** A controller that was restarted, and remembers that these hosts had agents. */
  Office(PlannerSettings settings, Set<String> remembered) {
    this(settings, remembered, new NetworkAllocator(Optional.empty()));
  }

  Office(PlannerSettings settings, Set<String> remembered, Allocator network) {
    this.settings = settings.toBuilder().solveLimit(NO_HURRY).build();
    hosts.addAll(remembered);
    reservations =
        new Reservations(
            new ReservationStore(new RememberedRecords<>(), new RememberedRecords<>()),
            new Terms(
                new Admission(new AutoAllocator(new NetworkAllocator(Optional.empty())), NO_HURRY),
                () -> state,
                new ReservableNetwork(() -> this.settings, this::keepsApart),
                policies,
                proofs,
                ceilings),
            worker,
            worker,
            this::reservedChanged);
    planner =
        new Planner(
            PlannerPorts.builder()
                .network(this::seen)
                .rates(new Wire())
                .paths(new Rules())
                .worker(worker)
                .solving(Runnable::run)
                .improving(Runnable::run)
                .hosts(new Memory())
                .reserved(reservations)
                .capabilities(this::can)
                .queues(new Ports())
                .links(new Readings())
                .clock(worker)
                .journal(new Notes())
                .build(),
            this.settings,
            policies,
            proofs,
            (problem, options) -> {
              mayFail(Part.SOLVER);
              return network.solve(problem, options);
            });
  }

  /** An operator sets it. */
  void mode(PlanMode mode) {
    settings = settings.toBuilder().mode(mode).build();
    planner.configure(settings);
  }

  /** An operator sets one node of the intent tree. */
  void setPolicy(IntentPath intent, Policy policy) {
    policies.replace(policies.tree().with(intent, policy));
  }

  /** An operator sets what fixed rates may take of each link. */
  void share(int thousandths) {
    settings = settings.toBuilder().fixedRateThousandths(thousandths).build();
    planner.configure(settings);
  }

  /** An operator sets how far below their best the worst-off may stay. */
  void epsilon(long billionths) {
    settings = settings.toBuilder().epsilonBillionths(billionths).build();
    planner.configure(settings);
  }

  /** An operator sets how adaptive reservations divide. */
  void adaptive(AdaptiveSettings adaptive) {
    settings = settings.toBuilder().adaptive(adaptive).build();
    planner.configure(settings);
  }

  /** An operator sets who becomes an elephant. */
  void elephants(ElephantSettings elephants) {
    settings = settings.toBuilder().elephants(elephants).build();
    planner.configure(settings);
  }

  /** An operator chooses schemes for places. */
  void places(String written) {
    settings = settings.toBuilder().places(SchemePlace.parse(written)).build();
    planner.configure(settings);
  }

  /** Ports have the queues that they were told. */
  void answerQueues() {
    List.copyOf(queueAnswers).forEach(Runnable::run);
    queueAnswers.clear();
  }

  /** An operator sets how service classes divide. */
  void classes(ClassSettings classes) {
    settings = settings.toBuilder().classes(classes).build();
    planner.configure(settings);
  }

  private void reservedChanged() {
    planner.networkChanged();
  }

  private static UtilityFunction steps(String name, long kbps, int bins) {
    List<DataRate> rates = new ArrayList<>();
    List<List<Utility>> utilities = new ArrayList<>();
    for (int t = 0; t < bins; t++) {
      rates.add(DataRate.ofKilobitsPerSecond(kbps * (t + 1)));
      utilities.add(List.of(Utility.of(1 + 4.0 * t / (bins - 1))));
    }
    return UtilityFunction.of(name, rates, List.of(Latency.ofMillis(100)), utilities);
  }

  static Conversation conversation(int host, String id, String intent) {
    return conversation(host, id, intent, DEFAULT);
  }

  static Conversation conversation(int host, String id, String intent, DataRate inForce) {
    return named(host, id, intent).rateInForce(inForce).build();
  }

  /** Of a host whose agent lets conversations borrow from each other. */
  static Conversation pooled(int host, String id, String intent) {
    return named(host, id, intent)
        .rateInForce(DEFAULT)
        .pool(Optional.of(PoolId.of("h" + host, "eth0")))
        .build();
  }

  /** Of a host without an agent. */
  static Conversation metered(int host, String id, String intent) {
    return named(host, id, intent).enforcement(Enforcement.FIRST_HOP).build();
  }

  private static Conversation.Builder named(int host, String id, String intent) {
    return Conversation.builder()
        .id(ConversationId.of("h" + host, id))
        .intent(intent)
        .localAddress("10.0.1." + host)
        .remoteAddress("10.0.2." + host)
        .firstSeen(Instant.EPOCH);
  }

  void attach(int host) {
    planner.attached(
        AgentInfo.of("h" + host, List.of(), "htb", "test", "test", Instant.EPOCH), List.of(), 0);
  }

  void open(Conversation conversation) {
    enforced.put(conversation.id(), conversation.rateInForce().millibitsPerSecond());
    planner.opened(conversation);
  }

  void close(ConversationId id) {
    enforced.remove(id);
    borrowing.remove(id);
    planner.closed(List.of(id));
  }

  /** The oldest batch arrives: it is enforced, and acknowledged. */
  void deliver() {
    deliver(onTheirWay.element());
  }

  /** So does this one, which is the oldest of its host. */
  void deliver(Batch batch) {
    onTheirWay.remove(batch);
    List<InstalledRate> installed = new ArrayList<>();
    List<InstalledRate> metered = new ArrayList<>();
    batch.rates.forEach(
        (conversation, rate) -> {
          if (enforced.containsKey(conversation.id())) {
            enforced.put(conversation.id(), rate.millibitsPerSecond());
            borrowing.remove(conversation.id());
            (conversation.isMetered() ? metered : installed)
                .add(InstalledRate.of(conversation.id(), rate, ""));
          }
        });
    batch.borrowing.forEach(
        (id, upTo) -> {
          if (enforced.containsKey(id)) {
            borrowing.put(id, upTo);
          }
        });
    batch.pools.forEach((pool, rate) -> pools.put(pool, rate.millibitsPerSecond()));
    if (!metered.isEmpty()) {
      planner.metered(batch.host, batch.version, metered);
    }
    planner.installed(batch.host, batch.version, installed, batch.pools);
  }

  /** A second passes, and every host reports that each conversation sent this part of its rate. */
  void report(ToDoubleFunction<ConversationId> part) {
    worker.pass(Duration.ofSeconds(1));
    planner.reported(worker.instant(), counters(host -> true, part));
    // Settling takes time, which would blur the next interval; so what is on its way comes at once.
    worker.pass(Duration.ZERO);
    while (!onTheirWay.isEmpty()) {
      deliver();
      worker.pass(Duration.ZERO);
    }
  }

  /** One host reports, a second after it did last. */
  void report(String host, ToDoubleFunction<ConversationId> part) {
    planner.reported(worker.instant(), counters(host::equals, part));
  }

  private List<Counters> counters(Predicate<String> hosts, ToDoubleFunction<ConversationId> part) {
    List<Counters> counters = new ArrayList<>();
    enforced.forEach(
        (id, rate) -> {
          if (!hosts.test(id.host())) {
            return;
          }
          long bytes = Math.round(rate * part.applyAsDouble(id) / 8_000);
          counters.add(
              Counters.of(
                  id,
                  sent.merge(id, bytes, Long::sum),
                  0,
                  1,
                  DataRate.ofMillibitsPerSecond(rate),
                  Map.of(),
                  Optional.empty()));
        });
    return counters;
  }

  /** Time passes until nothing is on its way any more. */
  void settle() {
    worker.pass(Duration.ofMillis(20));
    while (!onTheirWay.isEmpty()) {
      deliver();
      worker.pass(Duration.ofMillis(20));
    }
  }

  Proof proof(String host, String local) {
    return proofs.find(ConversationId.of(host, local)).orElseThrow();
  }

  /** In millibits per second. */
  long grant(String host, String local) {
    return proof(host, local).computed().orElseThrow().rate().millibitsPerSecond();
  }

  long enforcedSum() {
    return enforced.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * The most that can be on the link between the switches, without those who still send at their
   * agent's default: nobody could have made room before.
   */
  long mostSent() {
    return mostSent(id -> true);
  }

  /** The same of any link between the switches. */
  long mostSent(LinkId link) {
    return mostSent(
        id ->
            Optional.ofNullable(ways.get(id))
                .map(way -> way.hops().contains(link))
                .orElse(link.equals(LinkId.of("s1", "s2"))));
  }

  private long mostSent(Predicate<ConversationId> crosses) {
    Map<String, Long> rates = new HashMap<>();
    enforced.forEach(
        (id, rate) -> {
          if (rate != DEFAULT.millibitsPerSecond() && crosses.test(id)) {
            rates.merge(id.host(), rate, Long::sum);
          }
        });
    // While anybody of a pool borrows, all of it together send no more than the pool.
    pools.forEach(
        (pool, rate) -> {
          if (borrowing.keySet().stream()
              .anyMatch(id -> id.host().equals(pool.host()) && crosses.test(id))) {
            rates.merge(pool.host(), rate, Math::max);
          }
        });
    return rates.values().stream().mapToLong(Long::longValue).sum();
  }

  /** What pools may send, and of those who have none as much of their rate as they do send. */
  long sentBesidePools(ToDoubleFunction<ConversationId> part) {
    Map<String, Long> rates = new HashMap<>();
    pools.forEach((pool, rate) -> rates.merge(pool.host(), rate, Math::max));
    Set<String> pooled = Set.copyOf(rates.keySet());
    enforced.forEach(
        (id, rate) -> {
          if (!pooled.contains(id.host())) {
            rates.merge(id.host(), Math.round(rate * part.applyAsDouble(id)), Long::sum);
          }
        });
    return rates.values().stream().mapToLong(Long::longValue).sum();
  }

  private final class Wire implements RateSender {
    @Override
    public void send(
        String host,
        long version,
        Map<Conversation, RateDirective> directives,
        Map<PoolId, DataRate> sized) {
      mayFail(Part.SENDING);
      batches++;
      Map<Conversation, DataRate> rates = new HashMap<>();
      Map<ConversationId, Long> borrowing = new HashMap<>();
      directives.forEach(
          (conversation, directive) -> {
            assertThat(directive instanceof Meter)
                .as("a meter where no agent paces: %s", directive.id())
                .isEqualTo(conversation.isMetered());
            rates.put(conversation, directive.rate());
            meterGroups.remove(conversation.id());
            if (directive instanceof Meter) {
              ((Meter) directive)
                  .group()
                  .ifPresent(group -> meterGroups.put(conversation.id(), group));
            }
            if (directive instanceof Pace && ((Pace) directive).borrowsUpTo().bitsPerSecond() > 0) {
              borrowing.put(
                  conversation.id(), ((Pace) directive).borrowsUpTo().millibitsPerSecond());
              ranks.put(conversation.id(), ((Pace) directive).borrowRank());
            }
          });
      onTheirWay.add(new Batch(host, version, rates, borrowing, sized));
    }

    @Override
    public void takeBack(String host, long version, Collection<Conversation> conversations) {
      Map<Conversation, DataRate> withoutGrant = new HashMap<>();
      conversations.forEach(c -> withoutGrant.put(c, settings.rateWithoutGrant()));
      onTheirWay.add(new Batch(host, version, withoutGrant, Map.of(), Map.of()));
    }

    @Override
    public CompletableFuture<Void> count() {
      metersAsked++;
      return CompletableFuture.allOf();
    }

    @Override
    public void endQuarantine(Conversation conversation) {
      unmetered.add(conversation.id());
    }

    @Override
    public void release(Conversation conversation) {
      mayFail(Part.RELEASING);
      released.add(conversation.id());
    }

    @Override
    public void askAgain(String host) {
      askedAgain.add(host);
    }

    @Override
    public void refuse(Conversation conversation, Unserved why) {
      refused.add(conversation);
    }
  }

  private final class Ports implements PortQueues {
    @Override
    public boolean divides(LinkId link) {
      return divides.test(link);
    }

    @Override
    public CompletableFuture<Optional<QueueRefusal>> set(LinkId link, QueueShares shares) {
      CompletableFuture<Optional<QueueRefusal>> answer = new CompletableFuture<>();
      queueAnswers.add(
          () -> {
            divided.put(link, shares);
            answer.complete(Optional.empty());
          });
      if (answersQueues) {
        answerQueues();
      }
      return answer;
    }

    @Override
    public void clear(LinkId link) {
      divided.remove(link);
    }

    @Override
    public Map<LinkId, QueueShares> inForce() {
      return Map.copyOf(divided);
    }

    @Override
    public Map<LinkId, QueueTraffic> traffic() {
      return Map.copyOf(queued);
    }
  }

  private final class Rules implements PathInstaller {
    private boolean choice;

    @Override
    public CompletableFuture<Void> install(Conversation conversation, Path path) {
      mayFail(Part.LEADING);
      choice |= state.network().link(LinkId.of("s1", "s3")).isPresent();
      assertThat(choice || conversation.isMetered()).as("there was ever a choice of ways").isTrue();
      led.add(conversation.id());
      ways.put(conversation.id(), path);
      apart.remove(conversation.id());
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> installApart(Conversation conversation, Path path) {
      led.add(conversation.id());
      apart.put(conversation.id(), path);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void remove(Conversation conversation) {
      led.remove(conversation.id());
      ways.remove(conversation.id());
      apart.remove(conversation.id());
    }

    @Override
    public void matchedOtherwise(Conversation conversation) {
      mayFail(Part.MATCHING);
      rematched.add(conversation);
    }
  }

  private final class Notes implements Journal {
    @Override
    public void fault(String sentence, Throwable bug) {
      if (broken.isEmpty()) {
        throw new AssertionError(sentence, bug);
      }
      warnings.add(sentence + bug);
    }

    @Override
    public void note(String sentence) {}

    @Override
    public void warn(String sentence) {
      warnings.add(sentence);
    }

    @Override
    public void planned(long version, String summary, String difference) {
      methods.add(planner.plan().summary().method());
    }
  }

  private final class Memory implements KnownHosts {
    @Override
    public Set<String> all() {
      return Set.copyOf(hosts);
    }

    @Override
    public void add(String host) {
      mayFail(Part.REMEMBERING);
      hosts.add(host);
    }

    @Override
    public void remove(String host) {
      hosts.remove(host);
    }
  }
}
