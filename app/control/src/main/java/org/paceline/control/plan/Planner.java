package org.paceline.control.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import org.paceline.allocator.Allocator;
import org.paceline.control.conversations.AgentInfo;
import org.paceline.control.conversations.Conversation;
import org.paceline.control.conversations.ConversationId;
import org.paceline.control.conversations.ConversationState;
import org.paceline.control.conversations.Counters;
import org.paceline.control.conversations.InstalledRate;
import org.paceline.control.conversations.Unserved;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.port.NetworkState;
import org.paceline.control.proof.Proof;
import org.paceline.control.proof.ProofBook;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;

/**
 * Keeps the plan true to who talks, what is wanted and what the network can carry.
 *
 * <p>Events only enqueue work; one worker owns all state. Events that come close together are
 * planned together. The solver runs beside the worker, so that acknowledgements never wait for it;
 * what changes meanwhile is planned next.
 */
public final class Planner {
  private static final int MILLIBITS_PER_BYTE = 8_000;

  private final PlannerPorts ports;
  private PlannerSettings settings;
  private final IntentPolicies policies;
  private final ProofBook book;
  private final Allocator network;
  private PlanSolver solver;
  private final Rollout rollout;

  private final Map<ConversationId, Conversation> conversations = new TreeMap<>();
  private final Map<String, AgentInfo> agents = new ConcurrentSkipListMap<>();
  private final Map<String, Long> absences = new HashMap<>();
  private final Set<ConversationId> steered = new HashSet<>();
  private Optional<NetworkState> planned = Optional.empty();
  private Routes routes = new Routes(Network.of(List.of(), List.of()));
  private boolean scheduled;
  private boolean solving;
  private boolean dirty;
  private long lastAbsence;
  private volatile Plan plan = Plan.EMPTY;

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
    this.network = network;
    this.solver = new PlanSolver(network, settings);
    this.rollout = new Rollout(ports.rates());
    policies.onChange(() -> ports.worker().execute(this::resolveAgain));
  }

  /** The plan in force. */
  public Plan plan() {
    return plan;
  }

  /** The agents that are attached, by host. */
  public Collection<AgentInfo> agents() {
    return List.copyOf(agents.values());
  }

  /** An agent came with everything that is open on its host; what it does not name is over. */
  public void attached(AgentInfo agent, List<Conversation> open, long installedVersion) {
    ports.worker().execute(() -> attach(agent, open, installedVersion));
  }

  /** The agent's stream ended; its conversations keep their share for a while. */
  public void detached(String host) {
    ports.worker().execute(() -> detach(host));
  }

  public void opened(Conversation conversation) {
    ports.worker().execute(() -> open(conversation));
  }

  public void closed(Collection<ConversationId> ids) {
    ports.worker().execute(() -> ids.forEach(this::close));
  }

  /** An enforcer acknowledged a batch of rates with what it read back. */
  public void installed(String host, long version, List<InstalledRate> rates) {
    ports.worker().execute(() -> acknowledge(host, version, rates));
  }

  /** An enforcer's counters. */
  public void reported(Instant at, List<Counters> counters) {
    ports.worker().execute(() -> counters.forEach(c -> count(at, c)));
  }

  /** From the next plan on, divide by these settings. */
  public void configure(PlannerSettings changed) {
    ports
        .worker()
        .execute(
            () -> {
              settings = changed;
              solver = new PlanSolver(network, changed);
              planned = Optional.empty();
              replanSoon();
            });
  }

  public void networkChanged() {
    ports.worker().execute(this::replanSoon);
  }

  /** The greatest sum of rates that conversations can be sending over the link at this moment. */
  DataRate possibleLoad(LinkId link) {
    return rollout.possibleLoad(link);
  }

  private void attach(AgentInfo agent, List<Conversation> open, long installedVersion) {
    String host = agent.host();
    agents.put(host, agent);
    absences.remove(host);
    rollout.continueFrom(installedVersion);
    Set<ConversationId> named =
        open.stream().map(Conversation::id).collect(Collectors.toUnmodifiableSet());
    conversationsOf(host).stream().filter(id -> !named.contains(id)).forEach(this::close);
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
    replanSoon();
  }

  private void detach(String host) {
    if (agents.remove(host) == null) {
      return;
    }
    long absence = ++lastAbsence;
    absences.put(host, absence);
    for (ConversationId id : conversationsOf(host)) {
      book.change(
          id, p -> p.state(ConversationState.CLOSING).reason("Its agent (" + host + ") is away."));
    }
    ports
        .journal()
        .warn(
            "Agent "
                + host
                + " is gone. Its conversations keep their share for "
                + settings.agentGrace().toMillis() / 1e3
                + " s.");
    ports
        .worker()
        .after(
            settings.agentGrace(),
            () -> {
              if (absences.remove(host, absence)) {
                conversationsOf(host).forEach(this::close);
              }
            });
  }

  private List<ConversationId> conversationsOf(String host) {
    return conversations.keySet().stream()
        .filter(id -> id.host().equals(host))
        .collect(Collectors.toUnmodifiableList());
  }

  private void open(Conversation conversation) {
    ConversationId id = conversation.id();
    Conversation known = conversations.put(id, conversation);
    if (known == null) {
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
    replanSoon();
  }

  private void close(ConversationId id) {
    Conversation conversation = conversations.remove(id);
    if (conversation == null) {
      return;
    }
    book.remove(id);
    rollout.ended(id);
    if (steered.remove(id)) {
      ports.paths().remove(conversation);
    }
    ports.rates().release(conversation);
    replanSoon();
  }

  private void resolveAgain() {
    conversations.forEach(
        (id, c) -> book.change(id, p -> p.requested(policies.resolve(c.intent()))));
    replanSoon();
  }

  private void acknowledge(String host, long version, List<InstalledRate> rates) {
    rollout.acknowledged(host, version, rates);
    Instant now = ports.clock().instant();
    for (InstalledRate rate : rates) {
      boolean first =
          book.find(rate.id())
              .map(p -> p.computed().isPresent() && p.installedAt().isEmpty())
              .orElse(false);
      book.change(
          rate.id(),
          p -> {
            p.installed(rate.rate()).reason(rate.error());
            if (first && rate.error().isEmpty()) {
              p.installedAt(now);
            }
          });
      if (!rate.error().isEmpty()) {
        ports.journal().warn("Conversation " + rate.id() + " is not paced: " + rate.error());
      }
    }
    advance();
  }

  private void count(Instant at, Counters counters) {
    book.find(counters.id())
        .ifPresent(
            before -> {
              rollout.observed(counters.id(), counters.installed());
              book.change(counters.id(), p -> measure(p, before, at, counters));
            });
    // A report may show that a rate was lost on the host: it is told again.
    advance();
  }

  private static void measure(Proof.Builder proof, Proof before, Instant at, Counters counters) {
    proof
        .sentBytes(counters.sentBytes())
        .droppedPackets(counters.droppedPackets())
        .sockets(counters.sockets())
        .kpis(counters.kpis())
        .installed(counters.installed())
        .countedAt(at);
    before
        .countedAt()
        .map(then -> Duration.between(then, at).toNanos())
        .filter(nanos -> nanos > 0 && counters.sentBytes() >= before.sentBytes())
        .ifPresent(
            nanos -> {
              double bytes = counters.sentBytes() - before.sentBytes();
              proof.measured(
                  DataRate.ofMillibitsPerSecond(
                      Math.round(bytes * MILLIBITS_PER_BYTE / (nanos / 1e9))));
            });
  }

  private void replanSoon() {
    dirty = true;
    if (!scheduled && !solving) {
      scheduled = true;
      ports
          .worker()
          .after(
              settings.coalescing(),
              () -> {
                scheduled = false;
                replan();
              });
    }
  }

  private void replan() {
    if (solving || !dirty) {
      return;
    }
    dirty = false;
    solving = true;
    NetworkState state = ports.network().current();
    if (planned.isEmpty() || planned.get() != state) {
      planned = Optional.of(state);
      routes = new Routes(settings.plannable(state.network()));
      rollout.limitTo(settings.usable(state.network()));
      state.warnings().forEach(ports.journal()::warn);
    }
    Demands demands = Demands.of(book.all(), state);
    Routes now = routes;
    PlanSolver by = solver;
    ports
        .solving()
        .execute(
            () -> {
              Optional<PlanSolver.Answer> answer = answer(by, demands, now);
              ports.worker().execute(() -> adopt(demands, answer));
            });
  }

  private Optional<PlanSolver.Answer> answer(PlanSolver by, Demands demands, Routes now) {
    try {
      return Optional.of(by.solve(demands.applications, now));
    } catch (RuntimeException bug) {
      ports.journal().warn("The solver failed, the plan stays as it is: " + bug);
      return Optional.empty();
    }
  }

  private void adopt(Demands demands, Optional<PlanSolver.Answer> answer) {
    solving = false;
    answer.ifPresent(a -> adopt(PlanAssembly.of(demands, a, conversations.keySet())));
    if (dirty) {
      replanSoon();
    }
  }

  private void adopt(PlanAssembly assembly) {
    Plan before = plan;
    plan = assembly.plan(rollout.nextVersion());
    PlanDifference difference = plan.since(before);
    Instant now = ports.clock().instant();
    plan.grants().forEach((id, grant) -> book.change(id, p -> granted(p, id, grant, now)));
    plan.unserved()
        .forEach(
            (id, why) -> {
              if (!why.equals(before.unserved().get(id))) {
                refuse(id, why);
              }
            });
    steer(difference);
    rollout.aimAt(plan.grants(), conversations);
    advance();
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
        p -> p.state(ConversationState.UNSERVED).reason(why.reason()).computed(Optional.empty()));
    rollout.ended(id);
    Conversation conversation = conversations.get(id);
    if (conversation != null) {
      ports.rates().refuse(conversation, why);
    }
    ports.journal().warn("Conversation " + id + " is not served: " + why.reason());
  }

  /** Only where there is a choice of ways does a conversation need flow rules of its own. */
  private void steer(PlanDifference difference) {
    List<ConversationId> changed = new ArrayList<>(difference.granted());
    changed.addAll(difference.moved());
    for (ConversationId id : changed) {
      Grant grant = plan.grants().get(id);
      Conversation conversation = conversations.get(id);
      if (grant == null || conversation == null) {
        continue;
      }
      if (!routes.isOnly(grant.path())) {
        steered.add(id);
        ports.paths().install(conversation, grant.path());
      } else if (steered.remove(id)) {
        ports.paths().remove(conversation);
      }
    }
  }

  private void advance() {
    rollout
        .step(conversations)
        .forEach(
            (host, version) ->
                ports
                    .worker()
                    .after(
                        settings.acknowledgementLimit(),
                        () -> {
                          if (rollout.gaveUpWaiting(host, version)) {
                            ports
                                .journal()
                                .warn("Host " + host + " did not acknowledge rates in time.");
                            advance();
                          }
                        }));
  }
}
