package org.paceline.control.planning;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
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
import org.paceline.control.model.Proof;
import org.paceline.control.port.LinkRates;
import org.paceline.control.scheme.PortState;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.unit.DataRate;

/**
 * What ports carry beside conversations, and beside elephants: the rate of the port less what was
 * counted of those whose path crosses it, over the same time. Ports are counted every few seconds
 * and conversations every second, so what is beside is now too much and now too little; of the last
 * readings the greatest counts, for what others have too much elephants borrow. On the worker.
 */
final class PortTraffic {
  private static final double MILLIBITS_PER_BYTE = 8_000;
  private static final double NANOS = 1e9;

  /** So long traffic that is no longer seen still counts, and three readings at least. */
  private static final Duration KEPT = Duration.ofSeconds(15);

  private static final int LEAST_KEPT = 3;

  private final LinkRates links;
  private final ProofBook book;
  private Map<LinkId, LinkRates.Reading> readings = Map.of();
  private Map<ConversationId, Counted> counted = new HashMap<>();
  private final Map<LinkId, Deque<Carried>> beside = new HashMap<>();
  private final Map<LinkId, Long> sent = new HashMap<>();
  private Map<ConversationId, Path> apart = Map.of();

  /** What a port carried beside all conversations, in millibits a second. */
  private static final class Carried {
    final Instant at;
    final long rate;

    Carried(Instant at, long rate) {
      this.at = at;
      this.rate = rate;
    }
  }

  /** What a conversation had sent by the end of a period. */
  private static final class Counted {
    final Instant at;
    final long bytes;

    Counted(Instant at, long bytes) {
      this.at = at;
      this.bytes = bytes;
    }

    /** In millibits a second; empty where nothing new was counted. */
    Optional<Long> rateSince(Counted before) {
      long nanos = Duration.between(before.at, at).toNanos();
      return nanos <= 0 || bytes < before.bytes
          ? Optional.empty()
          : Optional.of((long) ((bytes - before.bytes) * MILLIBITS_PER_BYTE / (nanos / NANOS)));
    }
  }

  PortTraffic(LinkRates links, ProofBook book) {
    this.links = links;
    this.book = book;
  }

  /**
   * Looks whether ports were counted again.
   *
   * @param inForce says which way everybody goes
   */
  void measure(Directives inForce) {
    Map<LinkId, LinkRates.Reading> now = links.rates();
    if (now.equals(readings)) {
      return;
    }
    readings = now;
    Map<ConversationId, Long> rates = rates();
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
          Carried newest =
              new Carried(reading.at(), Math.max(0, all - planned.getOrDefault(link, 0L)));
          Deque<Carried> recent = beside.computeIfAbsent(link, l -> new ArrayDeque<>());
          recent.addLast(newest);
          while (recent.size() > LEAST_KEPT
              && recent.getFirst().at.plus(KEPT).isBefore(newest.at)) {
            recent.removeFirst();
          }
          sent.put(link, Math.max(0, all - elephants.getOrDefault(link, 0L)));
        });
  }

  /** The most of late: what looks less is maybe only counted at another time. */
  private long beside(LinkId link) {
    return beside.getOrDefault(link, new ArrayDeque<>()).stream()
        .mapToLong(one -> one.rate)
        .max()
        .orElse(0);
  }

  /** What each conversation sent since the ports were counted before, in millibits a second. */
  private Map<ConversationId, Long> rates() {
    Map<ConversationId, Counted> before = counted;
    counted = new HashMap<>();
    Map<ConversationId, Long> rates = new HashMap<>();
    for (Proof proof : book.all()) {
      ConversationId id = proof.conversation().id();
      proof
          .countedAt()
          .ifPresent(
              at -> {
                Counted now = new Counted(at, proof.sentBytes());
                counted.put(id, now);
                Optional.ofNullable(before.get(id))
                    .flatMap(now::rateSince)
                    .ifPresent(rate -> rates.put(id, rate));
              });
    }
    return rates;
  }

  void clear() {
    readings = Map.of();
    counted = new HashMap<>();
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
  Map<LinkId, PortState> states(
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
              rate(granted, id), DataRate.ofMillibitsPerSecond(beside(id)), rate(sent, id)));
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
