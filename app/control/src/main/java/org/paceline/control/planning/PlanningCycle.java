package org.paceline.control.planning;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.Guarded;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.inventory.Routes;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.Proof;
import org.paceline.control.model.Unserved;
import org.paceline.control.port.PlannerPorts;
import org.paceline.control.scheme.utility.LiveNetwork;
import org.paceline.control.scheme.utility.PlanAnswer;
import org.paceline.control.scheme.utility.PlanSolver;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;

/**
 * Turns events into plans: those that come close together are planned together. The solver runs
 * beside the worker, so that acknowledgements never wait for it; what changes meanwhile is planned
 * next. Where the network changed, a first plan only helps who lost by it, and a full one follows.
 */
public final class PlanningCycle {
  private static final Duration RESTART_POLL = Duration.ofMillis(100);

  /** After that long without events, what was solved in haste is solved again. */
  private static final Duration CALM = Duration.ofSeconds(2);

  /**
   * So long at the most, and one step, a network that changes faster than steps are made puts off
   * the full solve. That takes tenths of a second, in which nobody is led round: little of this.
   */
  private static final Duration LONGEST_HASTE = Duration.ofSeconds(2);

  private final PlannerPorts ports;
  private final ProofBook book;
  private final Allocator network;
  private final Owner owner;
  private final RestartHold restartHold;
  private PlannerSettings settings;
  private PlanSolver solver;
  private LiveNetwork live = new LiveNetwork();
  private Optional<NetworkState> planned = Optional.empty();
  private Routes routes = new Routes(Network.of(Set.of(), Set.of()));
  private final RetryBackoff backoff = new RetryBackoff();
  private final DisconnectedConversations disconnected = new DisconnectedConversations();
  private Optional<PlanningResult> last = Optional.empty();
  private boolean survivors;
  private boolean scheduled;
  private boolean solving;
  private boolean dirty;

  /** When the first step was made that no full solve has followed yet. */
  private Optional<Instant> inHasteSince = Optional.empty();

  private String lastAwaited = "";

  /** Who has the plans made; called on the worker. */
  public interface Owner {
    /** From now on the network is this. */
    void sees(NetworkState state);

    /** Everybody who is held to a rate, by id. */
    Map<ConversationId, Grant> held();

    /** Whom others speak for. */
    Map<ConversationId, Unserved> duplicates();

    void adopt(PlanningResult result);
  }

  public PlanningCycle(
      PlannerPorts ports,
      PlannerSettings settings,
      ProofBook book,
      Allocator network,
      Owner owner) {
    this.ports = ports;
    this.settings = settings;
    this.book = book;
    this.network = network;
    this.owner = owner;
    this.solver = solver(settings);
    this.restartHold =
        new RestartHold(ports.hosts().all(), ports.clock().instant().plus(settings.restartHold()));
  }

  private PlanSolver solver(PlannerSettings with) {
    return new PlanSolver(network, with, ports.journal()::warn);
  }

  /** An agent is here; after a restart the first plan may have waited for it. */
  public void arrived(String host, boolean survivor) {
    restartHold.arrived(host);
    if (survivor) {
      survivors |= isFirst();
      restartHold.survived(ports.clock().instant());
    }
    replanSoon();
  }

  public void configure(PlannerSettings changed) {
    // What hosts hold by a controller before us counts until a plan is made, not beyond it.
    survivors &= isFirst();
    settings = changed;
    solver = solver(changed);
    live = new LiveNetwork();
    planned = Optional.empty();
    last = Optional.empty();
    replanSoon();
  }

