package org.paceline.gateway;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.paceline.control.directive.PortScheduler;
import org.paceline.control.directive.QueueCounts;
import org.paceline.control.directive.QueueRefusal;
import org.paceline.control.directive.QueueShares;
import org.paceline.control.directive.QueueTraffic;
import org.paceline.control.directive.SwitchPort;
import org.paceline.control.port.PortQueues;
import org.paceline.intents.network.LinkId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ports of switches are divided by agents on the switches' machines, as far as each switch's
 * operator lets that agent: any agent could say that it is a switch's. Any thread may call.
 */
public final class PortSchedulers implements PortQueues {
  private static final Logger log = LoggerFactory.getLogger(PortSchedulers.class);

  /** What is known of switches. */
  public interface Switches {
    /** The links that there are now. */
    Set<LinkId> links();

    /** The port that a link leaves its switch by; empty where it leaves none, or has no name. */
    Optional<SwitchPort> portOf(LinkId link);

    /** The host whose agent may divide the switch's ports. */
    Optional<String> queueAgent(String device);

    /** By which elephants are to be told. */
    int elephantDscp();
  }

  private final AgentServer.Agents agents;
  private final Switches switches;
  private final Clock clock;
  private final Map<String, Attached> byHost = new TreeMap<>();
  private final Map<Long, Order> open = new HashMap<>();

  /** Of others than elephants, since this began: also of agents that have gone, or begun anew. */
  private final Map<SwitchPort, Long> dropped = new HashMap<>();

  private long number;

  /** An agent, with the ports that it can divide, and how they are divided. */
  private static final class Attached {
    private final Map<SwitchPort, Optional<PortReading>> ports = new LinkedHashMap<>();
    private final Set<String> notAllowed = new HashSet<>();
    private final Map<SwitchPort, QueueCounts> counts = new HashMap<>();
    private final Map<SwitchPort, QueueTraffic> traffic = new HashMap<>();

    /** Counters come with what an agent tells by itself, of each port that has two queues. */
    private void counted(List<PortReading> told, Instant at) {
      Map<SwitchPort, QueueCounts> before = Map.copyOf(counts);
      counts.clear();
      traffic.clear();
      for (PortReading one : told) {
        one.counts()
            .filter(now -> ports.containsKey(one.port()))
            .ifPresent(
                now -> {
                  counts.put(one.port(), now);
                  Optional.ofNullable(before.get(one.port()))
                      .flatMap(earlier -> QueueTraffic.between(earlier, now, at))
                      .ifPresent(came -> traffic.put(one.port(), came));
                });
      }
    }
  }

  /** A port that was told its shares, until there is an answer. */
  private static final class Order {
    private final String host;
    private final SwitchPort port;
    private final QueueShares shares;
    private final CompletableFuture<Optional<QueueRefusal>> answer = new CompletableFuture<>();

    private Order(String host, SwitchPort port, QueueShares shares) {
      this.host = host;
      this.port = port;
      this.shares = shares;
    }
  }

  public PortSchedulers(AgentServer.Agents agents, Switches switches, Clock clock) {
    this.agents = agents;
    this.switches = switches;
    this.clock = clock;
  }

  /** Who divides ports of this switch, as far as it may; empty where nobody does. */
  public synchronized Optional<PortScheduler> of(String device) {
    return switches
        .queueAgent(device)
        .flatMap(
            host -> {
              Map<String, Optional<QueueShares>> ports = new TreeMap<>();
              Map<String, QueueTraffic> traffic = new TreeMap<>();
              Optional.ofNullable(byHost.get(host))
                  .ifPresent(
                      its ->
                          its.ports.forEach(
                              (port, reading) -> {
                                if (port.device().equals(device)) {
                                  ports.put(port.name(), reading.flatMap(PortReading::shares));
                                  Optional.ofNullable(its.traffic.get(port))
                                      .ifPresent(came -> traffic.put(port.name(), came));
                                }
                              }));
              return ports.isEmpty()
                  ? Optional.empty()
                  : Optional.of(PortScheduler.of(host, ports, traffic));
            });
  }

