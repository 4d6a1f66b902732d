package org.paceline.control.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.paceline.allocator.Allocator;
import org.paceline.control.conversations.AgentInfo;
import org.paceline.control.conversations.Conversation;
import org.paceline.control.conversations.ConversationId;
import org.paceline.control.conversations.ConversationState;
import org.paceline.control.conversations.Counters;
import org.paceline.control.conversations.Enforcement;
import org.paceline.control.conversations.InstalledRate;
import org.paceline.control.conversations.Unserved;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.port.NetworkState;
import org.paceline.control.proof.Proof;
import org.paceline.control.proof.ProofBook;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;

/**
 * Keeps the plan true to who talks, what is wanted and what the network can carry. Events only
 * enqueue work; one worker owns all state: who is here ({@link Roster}), the way from events to
 * plans ({@link PlanningCycle}), and from plans to rates ({@link Delivery}) and paths ({@link
 * Steering}).
 */
public final class Planner {
  private final PlannerPorts ports;
  private final IntentPolicies policies;
  private final ProofBook book;
  private final Roster roster = new Roster();
  private final Rollout rollout;
  private final Delivery delivery;
  private final Steering steering;
  private final Readings readings;
  private final Lending lending = new Lending();
  private final PlanningCycle cycle;
  private PlannerSettings settings;
  private volatile Plan plan = Plan.EMPTY;
  private volatile Optional<PlanningResult> basis = Optional.empty();
  private volatile Loans loans = Loans.NONE;

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
    this.rollout = new Rollout(ports.rates(), this::lead, ports.worker()::execute, this::advance);
    this.delivery = new Delivery(ports, rollout, () -> this.settings, roster.conversations());
    this.steering = new Steering(ports.paths());
    this.readings = new Readings(book, ports.journal());
    this.cycle = new PlanningCycle(ports, settings, book, network, new Adoption());
    policies.onChange(() -> ports.worker().execute(this::resolveAgain));
  }

  /** The plan in force. */
  public Plan plan() {
    return plan;
  }

  /**
   * What the plan in force would be if each application were as changed, by the real solver on a
   * copy; empty before the first plan. Any thread may ask; it takes as long as a plan takes.
   */
  public Optional<Prospect> prospect(UnaryOperator<Application> change) {
    return basis.map(result -> result.prospect(change));
  }

  /** What is lent beyond the plan's grants. */
  public Loans loans() {
    return loans;
  }

  /** The agents that are attached, by host. */
  public Collection<AgentInfo> agents() {
    return roster.agents();
  }

  /** An agent came with everything that is open on its host; what it does not name is over. */
  public void attached(AgentInfo agent, List<Conversation> open, long installedVersion) {
    ports.worker().execute(() -> attach(agent, open, installedVersion));
  }

  /** The agent fell silent and may still pace: its conversations keep their share for a lease. */
  public void detached(String host) {
    leave(host, PlannerSettings::silenceGrace);
  }

  /** The agent has taken its rates down; its conversations keep their share for a while. */
  public void stopped(String host) {
    leave(host, PlannerSettings::agentGrace);
  }

  private void leave(String host, Function<PlannerSettings, Duration> grace) {
    ports
        .worker()
        .execute(
            () ->
                roster
                    .detach(host)
                    .ifPresent(absence -> await(host, absence, grace.apply(settings))));
  }

  public void opened(Conversation conversation) {
    ports.worker().execute(() -> open(conversation));
  }

  public void closed(Collection<ConversationId> ids) {
    ports.worker().execute(() -> ids.forEach(this::close));
  }

  /** An enforcer acknowledged a batch of rates with what it read back. */
  public void installed(String host, long version, List<InstalledRate> rates) {
    ports
        .worker()
        .execute(
            () -> {
              readings.acknowledged(ports.clock().instant(), rates);
              delivery.acknowledged(host, version, rates);
            });
  }

  /** An enforcer's counters. */
  public void reported(Instant at, List<Counters> counters) {
    ports.worker().execute(() -> count(at, counters));
  }

  /** From the next plan on, divide by these settings. */
  public void configure(PlannerSettings changed) {
    ports
        .worker()
        .execute(
            () -> {
              settings = changed;
              cycle.configure(changed);
            });
  }

  public void networkChanged() {
    ports.worker().execute(cycle::replanSoon);
  }

  /** The network cannot do what the plan wants for a conversation; it is tried again later. */
  public void unenforceable(ConversationId id, String why) {
    ports.worker().execute(() -> cycle.bar(id, Unserved.of(Unserved.Kind.NOT_ENFORCEABLE, why)));
  }

  /** The greatest sum of rates that conversations can be sending over the link at this moment. */
  DataRate possibleLoad(LinkId link) {
    return rollout.possibleLoad(link);
  }

  private void attach(AgentInfo agent, List<Conversation> open, long installedVersion) {
    String host = agent.host();
    roster.attach(agent);
    rollout.continueFrom(installedVersion);
    Set<ConversationId> named =
        open.stream().map(Conversation::id).collect(Collectors.toUnmodifiableSet());
    roster.of(host).stream().filter(id -> !named.contains(id)).forEach(this::close);
    rollout.restart(host);
    open.forEach(this::open);
    ports
        .journal()
        .note(
            "Agent "
                + host
                + " attached from "
                + agent.peer()
                + " with "
                + open.size()
                + " conversations, enforcing by "
                + agent.enforcer()
                + ".");
    ports.hosts().add(host);
    cycle.arrived(host, installedVersion > 0);
  }

  private void await(String host, long absence, Duration grace) {
    for (ConversationId id : roster.of(host)) {
      book.change(
          id, p -> p.state(ConversationState.CLOSING).reason("Its agent (" + host + ") is away."));
    }
    ports
        .journal()
        .warn(
            "Agent "
                + host
                + " is gone. Its conversations keep their share for "
                + grace.toMillis() / 1e3
                + " s.");
    ports
        .worker()
        .after(
            grace,
            () -> {
              if (roster.giveUp(host, absence)) {
                ports.hosts().remove(host);
                roster.of(host).forEach(this::close);
              }
            });
  }

  private void open(Conversation conversation) {
    ConversationId id = conversation.id();
    if (roster.enter(conversation)) {
      book.put(
          Proof.of(conversation, policies.resolve(conversation.intent()), ports.clock().instant()));
    } else {
      // The agent is back: the grant still stands, and what holds is what it says holds.
      rollout.observed(id, conversation.rateInForce());
      book.change(
          id,
          p ->
              p.conversation(conversation)
                  .requested(policies.resolve(conversation.intent()))
                  .installed(conversation.rateInForce())
                  .state(
                      plan.grants().containsKey(id)
                          ? ConversationState.GRANTED
                          : ConversationState.SEEN)
                  .reason(""));
    }
    cycle.replanSoon();
  }

  private void close(ConversationId id) {
    roster
        .leave(id)
        .ifPresent(
            conversation -> {
              book.remove(id);
              lending.forget(id);
              rollout.ended(id);
              steering.release(conversation);
              ports.rates().release(conversation);
              cycle.replanSoon();
            });
  }

  private void resolveAgain() {
    roster
        .conversations()
        .forEach((id, c) -> book.change(id, p -> p.requested(policies.resolve(c.intent()))));
    cycle.replanSoon();
  }

  private void count(Instant at, List<Counters> counters) {
    for (Counters each : counters) {
      if (book.find(each.id()).isPresent()) {
        if (rollout.observed(each.id(), each.installed())) {
          ports
              .journal()
              .warn(
                  "Conversation "
                      + each.id()
                      + ": its host installed "
                      + each.installed().toKbpsFloor()
                      + " kbit/s, which nobody told it. Its rate is told again.");
        }
        readings.counted(at, each);
        Instant now = ports.clock().instant();
        book.find(each.id())
            .flatMap(Proof::measured)
            .ifPresent(sent -> lending.observe(each.id(), now, sent, each.installed()));
      }
    }
    lend();
    // A report may show that a rate was lost on the host: it is told again.
    delivery.advance();
  }

  private void lend() {
    Loans before = loans;
    loans =
        lending.loans(
            plan.enforced(),
            ports.network().current().network(),
            settings,
            ports.clock().instant());
    if (!loans.equals(before)) {
      Set<ConversationId> changed = new HashSet<>(before.rates().keySet());
      changed.addAll(loans.rates().keySet());
      changed.forEach(id -> book.change(id, p -> p.lent(loans.to(id))));
      rollout.lend(loans);
    }
  }

  private void advance() {
    delivery.advance();
  }

  private CompletableFuture<Void> lead(ConversationId id, Path path) {
    Optional<Conversation> conversation = roster.find(id);
    Optional<PlanningResult> made = basis;
    return conversation.isPresent() && made.isPresent()
        ? steering.lead(conversation.get(), path, made.get().routes)
        : CompletableFuture.completedFuture(null);
  }

  /** Where a newcomer's packets are; those that nobody holds at all count where they will be. */
  private static Set<LinkId> unled(Conversation conversation, Grant grant, Routes routes) {
    Path path = grant.path();
    return Moves.links(
        conversation.enforcement() == Enforcement.FIRST_HOP
            ? path
            : routes.quickest(path.from(), path.to()).orElse(path));
  }

  /** Puts a new plan in force. */
  private final class Adoption implements PlanningCycle.Owner {
    @Override
    public void sees(NetworkState state) {
      rollout.limitTo(settings.usable(state.network()));
    }

    @Override
    public void adopt(PlanningResult result) {
      Plan before = plan;
      basis = Optional.of(result);
      plan = result.assemble(roster.conversations().keySet()).plan(rollout.nextVersion());
      Instant now = ports.clock().instant();
      plan.grants().forEach((id, grant) -> book.change(id, p -> granted(p, id, grant, now)));
      plan.unserved()
          .forEach(
              (id, why) -> {
                if (!why.equals(before.unserved().get(id))) {
                  refuse(id, why);
                }
              });
      plan.restrained()
          .forEach((id, small) -> book.change(id, p -> p.computed(Optional.of(small))));
      PlanDifference difference = plan.since(before);
      difference.ended().forEach(id -> roster.find(id).ifPresent(steering::release));
      plan.restrained().forEach((id, small) -> rollout.leave(id, small.path()));
      lend();
      rollout.aimAt(
          plan.enforced(),
          steering.changed(plan, difference),
          roster.conversations(),
          (conversation, grant) -> unled(conversation, grant, result.routes));
      delivery.advance();
      ports.journal().planned(plan.version(), plan.summary().toString(), difference.toString());
    }

    private void granted(Proof.Builder proof, ConversationId id, Grant grant, Instant now) {
      Proof known = book.find(id).orElseThrow(AssertionError::new);
      proof.computed(Optional.of(grant));
      if (known.state() != ConversationState.CLOSING) {
        proof.state(ConversationState.GRANTED);
      }
      if (known.state() == ConversationState.UNSERVED) {
        proof.reason("");
      }
      if (known.plannedAt().isEmpty()) {
        proof.plannedAt(now);
      }
    }

    private void refuse(ConversationId id, Unserved why) {
      book.change(
          id,
          p ->
              p.state(ConversationState.UNSERVED)
                  .reason(why.reason())
                  .computed(Optional.ofNullable(plan.restrained().get(id))));
      if (!plan.restrained().containsKey(id)) {
        rollout.ended(id);
      }
      roster.find(id).ifPresent(conversation -> ports.rates().refuse(conversation, why));
      ports.journal().warn("Conversation " + id + " is not served: " + why.reason());
    }
  }
}
