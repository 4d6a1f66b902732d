package org.paceline.control.rollout;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.paceline.allocator.Allocator;
import org.paceline.control.borrowing.Lender;
import org.paceline.control.borrowing.Loans;
import org.paceline.control.borrowing.Pools;
import org.paceline.control.inventory.AgentLifecycle;
import org.paceline.control.inventory.AgentQuarantine;
import org.paceline.control.inventory.BoundedJournal;
import org.paceline.control.inventory.DuplicateConversations;
import org.paceline.control.inventory.ElephantWatch;
import org.paceline.control.inventory.EnforcerReports;
import org.paceline.control.inventory.LedgerEntry;
import org.paceline.control.inventory.PlacedSchemes;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.inventory.Quarantine;
import org.paceline.control.inventory.ReservationLedger;
import org.paceline.control.inventory.Roster;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.Counters;
import org.paceline.control.model.InstalledRate;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.NodeNames;
import org.paceline.control.model.PoolId;
import org.paceline.control.model.Proof;
import org.paceline.control.model.Unserved;
import org.paceline.control.planning.Plan;
import org.paceline.control.planning.PlanDifference;
import org.paceline.control.planning.PlanRecorder;
import org.paceline.control.planning.PlanningCycle;
import org.paceline.control.planning.PlanningResult;
import org.paceline.control.planning.WhatIfResult;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.port.PlannerPorts;
import org.paceline.control.scheme.Arbiter;
import org.paceline.control.scheme.Demand;
import org.paceline.control.scheme.LinkSplit;
import org.paceline.control.scheme.Share;
import org.paceline.control.scheme.classes.ServiceClassScheme;
import org.paceline.control.scheme.elephant.ElephantIsolationScheme;
import org.paceline.control.scheme.fixed.FixedRateScheme;
import org.paceline.control.scheme.reservation.AdaptiveReservationScheme;
import org.paceline.control.scheme.utility.UtilityScheme;
import org.paceline.control.settings.PlanMode;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.control.telemetry.SentTotals;
import org.paceline.control.traffic.Headrooms;
import org.paceline.control.work.Each;
import org.paceline.control.work.GrowingPause;
import org.paceline.control.work.Retries;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/**
 * Keeps the plan true to who talks, what is wanted and what the network can carry. Events only
 * enqueue work; one worker owns all state: who is here ({@link Roster}, {@link AgentLifecycle}),
 * the way from events to plans ({@link PlanningCycle}), and from plans to what holds ({@link
 * Execution}).
 */
public final class Planner {
  /** Whatever keeps a part of a conversation's end from being done for so long is not passing. */
  private static final Duration LONGEST_END = Duration.ofHours(1);

  /** Hundreds of hosts report in each second, and each report may say who is busy. */
  private static final Duration POOLING_PAUSE = Duration.ofMillis(200);

  private final PlannerPorts ports;
  private final IntentPolicies policies;
  private final ProofBook book;
  private final BoundedJournal ofHosts;
  private final Roster roster = new Roster();
  private final AgentQuarantine quarantine;
  private final Execution execution;
  private final AgentLifecycle agents;
  private final EnforcerReports reports;
  private final SentTotals totals = new SentTotals();
  private final Lender lender;
  private final ReservationLedger ledger = new ReservationLedger();
  private final ElephantWatch elephants;
  private final Headrooms headrooms;
  private PlacedSchemes places;
  private final PlanRecorder recorder;
  private final PlanningCycle cycle;
  private volatile PlannerSettings settings;
  private volatile Plan plan = Plan.EMPTY;
  private volatile Optional<PlanningResult> basis = Optional.empty();
  private Optional<Duration> pooledAt = Optional.empty();
  private boolean poolsLater;

  /** Whose agents' words could not be taken in the last time; on the worker. */
  private final Map<String, GrowingPause> askingAgain = new HashMap<>();

  private final Retries<ConversationId> untaken;

  /** What is to be done yet of conversations that are over. */
  private final Retries<ConversationId> unended;