  public void replanSoon() {
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

  /** Leaves a conversation out of plans until the network changes, or for a while. */
  public void backOff(ConversationId id, Unserved why) {
    RetryBackoff.Refusal refusal =
        backoff.add(id, why, settings.refusalPause(), ports.clock().instant());
    replanSoon();
    ports
        .worker()
        .after(
            refusal.pause,
            () -> {
              if (backoff.end(id, refusal)) {
                replanSoon();
              }
            });
  }

  private void replan() {
    if (solving || !dirty) {
      return;
    }
    NetworkState state = ports.network().current();
    if (planned.isEmpty() || planned.get() != state) {
      planned = Optional.of(state);
      routes = new Routes(settings.plannable(state.network()));
      backoff.clear();
      owner.sees(state);
      state.warnings().forEach(ports.journal()::warn);
    }
    Optional<String> awaited =
        restartHold.awaits(ports.clock().instant(), book.all(), state, routes, settings.gateway());
    if (awaited.isPresent()) {
      awaitRestart(awaited.get());
      return;
    }
    dirty = false;
    solving = true;
    Map<ConversationId, Unserved> out = backoff.now();
    out.putAll(owner.duplicates());
    Demands demands =
        Demands.of(book.all(), state, out, ports.reserved().due(book.all()), settings.gateway());
    Map<ConversationId, Grant> wayless =
        DisconnectedConversations.of(owner.held(), demands, routes);
    Routes now = disconnected.left(routes, wayless);
    PlanSolver by = solver;
    LiveNetwork kept = live;
    Continuity before = new Continuity(demands, now, last, ports.journal());
    Map<String, DataRate> inForce = inForce();
    Instant begun = ports.clock().instant();
    boolean mayWait = !restartHold.isPast(begun);
    boolean mayStep =
        inHasteSince.filter(since -> !since.plus(LONGEST_HASTE).isAfter(begun)).isEmpty();
    ports
        .solving()
        .execute(
            () -> {
              Optional<Map<String, Grant>> survived =
                  attempt(() -> before.survived(by, inForce)).flatMap(s -> s);
              if (mayWait && survived.isEmpty() && !inForce.isEmpty()) {
                ports.worker().execute(this::awaitLinks);
                return;
              }
              Optional<PlanAnswer> step =
                  mayStep ? attempt(() -> before.step(by)).flatMap(s -> s) : Optional.empty();
              Optional<PlanAnswer> answer =
                  step.or(
                      () ->
                          attempt(
                              () -> {
                                PlanAnswer fresh =
                                    by.solve(demands.applications, demands.incumbents, now, kept);
                                before.stand(fresh, survived).ifPresent(fresh::hold);
                                return fresh;
                              }));
              ports
                  .worker()
                  .execute(
                      () -> {
                        solving = false;
                        inHasteSince = step.map(s -> inHasteSince.orElse(begun));
                        answer.ifPresent(
                            a -> adopt(new PlanningResult(demands, now, wayless, a, by)));
                        if (answer.isEmpty()) {
                          // What was being followed may have been left half changed.
                          live = new LiveNetwork();
                        }
                        if (dirty || step.isPresent()) {
                          replanSoon();
                        }
                      });
            });
  }

  private void awaitLinks() {
    solving = false;
    dirty = true;
    awaitRestart("links that carry the rates that hosts hold");
  }

  private Map<String, DataRate> inForce() {
    Map<String, DataRate> rates = new HashMap<>();
    if (survivors && isFirst()) {
      for (Proof proof : book.all()) {
        DataRate rate = proof.conversation().rateInForce();
        if (rate.compareTo(DataRate.ZERO) > 0 && !PlannerSettings.isUnlimited(rate)) {
          rates.put(proof.conversation().id().toString(), rate);
        }
      }
    }
    return rates;
  }

  /** Plans for nobody, which the first switches call for, do not count. */
  private boolean isFirst() {
    return last.filter(made -> !made.demands.applications.isEmpty()).isEmpty();
  }

  private void adopt(PlanningResult result) {
    last = Optional.of(result);
    owner.adopt(result);
    if (result.isWorthMoreTime()) {
      ports.worker().after(CALM, () -> improve(result));
    }
  }

  /**
   * Unless something has happened since, solves the same again in peace, beside whatever happens
   * then: what was only followed loses a little each time, and what ran out of time may lose a lot.
   */
  private void improve(PlanningResult quick) {
    if (!isCalmSince(quick)) {
      return;
    }
    PlanSolver patient = solver.patient();
    LiveNetwork kept = new LiveNetwork();
    Routes own = new Routes(quick.routes().network());
    ports
        .improving()
        .execute(
            () ->
                answer(patient, quick.demands, own, kept)
                    .ifPresent(slow -> ports.worker().execute(() -> judge(quick, slow, kept))));
  }

  private void judge(PlanningResult quick, PlanAnswer slow, LiveNetwork kept) {
    if (!isCalmSince(quick)) {
      return;
    }
    if (slow.isUndecided()) {
      ports.worker().after(settings.refusalPause(), () -> improve(quick));
    } else if (!Continuity.isGoodEnough(quick.answer.grants, slow.grants)) {
      live = kept;
      last = Optional.of(quick.with(slow));
      owner.adopt(last.get());
    }
  }

  private boolean isCalmSince(PlanningResult result) {
    return !dirty && !solving && last.filter(now -> now == result).isPresent();
  }

  private void awaitRestart(String awaited) {
    if (!awaited.equals(lastAwaited)) {
      lastAwaited = awaited;
      ports
          .journal()
          .note("No plan yet after the restart, all rates hold: waiting for " + awaited + ".");
    }
    ports.worker().after(RESTART_POLL, this::replan);
  }

  private Optional<PlanAnswer> answer(
      PlanSolver by, Demands demands, Routes now, LiveNetwork kept) {
    return attempt(() -> by.solve(demands.applications, demands.incumbents, now, kept));
  }

  private <T> Optional<T> attempt(Supplier<T> answer) {
    try {
      return Optional.of(answer.get());
    } catch (RuntimeException
        | AssertionError
        | LinkageError
        | OutOfMemoryError
        | StackOverflowError bug) {
      ports
          .journal()
          .warn("The solver failed, the plan stays as it is: " + Guarded.reason(bug) + ".");
      return Optional.empty();
    }
  }
}
