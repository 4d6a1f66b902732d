package org.paceline.control.plan;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.paceline.allocator.Allocator;
import org.paceline.control.conversations.ConversationId;
import org.paceline.control.conversations.Unserved;
import org.paceline.control.port.NetworkState;
import org.paceline.control.proof.Proof;
import org.paceline.control.proof.ProofBook;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;

/**
 * Turns events into plans: those that come close together are planned together. The solver runs
 * beside the worker, so that acknowledgements never wait for it; what changes meanwhile is planned
 * next.
 */
final class PlanningCycle {
  private static final Duration HOMECOMING_POLL = Duration.ofMillis(100);

  /** After that long without events, what was only followed is solved in full. */
  private static final Duration CALM = Duration.ofSeconds(2);

  /** In billionths of utility: too little to change anybody's rate for. */
  private static final long HARDLY = 50_000_000;

  /** Twice that: whoever was killed may have stopped just before it was worth a change. */
  private static final long HARDLY_AFTER_RESTART = 2 * HARDLY;

  private final PlannerPorts ports;
  private final ProofBook book;
  private final Allocator network;
  private final Owner owner;
  private final Homecoming homecoming;
  private PlannerSettings settings;
  private PlanSolver solver;
  private LiveNetwork live = new LiveNetwork();
  private Optional<NetworkState> planned = Optional.empty();
  private Routes routes = new Routes(Network.of(Set.of(), Set.of()));
  private final Map<ConversationId, Unserved> barred = new HashMap<>();
  private Optional<Result> last = Optional.empty();
  private boolean survivors;
  private boolean scheduled;
  private boolean solving;
  private boolean dirty;
  private String lastAwaited = "";

  /** Who has the plans made; called on the worker. */
  interface Owner {
    /** From now on the network is this. */
    void sees(NetworkState state);

    void adopt(Result result);
  }

  /** What was asked of the solver, through which network, and what it said. */
  static final class Result {
    final Demands demands;
    final Routes routes;
    final PlanSolver.Answer answer;
    private final PlanSolver solver;

    private Result(Demands demands, Routes routes, PlanSolver.Answer answer, PlanSolver solver) {
      this.demands = demands;
      this.routes = routes;
      this.answer = answer;
      this.solver = solver;
    }

    /** Asks the same again with other applications; any thread may. */
    Prospect prospect(UnaryOperator<Application> change) {
      List<Application> changed =
          demands.applications.stream().map(change).collect(Collectors.toUnmodifiableList());
      // Routes of its own: they remember, and are not to be shared between threads.
      PlanSolver.Answer after =
          solver.solve(changed, demands.incumbents, new Routes(routes.network()));
      return Prospect.of(routes.network(), answer, after);
    }

    PlanAssembly assemble(Set<ConversationId> alive) {
      return PlanAssembly.of(demands, answer, alive);
    }
  }

  PlanningCycle(
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
    this.solver = new PlanSolver(network, settings);
    this.homecoming =
        new Homecoming(ports.hosts().all(), ports.clock().instant().plus(settings.homecoming()));
  }

  /** An agent is here; after a restart the first plan may have waited for it. */
  void arrived(String host, boolean survivor) {
    homecoming.arrived(host);
    if (survivor) {
      survivors |= last.isEmpty();
      homecoming.survived(ports.clock().instant());
    }
    replanSoon();
  }

  void configure(PlannerSettings changed) {
    settings = changed;
    solver = new PlanSolver(network, changed);
    live = new LiveNetwork();
    planned = Optional.empty();
    last = Optional.empty();
    survivors = false;
    replanSoon();
  }

  void replanSoon() {
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
  void bar(ConversationId id, Unserved why) {
    barred.put(id, why);
    replanSoon();
    ports
        .worker()
        .after(
            settings.refusalPause(),
            () -> {
              if (barred.remove(id, why)) {
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
      barred.clear();
      owner.sees(state);
      state.warnings().forEach(ports.journal()::warn);
    }
    Optional<String> awaited =
        homecoming.awaits(ports.clock().instant(), book.all(), state, routes);
    if (awaited.isPresent()) {
      awaitHomecoming(awaited.get());
      return;
    }
    dirty = false;
    solving = true;
    Demands demands = Demands.of(book.all(), state, barred);
    Routes now = routes;
    PlanSolver by = solver;
    LiveNetwork kept = live;
    Optional<Result> before = last;
    Map<String, DataRate> inForce = inForce();
    ports
        .solving()
        .execute(
            () -> {
              Optional<PlanSolver.Answer> answer = answer(by, demands, now, kept);
              answer.ifPresent(
                  fresh -> held(by, demands, now, fresh, before, inForce).ifPresent(fresh::hold));
              ports
                  .worker()
                  .execute(
                      () -> {
                        solving = false;
                        answer.ifPresent(a -> adopt(new Result(demands, now, a, by)));
                        if (dirty) {
                          replanSoon();
                        }
                      });
            });
  }

  /**
   * What the same conversations have already, by the last plan or by a controller before us, where
   * the fresh answer is hardly better; on the solver's thread.
   */
  private static Optional<Map<String, Grant>> held(
      PlanSolver by,
      Demands demands,
      Routes now,
      PlanSolver.Answer fresh,
      Optional<Result> last,
      Map<String, DataRate> inForce) {
    if (last.isPresent()) {
      return Optional.of(last.get())
          .filter(before -> before.demands.applications.equals(demands.applications))
          .flatMap(
              before -> Holdover.still(demands.applications, before.answer.grants, now.network()))
          .filter(grants -> Holdover.isHardlyWorse(grants, fresh.grants, HARDLY));
    }
    return Holdover.pinned(demands.applications, inForce)
        .map(pinned -> by.solve(pinned, demands.incumbents, now).grants)
        .filter(grants -> Holdover.isHardlyWorse(grants, fresh.grants, HARDLY_AFTER_RESTART));
  }

  private Map<String, DataRate> inForce() {
    Map<String, DataRate> rates = new HashMap<>();
    if (survivors && last.isEmpty()) {
      for (Proof proof : book.all()) {
        rates.put(proof.conversation().id().toString(), proof.conversation().rateInForce());
      }
    }
    return rates;
  }

  private void adopt(Result result) {
    last = Optional.of(result);
    owner.adopt(result);
    if (result.answer.methods.contains(PlanSolver.FOLLOWED)) {
      ports.worker().after(CALM, () -> solveInFull(result));
    }
  }

  /** Unless something has happened since: following is quick, and loses a little each time. */
  private void solveInFull(Result followed) {
    if (!dirty && !solving && last.filter(now -> now == followed).isPresent()) {
      live = new LiveNetwork();
      replanSoon();
    }
  }

  private void awaitHomecoming(String awaited) {
    if (!awaited.equals(lastAwaited)) {
      lastAwaited = awaited;
      ports
          .journal()
          .note("No plan yet after the restart, all rates hold: waiting for " + awaited + ".");
    }
    ports.worker().after(HOMECOMING_POLL, this::replan);
  }

  private Optional<PlanSolver.Answer> answer(
      PlanSolver by, Demands demands, Routes now, LiveNetwork kept) {
    try {
      return Optional.of(by.solve(demands.applications, demands.incumbents, now, kept));
    } catch (RuntimeException bug) {
      ports.journal().warn("The solver failed, the plan stays as it is: " + bug);
      return Optional.empty();
    }
  }
}