  public Planner(
      PlannerPorts ports,
      PlannerSettings settings,
      IntentPolicies policies,
      ProofBook book,
      Allocator network) {
    this.ports = ports;
    this.settings = settings;
    this.policies = policies;
    this.book = book;
    this.ofHosts = new BoundedJournal(ports.journal(), ports.worker());
    this.untaken = new Retries<>(ports.worker());
    this.unended = new Retries<>(ports.worker());
    this.quarantine = new AgentQuarantine(book, roster, ports.journal(), new Enforcing());
    this.execution =
        new Execution(ports, quarantine.overhear(ports.rates()), book, roster, () -> this.settings);
    this.reports = new EnforcerReports(book, ofHosts);
    this.lender = new Lender(ports, book);
    this.elephants = new ElephantWatch(settings.elephants());
    this.headrooms = new Headrooms(ports.links(), ports.queues(), book, ports.worker());
    this.places = places();
    this.recorder = new PlanRecorder(book, ofHosts);
    this.cycle =
        new PlanningCycle(
            ports, settings, book, with -> arbiter(network, with, ports), new Adoption());
    this.agents = new AgentLifecycle(ports, book, roster, ofHosts, new Presence());
    policies.onChange(() -> ports.worker().execute(this::resolveAgain));
  }

  private static Arbiter arbiter(Allocator network, PlannerSettings with, PlannerPorts ports) {
    LinkSplit split = LinkSplit.of(with);
    return new Arbiter(
        List.of(
            Share.of(new FixedRateScheme(), split.most(SchemeName.FIXED_RATE)),
            Share.orMore(
                new AdaptiveReservationScheme(with.adaptive()),
                split.most(SchemeName.ADAPTIVE_RESERVATIONS)),
            Share.orMore(
                new ServiceClassScheme(with.classes()), split.most(SchemeName.SERVICE_CLASSES)),
            Share.andTheRest(
                new ElephantIsolationScheme(with.elephants()),
                split.most(SchemeName.ELEPHANT_ISOLATION)),
            Share.of(
                new UtilityScheme(network, with, ports.journal()),
                split.most(SchemeName.UTILITY_FAIR))));
  }

  /** Whether plans are carried out. */
  public PlanMode mode() {
    return settings.mode();
  }

  /** By what plans divide the network now, what was adapted of it included. */
  public PlannerSettings settings() {
    return settings;
  }

  /** The plan in force, or in {@link PlanMode#SHADOW} what would be. */
  public Plan plan() {
    return plan;
  }

  /** What is lent of reservations by the plan in force, and what was before. */
  public List<LedgerEntry> ledger() {
    return ledger.all();
  }

  /**
   * What the plan in force would be if each demand were as changed, by the real solver on a copy;
   * empty before the first plan. Any thread may ask; it takes as long as a plan takes.
   */
  public Optional<WhatIfResult> whatIf(UnaryOperator<Demand> change) {
    return basis.map(result -> result.whatIf(change, names()));
  }

  /** What the plan in force was made for; empty where nobody talked. Any thread may ask. */
  public Optional<Problem> problem() {
    return basis.flatMap(result -> result.problem(settings));
  }

  /** What each would have under this tree, by places and as an elephant. Any thread may ask. */
  public Function<Conversation, EffectivePolicy> requestedUnder(IntentTree tree) {
    PlacedSchemes own = places();
    return conversation -> requested(conversation, own, tree);
  }

  private PlacedSchemes places() {
    return PlacedSchemes.of(settings, ports.network().current());
  }

  private NodeNames names() {
    return NodeNames.of(ports.network().current(), roster.agents());
  }

  /** What is lent beyond the plan's grants. */
  public Loans loans() {
    return lender.loans();
  }

  /** Who may borrow, at the kernel's speed, what others of its interface leave unused. */
  Pools pools() {
    return lender.pools();
  }

  /** The agents that are attached, by host. */
  public Collection<AgentInfo> agents() {
    return roster.agents();
  }

