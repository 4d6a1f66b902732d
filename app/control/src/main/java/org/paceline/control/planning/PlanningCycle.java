package org.paceline.control.planning;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.paceline.control.directive.Directives;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.inventory.Routes;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.Proof;
import org.paceline.control.model.Unserved;
import org.paceline.control.port.PlannerPorts;
import org.paceline.control.scheme.Arbiter;
import org.paceline.control.scheme.Attempt;
import org.paceline.control.scheme.Decision;
import org.paceline.control.scheme.Observations;
import org.paceline.control.scheme.PortState;
import org.paceline.control.scheme.Snapshot;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.control.settings.SolverMethod;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.tree.SchemeName;

/**
 * Turns events into plans: those that come close together are planned together. The schemes decide
 * beside the worker, so that acknowledgements never wait for it; what changes meanwhile is planned
 * next. Where the network changed, a first plan only helps who lost by it, and a full one follows.
 * Whatever fails on the way, the plan in force stays, and a new one is tried again after a while.
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
  private final Function<PlannerSettings, Arbiter> arbiters;
  private final Owner owner;
  private final RestartHold restartHold;
  private PlannerSettings settings;
  private Arbiter arbiter;
  private Optional<NetworkState> planned = Optional.empty();
  private Routes routes = new Routes(Network.of(Set.of(), Set.of()));
  private final RetryBackoff backoff = new RetryBackoff();
  private final PlanWatch watch;
  private final CapabilityCheck capabilities;
  private final Measurements measurements;
  private final DisconnectedConversations disconnected = new DisconnectedConversations();
  private Optional<PlanningResult> last = Optional.empty();
  private boolean survivors;
  private boolean scheduled;
  private boolean solving;
  private boolean dirty;

  /** Devices are to be asked again what they can do. */
  private boolean asking;

  /** When the first step was made that no full solve has followed yet. */
  private Optional<Duration> inHasteSince = Optional.empty();

  private String lastAwaited = "";

  /** Who has the plans made; called on the worker. */
  public interface Owner {
    /** From now on the network is this. */
    void sees(NetworkState state);

    /** The plan that is carried out. */
    Plan held();

    /** Of whose addresses the agents that announced them may not speak in this network. */
    Map<ConversationId, Unserved> foreign(NetworkState state);

    /** Whom others speak for. */
    Map<ConversationId, Unserved> duplicates();

    void adopt(PlanningResult result);
  }

  /**
   * @param arbiters what decides, with these settings
   */
  public PlanningCycle(
      PlannerPorts ports,
      PlannerSettings settings,
      ProofBook book,
      Function<PlannerSettings, Arbiter> arbiters,
      Owner owner) {
    this.ports = ports;
    this.settings = settings;
    this.book = book;
    this.arbiters = arbiters;
    this.owner = owner;
    this.arbiter = arbiters.apply(settings);
    this.watch = new PlanWatch(ports.worker(), ports.clock());
    this.capabilities = new CapabilityCheck(ports.capabilities());
    this.measurements = new Measurements(ports, settings, book, new Measured());
    this.restartHold =
        new RestartHold(ports.hosts().all(), ports.worker().now().plus(settings.restartHold()));
  }

  /** An agent is here; after a restart the first plan may have waited for it. */
  public void arrived(String host, boolean survivor) {
    restartHold.arrived(host);
    if (survivor) {
      survivors |= isFirst();
      restartHold.survived(host, ports.worker().now());
    }
    replanSoon();
  }

  public void configure(PlannerSettings changed) {
    // What hosts hold by a controller before us counts until a plan is made, not beyond it.
    survivors &= isFirst();
    settings = changed;
    arbiter = arbiters.apply(changed);
    planned = Optional.empty();
    last = Optional.empty();
    replanSoon();
  }

  /** Of links another part may be used from now on; what was decided is a basis as before. */
  public void adapt(PlannerSettings changed) {
    settings = changed;
    planned.ifPresent(
        state -> {
          routes = new Routes(changed.plannable(state.network()));
          owner.sees(state);
        });
    replanSoon();
  }

  public void replanSoon() {
    dirty = true;
    watch.wanted();
    if (!scheduled && !solving) {
      scheduled = true;
      ports
          .worker()
          .after(
              settings.coalescing(),
              () -> {
                scheduled = false;
                Attempt.run(this::replan, this::failed);
              });
    }
  }

  /** Leaves a conversation out of plans until the network changes, or for a while. */
  public void backOff(ConversationId id, Unserved why) {
    RetryBackoff.Refusal refusal =
        backoff.add(id, why, settings.refusalPause(), ports.worker().now());
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
        restartHold.awaits(ports.worker().now(), book.all(), state, routes, settings.gateway());
    if (awaited.isPresent()) {
      awaitRestart(awaited.get());
      return;
    }
    dirty = false;
    solving = true;
    Map<ConversationId, Unserved> out = backoff.now();
    Map<ConversationId, Unserved> incapable =
        capabilities.refused(book.all(), state, settings.gateway());
    if (!incapable.isEmpty()) {
      askDevicesAgain();
    }
    out.putAll(incapable);
    Map<ConversationId, Unserved> foreign = owner.foreign(state);
    out.putAll(owner.duplicates());
    out.putAll(foreign);
    Demands demands =
        Demands.of(
            book.all(), state, out, ports.reserved().due(without(foreign)), settings.gateway());
    DisconnectedConversations.Kept wayless =
        DisconnectedConversations.of(owner.held(), demands, routes);
    Routes now = disconnected.left(routes, wayless.directives);
    measurements.tell(demands, settings, now.network(), owner.held().directives());
    Arbiter by = arbiter;
    Duration begun = ports.worker().now();
    boolean mayStep =
        inHasteSince.filter(since -> since.plus(LONGEST_HASTE).compareTo(begun) <= 0).isEmpty();
    Snapshot snapshot =
        Snapshot.builder(demands.applications, demands.incumbents, now)
            .before(last.map(made -> made.decision))
            .inForce(
                survivors && isFirst()
                    ? RestartHold.inForce(book.all(), state, settings.gateway())
                    : Map.of())
            .classes(demands.classes)
            .throughput(demands.throughput)
            .reservations(demands.reservations)
            .observations(demands.observations)
            .ports(demands.ports)
            .paths(demands.paths)
            .mayWait(!restartHold.isPast(begun))
            .effort(mayStep ? Snapshot.Effort.STEP : Snapshot.Effort.FULL)
            .build();
    ports
        .solving()
        .execute(
            () -> {
              Optional<Runnable> next =
                  Attempt.of(
                      () ->
                          by.decide(snapshot, demands.ruledBy)
                              .map(made -> new PlanningResult(demands, now, wayless, made, by))
                              .<Runnable>map(result -> () -> decided(result, begun))
                              .or(() -> Optional.of(this::awaitLinks)),
                      why -> ports.worker().execute(() -> failed(why)));
              next.ifPresent(ports.worker()::execute);
            });
  }

  private List<Proof> without(Map<ConversationId, Unserved> foreign) {
    return book.all().stream()
        .filter(proof -> !foreign.containsKey(proof.conversation().id()))
        .collect(Collectors.toUnmodifiableList());
  }

  /** Nobody tells of a switch that has meters now, or may have them. */
  private void askDevicesAgain() {
    if (!asking) {
      asking = true;
      ports
          .worker()
          .after(
              settings.refusalPause(),
              () -> {
                asking = false;
                if (capabilities.isOutdated(
                    book.all(), ports.network().current(), settings.gateway())) {
                  replanSoon();
                } else if (capabilities.refusesAnybody()) {
                  askDevicesAgain();
                }
              });
    }
  }

  private void decided(PlanningResult result, Duration begun) {
    boolean isStep = result.decision.isStep();
    solving = false;
    inHasteSince = isStep ? inHasteSince.or(() -> Optional.of(begun)) : Optional.empty();
    if (Attempt.run(() -> adopt(result), this::failed)) {
      watch.made(dirty);
      if (dirty || isStep) {
        replanSoon();
      }
    }
  }

  /** What happened meanwhile is planned then, too. */
  private void failed(String why) {
    solving = false;
    inHasteSince = Optional.empty();
    if (!watch.isFailing()) {
      warnOfFailure(why);
    }
    ports
        .worker()
        .after(
            watch.failed(why),
            () -> {
              if (watch.isFailing()) {
                replanSoon();
              }
            });
  }

  /** What is wrong with the making of plans. */
  public List<Alarm> alarms() {
    return watch.alarms(
        settings.solver() == SolverMethod.MILP ? settings.milpLimit() : settings.solveLimit());
  }

  private void awaitLinks() {
    solving = false;
    dirty = true;
    awaitRestart("links that carry the rates that hosts hold");
  }

  /** Plans for nobody, which the first switches call for, do not count. */
  private boolean isFirst() {
    return last.filter(made -> !made.demands.applications.isEmpty()).isEmpty();
  }

  private void adopt(PlanningResult result) {
    owner.adopt(result);
    last = Optional.of(result);
    if (backoff.carriedOut(owner.held().directives().paces()::containsKey)) {
      replanSoon();
    }
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
    Arbiter by = arbiter;
    Snapshot again =
        Snapshot.builder(
                quick.demands.applications,
                quick.demands.incumbents,
                new Routes(quick.routes().network()))
            .before(Optional.of(Arbiter.without(quick.decision, SchemeName.UTILITY_FAIR)))
            .classes(quick.demands.classes)
            .throughput(quick.demands.throughput)
            .reservations(quick.demands.reservations)
            .observations(quick.demands.observations)
            .ports(quick.demands.ports)
            .paths(quick.demands.paths)
            .effort(Snapshot.Effort.PATIENT)
            .build();
    ports
        .improving()
        .execute(
            () ->
                Attempt.of(() -> by.decide(again, quick.demands.ruledBy), this::warnOfFailure)
                    .ifPresent(slow -> ports.worker().execute(() -> judge(quick, slow, by))));
  }

  private void judge(PlanningResult quick, Decision slow, Arbiter by) {
    if (!isCalmSince(quick)) {
      return;
    }
    if (slow.quality() == Decision.Quality.UNDECIDED) {
      ports.worker().after(settings.refusalPause(), () -> improve(quick));
    } else if (by.isWorthTheChange(quick.decision, slow)) {
      PlanningResult better = quick.with(slow);
      owner.adopt(better);
      last = Optional.of(better);
    }
  }

  /** What is measured may be a reason for a plan. */
  private final class Measured implements Measurements.Owner {
    @Override
    public boolean isMovedBy(Observations seen) {
      return last.filter(made -> arbiter.isMovedBy(seen, made.decision)).isPresent();
    }

    @Override
    public boolean isMovedBy(Map<LinkId, PortState> carried) {
      return last.filter(made -> arbiter.isMovedBy(carried, made.decision)).isPresent();
    }

    @Override
    public Directives inForce() {
      return owner.held().directives();
    }

    @Override
    public void replanSoon() {
      PlanningCycle.this.replanSoon();
    }
  }

  private boolean isCalmSince(PlanningResult result) {
    return !dirty && !solving && last.filter(now -> now == result).isPresent();
  }

  private void awaitRestart(String awaited) {
    watch.putOff();
    if (!awaited.equals(lastAwaited)) {
      lastAwaited = awaited;
      ports
          .journal()
          .note("No plan yet after the restart, all rates hold: waiting for " + awaited + ".");
    }
    ports.worker().after(RESTART_POLL, () -> Attempt.run(this::replan, this::failed));
  }

  private void warnOfFailure(String why) {
    ports.journal().warn("A plan could not be made, the one in force stays: " + why + ".");
  }
}
