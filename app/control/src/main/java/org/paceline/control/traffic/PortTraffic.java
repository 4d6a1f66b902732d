package org.paceline.control.traffic;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.paceline.control.directive.Directives;
import org.paceline.control.directive.Route;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.ConversationId;
import org.paceline.control.port.LinkRates;
import org.paceline.control.port.PortQueues;
import org.paceline.control.port.Worker;
import org.paceline.control.scheme.PortState;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.unit.DataRate;

/**
 * What ports carry beside conversations, and beside elephants: by what the queues of a divided port
 * have counted ({@link QueuedTraffic}), and where nobody counts them by the rate of the port less
 * what was counted of those whose path crosses it, over the same time. Ports are counted every few
 * seconds and conversations every second, so what is beside is then now too much and now too
 * little; of the last readings the greatest counts, for what others have too much elephants borrow.
 * On the worker.
 */
public final class PortTraffic {
  private final LinkRates links;
  private final Worker worker;
  private final ProofBook book;
  private final QueuedTraffic queued;
  private final SentRates sentRates = new SentRates();
  private Map<LinkId, LinkRates.Reading> readings = Map.of();
  private final Map<LinkId, LatestMost> beside = new HashMap<>();
  private final Map<LinkId, Long> sent = new HashMap<>();
  private Map<ConversationId, Path> apart = Map.of();

  public PortTraffic(LinkRates links, PortQueues queues, ProofBook book, Worker worker) {
    this.links = links;
    this.worker = worker;
    this.book = book;
    this.queued = new QueuedTraffic(queues, book, worker);
  }

  /**
   * Looks whether ports or their queues were counted again.
   *
   * @param inForce says which way everybody goes
   */
  public void measure(Directives inForce) {
    queued.measure(inForce);
    measurePorts(inForce);
  }

  private void measurePorts(Directives inForce) {
    Map<LinkId, LinkRates.Reading> now = links.rates();
    if (now.equals(readings)) {
      return;
    }
    readings = now;
    Map<ConversationId, Long> rates = sentRates.next(book);
    Set<LinkId> unclear = new HashSet<>();
    Map<ConversationId, Path> ways = new HashMap<>();
    Map<LinkId, Long> planned = new HashMap<>();
    Map<LinkId, Long> elephants = new HashMap<>();
    inForce
        .routes()
        .forEach(
            (id, route) -> {
              long rate = rates.getOrDefault(id, 0L);
              add(route, rate, planned);
              if (route.isApart()) {
                add(route, rate, elephants);
                ways.put(id, route.path());
                if (!rates.containsKey(id) || !route.path().equals(apart.get(id))) {
                  unclear.addAll(route.path().hops());
                }
              }
            });
    // Elephants that came, left or moved in between would look like others.
    apart.forEach(
        (id, path) -> {
          if (!path.equals(ways.get(id))) {
            unclear.addAll(path.hops());
          }
        });
    apart = ways;
    beside.keySet().retainAll(readings.keySet());
    sent.keySet().retainAll(readings.keySet());
    readings.forEach(
        (link, reading) -> {
          if (unclear.contains(link)) {
            return;
          }
          long all = reading.rate().millibitsPerSecond();
          beside
              .computeIfAbsent(link, l -> new LatestMost())
              .add(worker.now(), Math.max(0, all - planned.getOrDefault(link, 0L)));
          sent.put(link, Math.max(0, all - elephants.getOrDefault(link, 0L)));
        });
  }

  /** By the port's queues; by its own counters, too, until the queues were counted a few times. */
  private long beside(LinkId link) {
    long byPort = Optional.ofNullable(beside.get(link)).map(LatestMost::rate).orElse(0L);
    return queued
        .beside(link)
        .map(most -> most.isSettled() ? most.rate() : Math.max(most.rate(), byPort))
        .orElse(byPort);
  }

  public void clear() {
    queued.clear();
    readings = Map.of();
    sentRates.clear();
    beside.clear();
    sent.clear();
    apart = Map.of();
  }

  /**
   * @param network with what plans may divide
   * @param isSwitch whether a node is one, whose ports can have queues
   * @param divides whether somebody divides the port that a link leaves a switch by
   * @param inForce says who is granted what
   */
  public Map<LinkId, PortState> states(
      Network network, Predicate<String> isSwitch, Predicate<LinkId> divides, Directives inForce) {
    Map<LinkId, Long> granted = new HashMap<>();
    inForce
        .routes()
        .forEach(
            (id, route) ->
                Optional.ofNullable(inForce.paces().get(id))
                    .filter(pace -> !route.isApart())
                    .ifPresent(pace -> add(route, pace.rate().millibitsPerSecond(), granted)));
    Map<LinkId, PortState> states = new HashMap<>();
    for (Link link : network.links()) {
      LinkId id = link.id();
      PortState port =
          isSwitch.test(id.from())
              ? PortState.ofSwitch(link.capacity(), divides.test(id))
              : PortState.ofHost(link.capacity());
      states.put(
          id,
          port.carrying(
              rate(granted, id),
              DataRate.ofMillibitsPerSecond(beside(id)),
              queued.sent(id).map(DataRate::ofMillibitsPerSecond).orElse(rate(sent, id))));
    }
    return states;
  }

  private static void add(Route route, long rate, Map<LinkId, Long> loads) {
    route.path().hops().forEach(hop -> loads.merge(hop, rate, Long::sum));
  }

  private static DataRate rate(Map<LinkId, Long> rates, LinkId link) {
    return DataRate.ofMillibitsPerSecond(rates.getOrDefault(link, 0L));
  }
}
