package org.paceline.control.planning;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.paceline.control.directive.Directives;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.port.PlannerPorts;
import org.paceline.control.scheme.Observations;
import org.paceline.control.scheme.PortState;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.control.traffic.PortTraffic;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/** What schemes are told of what conversations send, each in its own period. On the worker. */
final class Measurements {
  /** Queues of ports are counted once a second, and each is to be seen soon after. */
  private static final Duration PERIOD_OF_PORTS = Duration.ofMillis(500);

  private final PlannerPorts ports;
  private final ThroughputAverages averages = new ThroughputAverages();
  private final RateHistories histories = new RateHistories();
  private final PortTraffic traffic;
  private final MeasuringPeriod ofClasses;
  private final MeasuringPeriod ofReservations;
  private final MeasuringPeriod ofPorts;
  private PlannerSettings settings;
  private Network network = Network.of(Set.of(), Set.of());

  /** Who plans by what is measured. */
  interface Owner {
    /** Whether what was seen is a reason to decide anew. */
    boolean isMovedBy(Observations seen);

    /** Whether what ports carry is one. */
    boolean isMovedBy(Map<LinkId, PortState> carried);

    /** What is to be carried out by the plan in force. */
    Directives inForce();

    void replanSoon();
  }

  Measurements(PlannerPorts ports, PlannerSettings settings, ProofBook book, Owner owner) {
    this.ports = ports;
    this.settings = settings;
    this.traffic = new PortTraffic(ports.links(), ports.queues(), book, ports.worker());
    this.ofClasses =
        new MeasuringPeriod(
            ports.worker(),
            new MeasuringPeriod.Measurement() {
              @Override
              public CompletableFuture<Void> count() {
                return ports.rates().count();
              }

              @Override
              public boolean measure() {
                Map<String, DataRate> before = averages.now();
                averages.measure(book.all(), delta());
                return !averages.now().equals(before);
              }

              @Override
              public void clear() {
                averages.clear();
              }
            },
            owner::replanSoon);
    this.ofReservations =
        new MeasuringPeriod(
            ports.worker(),
            new MeasuringPeriod.Measurement() {
              @Override
              public CompletableFuture<Void> count() {
                return ports.rates().count();
              }

              @Override
              public boolean measure() {
                histories.measure(book.all());
                return owner.isMovedBy(histories.now());
              }

              @Override
              public void clear() {
                histories.clear();
              }
            },
            owner::replanSoon);
    this.ofPorts =
        new MeasuringPeriod(
            ports.worker(),
            new MeasuringPeriod.Measurement() {
              @Override
              public boolean measure() {
                traffic.measure(owner.inForce());
                return owner.isMovedBy(states(owner.inForce()));
              }

              @Override
              public void clear() {
                traffic.clear();
              }
            },
            owner::replanSoon);
  }

  private double delta() {
    return settings.classes().delta();
  }

  private Map<LinkId, PortState> states(Directives inForce) {
    return traffic.states(
        network,
        node -> ports.capabilities().of(node).isPresent(),
        ports.queues()::divides,
        inForce);
  }

  private static boolean lendsCircuit(Demands demands) {
    return demands.reservations.entrySet().stream()
        .anyMatch(
            one ->
                one.getValue().isLent()
                    && demands.ruledBy.get(one.getKey()) == SchemeName.ELEPHANT_ISOLATION);
  }

  /**
   * What is known at this moment, for a plan with these demands.
   *
   * @param divided what plans may divide of the network
   * @param inForce by the plan before
   */
  void tell(Demands demands, PlannerSettings now, Network divided, Directives inForce) {
    settings = now;
    network = divided;
    ofClasses.planned(now.classes().period(), !demands.classes.isEmpty());
    ofReservations.planned(
        now.adaptive().period().dividedBy(RateHistories.PARTS),
        demands.ruledBy.containsValue(SchemeName.ADAPTIVE_RESERVATIONS) || lendsCircuit(demands));
    ofPorts.planned(
        PERIOD_OF_PORTS,
        now.elephants().namesAny() || demands.ruledBy.containsValue(SchemeName.ELEPHANT_ISOLATION));
    demands.throughput = averages.now();
    demands.observations = histories.now();
    // Whoever is an elephant from now on is none of the others.
    demands.ports =
        states(
            inForce.without(
                id -> demands.ruledBy.get(id.toString()) == SchemeName.ELEPHANT_ISOLATION));
    inForce.routes().forEach((id, route) -> demands.paths.put(id.toString(), route.path()));
  }
}