  /** An agent came with everything that is open on its host; what it does not name is over. */
  public void attached(AgentInfo agent, List<Conversation> open, long installedVersion) {
    hear(
        agent.host(),
        () -> {
          agents.attached(agent, open, installedVersion);
          askingAgain.remove(agent.host());
        });
  }

  /** The agent fell silent and may still pace: its conversations keep their share for a lease. */
  public void detached(String host) {
    ports.worker().execute(() -> agents.left(host, settings.silenceGrace()));
  }

  /** The agent has taken its rates down; its conversations keep their share for a while. */
  public void stopped(String host) {
    ports.worker().execute(() -> agents.left(host, settings.agentGrace()));
  }

  public void opened(Conversation announced) {
    hear(
        announced.id(),
        () -> {
          Conversation conversation = quarantine.enforced(announced);
          if (roster.find(conversation.id()).filter(conversation::isToldOtherwise).isPresent()) {
            tellOtherwise(conversation);
          } else {
            open(conversation);
            execution.opened(List.of(conversation));
          }
        });
  }

  public void closed(Collection<ConversationId> ids) {
    List<ConversationId> ofAgents =
        ids.stream().filter(ConversationId::isOfAgent).collect(Collectors.toUnmodifiableList());
    ofAgents.stream()
        .findFirst()
        .ifPresent(one -> hear(one.host(), () -> Each.of(ofAgents, this::close)));
    ids.stream().filter(id -> !id.isOfAgent()).forEach(id -> hear(id, () -> close(id)));
  }

  /** Of those without an agent nobody says it once more, so it is taken in once more later. */
  private void hear(ConversationId id, Runnable event) {
    if (id.isOfAgent()) {
      hear(id.host(), event);
      return;
    }
    ports
        .worker()
        .execute(
            () ->
                untaken.run(
                    id,
                    event,
                    bug ->
                        ofHosts.fault(
                            id.host(),
                            "What is said of the conversation "
                                + id
                                + " could not be taken in; it is again",
                            bug)));
  }

  /**
   * An agent says what it says once. Where that cannot be taken in, it is to say all that is so
   * once more, after a while.
   */
  private void hear(String host, Runnable event) {
    ports
        .worker()
        .execute(
            () -> {
              try {
                event.run();
              } catch (RuntimeException | Error bug) {
                ofHosts.fault(
                    host,
                    "What the agent of host "
                        + host
                        + " says could not be taken in; it is to say all once more",
                    bug);
                askAgainLater(host);
              }
            });
  }

  private void askAgainLater(String host) {
    GrowingPause pause = askingAgain.computeIfAbsent(host, h -> new GrowingPause());
    ports
        .worker()
        .after(
            pause.next(),
            () -> {
              // Not where it has said all once more in the meantime, or is gone for good.
              if (askingAgain.get(host) == pause) {
                ports.rates().askAgain(host);
              }
            });
  }

  /** Does it on the worker, once what it was told before can be read. */
  public void afterTold(Runnable next) {
    ports.worker().execute(next);
  }

