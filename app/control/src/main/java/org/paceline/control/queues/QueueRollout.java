package org.paceline.control.queues;

import java.time.Clock;
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
import java.util.concurrent.CompletableFuture;
import org.paceline.control.directive.Queue;
import org.paceline.control.directive.QueueRefusal;
import org.paceline.control.directive.QueueShares;
import org.paceline.control.model.Alarm;
import org.paceline.control.port.Journal;
import org.paceline.control.port.NetworkView;
import org.paceline.control.port.PlannerPorts;
import org.paceline.control.port.PortQueues;
import org.paceline.control.port.Worker;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/**
 * Makes the queues of ports true, and keeps them so: a port has its queues before conversations are
 * led to it ({@link #ready}), is told again where something else is read back, and is one queue
 * again only when nobody wants two for a while, and so after everybody was led elsewhere. Belongs
 * to the worker's thread.
 */
public final class QueueRollout {
  /**
   * What a port sends of its link's capacity. The last queue must be this one and not the wire's,
   * whatever bursts the scheduler lets through, so the wire is to drain faster than it fills.
   * Preambles and gaps of Ethernet are not in it: the scheduler counts them.
   */
  static final int WIRE_THOUSANDTHS = 990;

  /** Elephants that got no queue by then are led all the same, and held to a rate. */
  static final Duration ANSWER = Duration.ofSeconds(1);

  /** Moves are made, and queues have drained, well before; and plans may change their minds. */
  static final Duration LINGER = Duration.ofSeconds(10);

  static final Duration ALARMING = Duration.ofSeconds(5);

  private static final int THOUSAND = 1_000;

  private final PortQueues ports;
  private final NetworkView network;
  private final Worker worker;
  private final Clock clock;
  private final Journal journal;
  private final Map<LinkId, Port> wanted = new TreeMap<>();
  private final Map<LinkId, Duration> unwanted = new HashMap<>();
  private boolean hasBegun;

  /** A port that is to be divided. */
  private static final class Port {
    private QueueShares shares;
    private CompletableFuture<Void> answered = CompletableFuture.completedFuture(null);
    private Optional<QueueRefusal> refusal = Optional.empty();
    private Optional<Wrong> wrong = Optional.empty();
    private boolean held;

    /** Whether it has two queues, of these shares or of earlier ones. */
    private boolean isDivided;

    private Port(QueueShares shares) {
      this.shares = shares;
    }
  }

  /** Since when a port is not as wanted. */
  private final class Wrong {
    private final Duration since = worker.now();

    /** The same, for people. */
    private final Instant time = clock.instant();
  }

  public QueueRollout(PlannerPorts world) {
    this.ports = world.queues();
    this.network = world.network();
    this.worker = world.worker();
    this.clock = world.clock();
    this.journal = world.journal();
  }

  /** From now on these are wanted, and no others. */
  public void want(Map<LinkId, Queue> queues) {
    hasBegun = true;
    wanted.keySet().retainAll(queues.keySet());
    queues.forEach((link, queue) -> onWire(queue).ifPresent(shares -> want(link, shares)));
  }

  private void want(LinkId link, QueueShares shares) {
    Port port = wanted.get(link);
    if (port == null || !port.shares.equals(shares)) {
      Port told = wanted.computeIfAbsent(link, l -> new Port(shares));
      told.shares = shares;
      told.held = false;
      tell(link, told);
    }
  }

  /** Both together have all that the port sends; empty where the link has just gone. */
  private Optional<QueueShares> onWire(Queue queue) {
    return network
        .current()
        .network()
        .link(queue.link())
        .map(link -> link.capacity().millibitsPerSecond() / THOUSAND * WIRE_THOUSANDTHS)
        .map(rate -> queue.shares().scaledTo(DataRate.ofMillibitsPerSecond(rate)));
  }

  private void tell(LinkId link, Port port) {
    QueueShares shares = port.shares;
    CompletableFuture<Void> answered = new CompletableFuture<>();
    port.answered = answered;
    worker.after(
        ANSWER,
        () -> {
          if (!answered.isDone()) {
            port.refusal = Optional.of(QueueRefusal.of(QueueRefusal.Code.NO_ANSWER, link.from()));
            answered.complete(null);
          }
        });
    ports
        .set(link, shares)
        .whenComplete(
            (refusal, bug) ->
                worker.execute(
                    () -> {
                      if (port.answered == answered && !answered.isDone()) {
                        port.refusal =
                            bug == null
                                ? refusal
                                : Optional.of(
                                    QueueRefusal.of(
                                        QueueRefusal.Code.REFUSED, String.valueOf(bug)));
                        port.held = port.refusal.isEmpty();
                        port.isDivided |= port.held;
                      }
                      answered.complete(null);
                    }));
  }

  /** Completes, on the worker, when the ports of these links have their queues, or were refused. */
  public CompletableFuture<Void> ready(Collection<LinkId> links) {
    List<CompletableFuture<Void>> awaited = new ArrayList<>();
    for (LinkId link : links) {
      Optional.ofNullable(wanted.get(link)).ifPresent(port -> awaited.add(port.answered));
    }
    return CompletableFuture.allOf(awaited.toArray(CompletableFuture[]::new));
  }

  /**
   * Whether the ports of these links have two queues, as far as they are to have them. One that is
   * told other shares has them meanwhile; one that refused to, did not answer, or lost them has
   * not.
   */
  public boolean keepApart(Collection<LinkId> links) {
    return links.stream().map(wanted::get).allMatch(port -> port == null || port.isDivided);
  }

  /** No queues are wanted any more, and nobody is led elsewhere first. */
  public void withdraw() {
    wanted.clear();
    ports.inForce().keySet().forEach(ports::clear);
  }

  /**
   * Compares what is wanted with what is read back, and tells again what differs: whoever schedules
   * the port may have come only now, or somebody else has changed it.
   *
   * @return the ports that have not been as wanted for a while
   */
  public List<Alarm> look() {
    Map<LinkId, QueueShares> inForce = ports.inForce();
    Duration now = worker.now();
    List<Alarm> alarms = new ArrayList<>();
    wanted.forEach(
        (link, port) -> {
          if (port.answered.isDone()) {
            port.isDivided = inForce.containsKey(link);
          }
          if (port.shares.equals(inForce.get(link))) {
            port.wrong = Optional.empty();
          } else if (port.answered.isDone()) {
            if (port.held) {
              port.held = false;
              journal.warn(
                  "Link "
                      + link
                      + ": its port has no longer the queues that it was told. It is told again.");
            }
            Wrong wrong = port.wrong.orElseGet(Wrong::new);
            port.wrong = Optional.of(wrong);
            if (now.compareTo(wrong.since.plus(ALARMING)) >= 0) {
              alarms.add(Alarm.ofLink(Alarm.Kind.QUEUES, link, sentence(port), wrong.time));
            }
            tell(link, port);
          }
        });
    if (hasBegun) {
      clear(inForce.keySet(), now);
    }
    return alarms;
  }

  private static String sentence(Port port) {
    return "Its port is not divided as wanted ("
        + port.shares
        + "). "
        + port.refusal.map(QueueRefusal::reason).orElse("It is told again each second.");
  }

  private void clear(Set<LinkId> inForce, Duration now) {
    Set<LinkId> idle = new HashSet<>(inForce);
    idle.removeAll(wanted.keySet());
    unwanted.keySet().retainAll(idle);
    for (LinkId link : idle) {
      if (now.compareTo(unwanted.computeIfAbsent(link, l -> now).plus(LINGER)) >= 0) {
        ports.clear(link);
      }
    }
  }
}
