package org.paceline.control.inventory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;

/**
 * Ways through one network, remembered per pair of nodes: the way with the fewest hops, and whether
 * it is the only one. O(H (V + E)) for the first question about a pair, H hops. Not thread-safe.
 */
public final class Routes {
  /** So little that it only decides between ways of equal delay. */
  private static final long HOP_NANOS = 1_000;

  private final Network network;
  private final Map<LinkId, Optional<Path>> shortest = new HashMap<>();
  private final Map<LinkId, Boolean> only = new HashMap<>();

  public Routes(Network network) {
    this.network = network;
  }

  public Network network() {
    return network;
  }

  /** Fewest hops; among equals the first in the network's order of links. */
  public Optional<Path> shortest(String from, String to) {
    return shortest.computeIfAbsent(LinkId.of(from, to), ends -> search(ends, Set.of()));
  }

  /** Whether every way from one to the other crosses the same links. */
  public boolean isOnly(Path path) {
    // Each link of the path must be one without which there is no way at all.
    return only.computeIfAbsent(
        LinkId.of(path.from(), path.to()),
        ends -> path.hops().stream().allMatch(hop -> search(ends, Set.of(hop)).isEmpty()));
  }

  private Optional<Path> search(LinkId ends, Set<LinkId> without) {
    Map<String, String> cameFrom = new HashMap<>();
    Set<String> seen = new HashSet<>(Set.of(ends.from()));
    Deque<String> open = new ArrayDeque<>(List.of(ends.from()));
    while (!open.isEmpty()) {
      String node = open.remove();
      if (node.equals(ends.to())) {
        return Optional.of(trace(cameFrom, ends));
      }
      for (Link link : network.outgoing(node)) {
        if (!without.contains(link.id()) && seen.add(link.to())) {
          cameFrom.put(link.to(), node);
          open.add(link.to());
        }
      }
    }
    return Optional.empty();
  }

  /**
   * The way of packets that nobody leads: the quickest while idle. O((V + E) log V), and not
   * remembered.
   */
  public Optional<Path> quickest(String from, String to) {
    return quickest(from, to, link -> true);
  }

  /** The quickest while idle by links that will do. */
  public Optional<Path> quickest(String from, String to, Predicate<Link> will) {
    Map<String, Long> arrival = new HashMap<>(Map.of(from, 0L));
    Map<String, String> cameFrom = new HashMap<>();
    PriorityQueue<Map.Entry<Long, String>> open =
        new PriorityQueue<>(
            Map.Entry.<Long, String>comparingByKey().thenComparing(Map.Entry.comparingByValue()));
    open.add(Map.entry(0L, from));
    while (!open.isEmpty()) {
      Map.Entry<Long, String> next = open.remove();
      if (next.getValue().equals(to)) {
        return Optional.of(trace(cameFrom, LinkId.of(from, to)));
      }
      for (Link link : network.outgoing(next.getValue())) {
        long then = next.getKey() + HOP_NANOS + link.delay().least().nanos();
        if (will.test(link) && then < arrival.getOrDefault(link.to(), Long.MAX_VALUE)) {
          arrival.put(link.to(), then);
          cameFrom.put(link.to(), link.from());
          open.add(Map.entry(then, link.to()));
        }
      }
    }
    return Optional.empty();
  }

  private static Path trace(Map<String, String> cameFrom, LinkId ends) {
    List<String> nodes = new ArrayList<>(List.of(ends.to()));
    String at = ends.to();
    while (!at.equals(ends.from())) {
      at = cameFrom.getOrDefault(at, ends.from());
      nodes.add(at);
    }
    Collections.reverse(nodes);
    return Path.of(nodes);
  }
}