  /** An agent has come, with all ports that it can divide; none for a host's. */
  void attached(String host, List<PortReading> ports) {
    synchronized (this) {
      byHost.remove(host);
      if (ports.isEmpty()) {
        return;
      }
      Attached its = new Attached();
      ports.forEach(one -> its.ports.put(one.port(), Optional.of(one)));
      byHost.put(host, its);
    }
    hold(host);
  }

  void left(String host) {
    List<Order> over = new ArrayList<>();
    synchronized (this) {
      byHost.remove(host);
      open.values().stream().filter(order -> order.host.equals(host)).forEach(over::add);
      open.values().removeAll(over);
    }
    over.forEach(
        order ->
            order.answer.complete(
                Optional.of(QueueRefusal.of(QueueRefusal.Code.NO_SCHEDULER, order.port.device()))));
  }

  /**
   * An agent has answered, or tells what is in force.
   *
   * @param answered the number of what it was told; 0 where it names all that are divided
   */
  void heard(String host, long answered, List<PortReading> ports) {
    Optional<Order> order = Optional.empty();
    synchronized (this) {
      Attached its = byHost.get(host);
      if (its == null) {
        return;
      }
      if (answered == 0) {
        its.ports.replaceAll((port, before) -> Optional.empty());
        its.counted(ports, clock.instant());
        its.traffic.forEach((port, came) -> addDrops(host, port, came));
      }
      for (PortReading one : ports) {
        its.ports.computeIfPresent(one.port(), (port, before) -> Optional.of(one));
      }
      order = Optional.ofNullable(open.remove(answered)).filter(one -> one.host.equals(host));
    }
    order.ifPresent(one -> one.answer.complete(refusal(one, ports)));
    hold(host);
  }

  /**
   * So that a sum never runs over, whatever an agent says: more than any port drops in a second.
   */
  private void addDrops(String host, SwitchPort port, QueueTraffic came) {
    if (mayDivide(host, port.device())) {
      dropped.merge(port, Math.min(Integer.MAX_VALUE, came.others().droppedPackets()), Long::sum);
    }
  }

  /**
   * How many packets the queues of a link's port have dropped since this began. Its switch does not
   * count them: it hands them to the kernel. What elephants lose in a queue of their own is not
   * among them, for that is how they find their rate.
   */
  public long dropped(LinkId link) {
    return switches.portOf(link).map(this::dropped).orElse(0L);
  }

  private synchronized long dropped(SwitchPort port) {
    return dropped.getOrDefault(port, 0L);
  }

  private static Optional<QueueRefusal> refusal(Order order, List<PortReading> ports) {
    for (PortReading one : ports) {
      if (one.port().equals(order.port)) {
        if (one.error().isEmpty() && one.shares().equals(Optional.of(order.shares))) {
          return Optional.empty();
        }
        return Optional.of(
            QueueRefusal.of(
                QueueRefusal.Code.REFUSED,
                one.error().isEmpty()
                    ? "It is read back as "
                        + one.shares().map(QueueShares::toString).orElse("one queue")
                        + "."
                    : one.error()));
      }
    }
    return Optional.of(
        QueueRefusal.of(QueueRefusal.Code.REFUSED, "Its answer does not name the port."));
  }

  /** Whoever may not divide a switch's ports learns why, once, and divides none of them. */
  private void hold(String host) {
    Set<String> refused = new TreeSet<>();
    List<SwitchPort> cleared = new ArrayList<>();
    synchronized (this) {
      Attached its = byHost.get(host);
      if (its == null) {
        return;
      }
      its.ports.forEach(
          (port, reading) -> {
            if (mayDivide(host, port.device())) {
              its.notAllowed.remove(port.device());
            } else {
              if (its.notAllowed.add(port.device())) {
                refused.add(port.device());
              }
              if (reading.flatMap(PortReading::shares).isPresent()) {
                cleared.add(port);
              }
            }
          });
    }
    for (String device : refused) {
      String why =
          "The agent of host ("
              + host
              + ") may not divide ports of the switch ("
              + device
              + "). Maybe set the network configuration devices/"
              + device
              + "/paceline/queueAgent to it.";
      log.warn(why);
      agents.refuseSwitch(host, why);
    }
    cleared.forEach(port -> agents.divide(host, next(), port, Optional.empty(), 0));
  }