  /**
   * Returns when what it was told before can be read, or after so long at the most: it will be
   * there then all the same.
   */
  public void awaitTold(Duration atMost) {
    CountDownLatch told = new CountDownLatch(1);
    afterTold(told::countDown);
    try {
      told.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** An agent acknowledged a batch of rates with what it read back. */
  public void installed(
      String host, long version, List<InstalledRate> rates, Map<PoolId, DataRate> pools) {
    ports
        .worker()
        .execute(
            () ->
                holds(host, version, quarantine.acknowledged(host, version, rates, pools), pools));
  }

  /** Switches have confirmed the meters of a batch. */
  public void metered(String host, long version, List<InstalledRate> rates) {
    ports.worker().execute(() -> holds(host, version, rates, Map.of()));
  }

  private void holds(
      String host, long version, List<InstalledRate> rates, Map<PoolId, DataRate> pools) {
    reports.acknowledged(ports.clock().instant(), rates);
    execution.acknowledged(host, version, rates, pools);
  }

  /** An agent's counters. */
  public void reported(Instant at, List<Counters> counters) {
    ports
        .worker()
        .execute(
            () -> {
              counters.forEach(each -> quarantine.reported(each.id(), each.installed()));
              count(
                  at,
                  SentTotals.Source.AGENT,
                  counters.stream()
                      .filter(each -> !is(each.id(), Conversation::isQuarantined))
                      .collect(Collectors.toUnmodifiableList()));
            });
  }

  private boolean is(ConversationId id, Predicate<Conversation> what) {
    return roster.find(id).filter(what).isPresent();
  }

  /** What switches counted by now for those whom they hold to their rates. */
  public void counted(List<Counters> counters) {
    ports
        .worker()
        .execute(() -> count(ports.clock().instant(), SentTotals.Source.SWITCH, counters));
  }

  /**
   * Agents that do not keep to their rates come into quarantine, and those that do again out of it.
   * On the worker.
   *
   * @return those that are in it
   */
  public List<Quarantine> lookAtAgents() {
    return quarantine.look(ports.clock().instant());
  }

  /** From the next plan on, divide by these settings. */
  public void configure(PlannerSettings changed) {
    ports
        .worker()
        .execute(
            () -> {
              boolean withdraws = changed.mode() == PlanMode.SHADOW && mode() != PlanMode.SHADOW;
              boolean isElsewhere =
                  !changed.places().equals(settings.places())
                      || !changed.gateway().equals(settings.gateway());
              settings = adapted(changed);
              if (elephants.goBy(changed.elephants()) || isElsewhere) {
                resolveAgain();
              }
              if (withdraws) {
                quarantine.end();
                execution.withdraw();
                lend();
              }
              cycle.configure(settings);
            });
  }

  /** Links whose queues grow leave more of their capacity free, and full ones without less. */
  public void lookAtLinks() {
    headrooms.look(settings, ports.network().current().network(), plan.directives());
    PlannerSettings now = adapted(settings);
    if (!now.equals(settings)) {
      settings = now;
      cycle.adapt(now);
    }
  }

  private PlannerSettings adapted(PlannerSettings set) {
    return set.toBuilder().adaptedThousandths(headrooms.usable(set)).build();
  }

  public void networkChanged() {
    ports
        .worker()
        .execute(
            () -> {
              if (places.followNetwork()) {
                resolveAgain();
              } else {
                cycle.replanSoon();
              }
            });
  }

  /** The network cannot do what the plan wants for a conversation; it is tried again later. */
  public void unenforceable(ConversationId id, Unserved why) {
    ports.worker().execute(() -> cycle.backOff(id, why));
  }

  /**
   * Ports have the queues of the plan in force, or are told them again. On the worker.
   *
   * @return those that have not been as wanted for a while
   */
  public List<Alarm> lookAtQueues() {
    return execution.lookAtQueues();
  }

  /** What is wrong with the making of plans. On the worker. */
  public List<Alarm> alarms() {
    return cycle.alarms();
  }

  /** The greatest sum of rates that conversations can be sending over the link at this moment. */
  DataRate possibleLoad(LinkId link) {
    return execution.possibleLoad(link);
  }

  private void open(Conversation conversation) {
    ConversationId id = conversation.id();
    // First: where that throws it is not known yet, and opened as a new one the next time.
    EffectivePolicy requested = requested(conversation);
    boolean isCountedOtherwise =
        roster.find(id).filter(was -> was.isMetered() != conversation.isMetered()).isPresent();
    if (roster.enter(conversation)) {
      book.put(Proof.of(conversation, requested, ports.clock().instant()));
    } else {
      // The agent is back: the grant still stands, and what holds is what it says holds.
      quarantine.reported(id, conversation.rateInForce());
      if (!conversation.isQuarantined()) {
        execution.observed(id, conversation.rateInForce());
      }
      book.change(
          id,
          p -> {
            p.conversation(conversation)
                .requested(requested)
                .installed(conversation.rateInForce())
                .state(plan.grants().containsKey(id) ? planned() : ConversationState.SEEN)
                .reason("");
            if (isCountedOtherwise) {
              // Another counts it from now on, who began at another time.
              p.countedAt(Optional.empty());
            }
          });
      execution.matchedOtherwise(conversation);
    }
    cycle.replanSoon();
  }

  private EffectivePolicy requested(Conversation conversation) {
    return requested(conversation, places, policies.tree());
  }

  private EffectivePolicy requested(Conversation conversation, PlacedSchemes by, IntentTree tree) {
    return elephants.ruling(conversation, by.ruling(conversation, conversation.policy(tree)));
  }

  /** The same demand by other ports, or of a process that is now known: what holds goes on. */
  private void tellOtherwise(Conversation conversation) {
    boolean otherPorts =
        roster
            .find(conversation.id())
            .filter(before -> before.matches().equals(conversation.matches()))
            .isEmpty();
    if (otherPorts) {
      execution.matchedOtherwise(conversation);
    }
    roster.enter(conversation);
    book.change(conversation.id(), p -> p.conversation(conversation));
  }

  private void close(ConversationId id) {
    roster
        .leave(id)
        .ifPresent(
            conversation ->
                end(
                    id,
                    List.of(
                        () -> book.remove(id),
                        () -> totals.forget(id),
                        () -> elephants.forget(id),
                        () -> lender.forget(id),
                        () -> quarantine.closed(id),
                        () -> execution.ended(conversation),
                        cycle::replanSoon)));
  }

  /**
   * Whatever one of the parts throws, it is over for the others, too. Those that throw are done
   * later, unless there is such a conversation again, or they did so for an hour.
   */
  private void end(ConversationId id, List<Runnable> parts) {
    List<Runnable> left = new ArrayList<>();
    try {
      Each.of(parts, part -> endOr(left, part));
    } finally {
      if (!left.isEmpty()) {
        Duration until = ports.worker().now().plus(LONGEST_END);
        unended.later(id, () -> endLater(id, left, until));
      }
    }
  }

  private static void endOr(List<Runnable> left, Runnable part) {
    try {
      part.run();
    } catch (RuntimeException | Error bug) {
      left.add(part);
      throw bug;
    }
  }

  private void endLater(ConversationId id, List<Runnable> left, Duration until) {
    if (roster.find(id).isPresent() || ports.worker().now().compareTo(until) > 0) {
      return;
    }
    List<Runnable> now = List.copyOf(left);
    left.clear();
    Each.of(now, part -> endOr(left, part));
  }

  private void resolveAgain() {
    places = places();
    roster.conversations().forEach((id, c) -> book.change(id, p -> p.requested(requested(c))));
    cycle.replanSoon();
  }

  private void count(Instant at, SentTotals.Source source, List<Counters> counters) {
    for (Counters own : counters) {
      ConversationId id = own.id();
      if (book.find(id).isEmpty()) {
        continue;
      }
      boolean isSwitch = source == SentTotals.Source.SWITCH;
      boolean isMetered = is(id, Conversation::isMetered);
      if (!isSwitch && !totals.believesAgent(id, isMetered)) {
        reports.described(own);
        continue;
      }
      Counters each = totals.next(source, own);
      if ((isSwitch || !isMetered) && execution.observed(id, each.installed())) {
        ofHosts.warn(
            id.host(),
            "Conversation "
                + id
                + ": its host installed "
                + each.installed().toKbpsFloor()
                + " kbit/s, which nobody told it. Its rate is told again.");
      }
      reports.counted(at, each);
      lender.observe(each);
      if (elephants.isWatching()) {
        roster.find(id).ifPresent(conversation -> watch(at, each, conversation));
      }
    }
    lender.renew(plan.directives(), settings).ifPresent(execution::lend);
    poolByReports();
    execution.reported(counters);
  }

  /**
   * Whoever turns out to be an elephant is led apart while it runs; not who has a reservation,
   * which is kept by the scheme that admitted it.
   */
  private void watch(Instant at, Counters counters, Conversation conversation) {
    if (elephants.counted(
            at, counters, places.ruling(conversation, policies.resolve(conversation.intent())))
        && !hasReservation(conversation.id())) {
      book.change(conversation.id(), p -> p.requested(requested(conversation)));
      ports
          .journal()
          .note("Conversation " + conversation.id() + " sends so much that it is an elephant now.");
      cycle.replanSoon();
    }
  }

  private boolean hasReservation(ConversationId id) {
    return book.find(id).filter(p -> !ports.reserved().due(List.of(p)).isEmpty()).isPresent();
  }

  private void lend() {
    lender.renew(plan.directives(), settings).ifPresent(execution::lend);
    pool();
  }

  /** At once, or for all who report within the pause, when that is over. */
  private void poolByReports() {
    Duration pause =
        pooledAt
            .map(last -> last.plus(POOLING_PAUSE).minus(ports.worker().now()))
            .orElse(Duration.ZERO);
    if (pause.isZero() || pause.isNegative()) {
      pool();
    } else if (!poolsLater) {
      poolsLater = true;
      ports
          .worker()
          .after(
              pause,
              () -> {
                poolsLater = false;
                pool();
                execution.advance();
              });
    }
  }

  private void pool() {
    pooledAt = Optional.of(ports.worker().now());
    execution.pool(lender.pool(plan.directives(), settings, roster.conversations()));
  }

  /** The state of a conversation that has a grant. */
  private ConversationState planned() {
    return mode() == PlanMode.SHADOW ? ConversationState.RECOMMENDED : ConversationState.GRANTED;
  }

  /** What it means for plans that an agent comes. */
  private final class Presence implements AgentLifecycle.Owner {
    @Override
    public void arrived(String host, long installedVersion, List<Conversation> open) {
      quarantine.returned(host);
      execution.attached(host, installedVersion);
      List<Conversation> enforced =
          open.stream().map(quarantine::enforced).collect(Collectors.toUnmodifiableList());
      enforced.forEach(Planner.this::open);
      execution.opened(enforced);
      cycle.arrived(host, installedVersion > 0);
    }

    @Override
    public void ended(ConversationId id) {
      close(id);
    }

    @Override
    public void gone(String host) {
      askingAgain.remove(host);
      quarantine.gone(host);
      cycle.replanSoon();
    }
  }

  /** Has others hold the conversations of agents that do not keep to their rates. */
  private final class Enforcing implements AgentQuarantine.Owner {
    @Override
    public void heldOtherwise(List<Conversation> conversations) {
      execution.heldOtherwise(conversations);
      cycle.replanSoon();
    }

    @Override
    public void endMeter(Conversation conversation) {
      ports.rates().endQuarantine(conversation);
    }
  }

  /** Puts a new plan in force. */
  private final class Adoption implements PlanningCycle.Owner {
    @Override
    public void sees(NetworkState state) {
      execution.sees(state);
    }

    @Override
    public Plan held() {
      return mode() == PlanMode.SHADOW ? Plan.EMPTY : plan;
    }

    @Override
    public Map<ConversationId, Unserved> foreign(NetworkState state) {
      roster.look(state);
      return roster.foreign();
    }

    @Override
    public Map<ConversationId, Unserved> duplicates() {
      return DuplicateConversations.in(roster);
    }

    @Override
    public void adopt(PlanningResult result) {
      Plan before = plan;
      Optional<PlanningResult> basisBefore = basis;
      try {
        putInForce(result);
      } catch (RuntimeException | Error bug) {
        // Whoever was told something else by then is told again by the next plan, or read back.
        plan = before;
        basis = basisBefore;
        throw bug;
      }
    }

    private void putInForce(PlanningResult result) {
      Plan before = plan;
      basis = Optional.of(result);
      plan =
          result.assemble(roster.conversations().keySet(), names()).plan(execution.nextVersion());
      recorder
          .write(plan, before, result.standings(), planned(), ports.clock().instant())
          .forEach(id -> execution.refuse(plan, id));
      PlanDifference difference = PlanDifference.between(before, plan);
      ledger.record(result.loans(), ports.clock().instant());
      lend();
      execution.carryOut(plan, difference, result);
      ports.journal().planned(plan.version(), plan.summary().toString(), difference.toString());
    }
  }
}