  private boolean mayDivide(String host, String device) {
    return switches.queueAgent(device).equals(Optional.of(host));
  }

  private synchronized long next() {
    return ++number;
  }

  @Override
  public boolean divides(LinkId link) {
    return switches
        .portOf(link)
        .filter(
            port -> of(port.device()).filter(by -> by.ports().containsKey(port.name())).isPresent())
        .isPresent();
  }

  @Override
  public CompletableFuture<Optional<QueueRefusal>> set(LinkId link, QueueShares shares) {
    Optional<SwitchPort> port = switches.portOf(link);
    if (port.isEmpty()) {
      return refused(QueueRefusal.Code.NO_SWITCH_PORT, link.toString());
    }
    Optional<String> host = hostOf(port.get().device());
    if (host.isEmpty()) {
      return refused(QueueRefusal.Code.NO_SCHEDULER, port.get().device());
    }
    Order order = new Order(host.get(), port.get(), shares);
    long mine = next();
    synchronized (this) {
      Attached its = byHost.get(host.get());
      if (its == null || !its.ports.containsKey(port.get())) {
        return refused(QueueRefusal.Code.OTHER_PORTS, port.get().toString());
      }
      // Only the newest is of interest.
      open.values().removeIf(one -> one.port.equals(port.get()));
      open.put(mine, order);
    }
    agents.divide(host.get(), mine, port.get(), Optional.of(shares), switches.elephantDscp());
    return order.answer;
  }

  private static CompletableFuture<Optional<QueueRefusal>> refused(
      QueueRefusal.Code code, String about) {
    return CompletableFuture.completedFuture(Optional.of(QueueRefusal.of(code, about)));
  }

  /** Whose agent divides ports of this switch. */
  private Optional<String> hostOf(String device) {
    return switches.queueAgent(device).filter(host -> isOf(host, device));
  }

  private synchronized boolean isOf(String host, String device) {
    return Optional.ofNullable(byHost.get(host))
        .filter(its -> its.ports.keySet().stream().anyMatch(p -> p.device().equals(device)))
        .isPresent();
  }

  @Override
  public void clear(LinkId link) {
    switches
        .portOf(link)
        .ifPresent(
            port ->
                hostOf(port.device())
                    .ifPresent(host -> agents.divide(host, next(), port, Optional.empty(), 0)));
  }

  @Override
  public Map<LinkId, QueueShares> inForce() {
    Map<LinkId, QueueShares> inForce = new TreeMap<>();
    if (nobodyIsAttached()) {
      return inForce;
    }
    int dscp = switches.elephantDscp();
    for (LinkId link : switches.links()) {
      switches
          .portOf(link)
          .flatMap(this::reading)
          .filter(reading -> reading.elephantDscp() == dscp)
          .flatMap(PortReading::shares)
          .ifPresent(shares -> inForce.put(link, shares));
    }
    return inForce;
  }

  @Override
  public Map<LinkId, QueueTraffic> traffic() {
    Map<LinkId, QueueTraffic> traffic = new TreeMap<>();
    if (nobodyIsAttached()) {
      return traffic;
    }
    for (LinkId link : switches.links()) {
      switches
          .portOf(link)
          .flatMap(port -> ask(port, its -> Optional.ofNullable(its.traffic.get(port))))
          .ifPresent(came -> traffic.put(link, came));
    }
    return traffic;
  }

  private synchronized boolean nobodyIsAttached() {
    return byHost.isEmpty();
  }

  private Optional<PortReading> reading(SwitchPort port) {
    return ask(port, its -> its.ports.getOrDefault(port, Optional.empty()));
  }

  private <T> Optional<T> ask(SwitchPort port, Function<Attached, Optional<T>> what) {
    Optional<String> host = hostOf(port.device());
    synchronized (this) {
      return host.flatMap(one -> Optional.ofNullable(byHost.get(one))).flatMap(what);
    }
  }
}
