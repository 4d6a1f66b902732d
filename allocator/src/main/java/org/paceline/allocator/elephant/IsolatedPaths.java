package org.paceline.allocator.elephant;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.unit.DataRate;

/**
 * The paths of elephants, one after the other: each goes where bulk hurts least.
 *
 * <p>Of all loop-free paths it is the one whose links carry the least traffic of others, added up
 * in twentieths of each link's capacity; among those the widest for one elephant more, which has
 * its max-min fair share of the narrowest link beside the elephants there, none of which has less
 * than it was promised; among those the one with the fewest links, and the first by name. Exact
 * without listing paths: links that lie on any path with the least sum are those where the
 * distances from both ends add up to it, so that among them only the width and then the hops are
 * looked for. Yan et al. 2013 lead elephants over paths of their own and leave open which. O(W (V +
 * E)) for W different widths, and O((V + E) log V).
 */
public final class IsolatedPaths {
  /** So little of a link that it is no reason for another way: a twentieth. */
  private static final int PARTS = 20;

  /** A path is left for one that carries so much less of others: a tenth of one link. */
  private static final long WORTH_A_MOVE = 2;

  /** Or where it would be so much wider. */
  private static final int WORTH_A_MOVE_TIMES = 2;

  private final Network network;
  private final Map<LinkId, Long> others;

  /** Those that were promised nothing. */
  private final Map<LinkId, Integer> elephants = new HashMap<>();

  /** What was promised to each of the others, the greatest first. */
  private final Map<LinkId, List<Long>> promises = new HashMap<>();

  private final Map<LinkId, Long> promised = new HashMap<>();

  /**
   * @param others what others send, or may send, on each link, in millibits per second
   */
  public IsolatedPaths(Network network, Map<LinkId, Long> others) {
    this.network = network;
    this.others = new HashMap<>(others);
  }

  /** What others send on the link, and what was promised there, in twentieths of its capacity. */
  public long hurt(Link link) {
    return hurt(link.capacity(), load(link) + promised.getOrDefault(link.id(), 0L));
  }

  /**
   * The same of a link by itself.
   *
   * @param others what they send there, in millibits per second
   */
  public static long hurt(DataRate capacity, long others) {
    double part = (double) others / Math.max(1, capacity.millibitsPerSecond());
    return Math.min(PARTS, (long) (PARTS * part));
  }

  /**
   * What an elephant more would have of the link, in millibits per second: the level up to which
   * all there fill it. One that was promised more than the level has that much instead.
   */
  public long width(Link link) {
    long left = Math.max(0, link.capacity().millibitsPerSecond() - load(link));
    List<Long> above = promises.getOrDefault(link.id(), List.of());
    long sharing = elephants.getOrDefault(link.id(), 0) + 1 + above.size();
    for (long promise : above) {
      if (promise <= left / sharing) {
        break;
      }
      left = Math.max(0, left - promise);
      sharing--;
    }
    return left / sharing;
  }

  private long load(Link link) {
    return others.getOrDefault(link.id(), 0L);
  }

  /** From now on one elephant more is on it. */
  public void take(Path path) {
    path.hops().forEach(hop -> elephants.merge(hop, 1, Integer::sum));
  }

  /**
   * From now on one more is on it, and so much of its links was promised to that one: elephants
   * after it are hurt by that as by others.
   *
   * @param promise in millibits per second
   */
  public void take(Path path, long promise) {
    for (LinkId hop : path.hops()) {
      List<Long> there = promises.computeIfAbsent(hop, h -> new ArrayList<>());
      there.add(promise);
      there.sort(Comparator.reverseOrder());
      promised.merge(hop, promise, Long::sum);
    }
  }

  /**
   * The path of one elephant more: the one that it has, unless another is clearly better.
   *
   * @param will which links can keep elephants apart
   * @return empty where no way leads along such links
   */
  public Optional<Path> choose(
      String from, String to, Optional<Path> before, Predicate<Link> will) {
    Optional<Path> best = best(from, to, will);
    Optional<Path> kept =
        before
            .filter(path -> path.from().equals(from) && path.to().equals(to))
            .filter(path -> links(path).size() == path.hops().size())
            .filter(path -> links(path).stream().allMatch(will));
    if (best.isEmpty() || kept.isEmpty()) {
      return best;
    }
    long less = hurt(kept.get()) - hurt(best.get());
    boolean isWider =
        less >= 0 && width(best.get()) / WORTH_A_MOVE_TIMES >= Math.max(1, width(kept.get()));
    return less >= WORTH_A_MOVE || isWider ? best : kept;
  }

  private List<Link> links(Path path) {
    return path.hops().stream()
        .flatMap(hop -> network.link(hop).stream())
        .collect(Collectors.toUnmodifiableList());
  }

  private long hurt(Path path) {
    return links(path).stream().mapToLong(this::hurt).sum();
  }

  private long width(Path path) {
    return links(path).stream().mapToLong(this::width).min().orElse(0);
  }

  /** The best path whoever has which. */
  Optional<Path> best(String from, String to, Predicate<Link> will) {
    if (from.equals(to)) {
      return Optional.empty();
    }
    Map<String, Set<Link>> into = new HashMap<>();
    for (Link link : network.links()) {
      if (will.test(link)) {
        into.computeIfAbsent(link.to(), node -> new HashSet<>()).add(link);
      }
    }
    Map<String, Long> left = distancesTo(to, into);
    if (!left.containsKey(from)) {
      return Optional.empty();
    }
    // On a path with the least sum each link brings just its own part nearer.
    Predicate<Link> isLeast =
        link ->
            will.test(link)
                && left.containsKey(link.to())
                && left.getOrDefault(link.from(), Long.MAX_VALUE)
                    == left.getOrDefault(link.to(), 0L) + hurt(link);
    List<Long> widths =
        network.links().stream()
            .filter(isLeast)
            .map(this::width)
            .distinct()
            .sorted(Comparator.reverseOrder())
            .collect(Collectors.toUnmodifiableList());
    return widths.stream()
        .flatMap(width -> fewestHops(from, to, isLeast.and(link -> width(link) >= width)).stream())
        .findFirst();
  }

  private Map<String, Long> distancesTo(String to, Map<String, Set<Link>> into) {
    Map<String, Long> left = new HashMap<>(Map.of(to, 0L));
    PriorityQueue<Map.Entry<Long, String>> open = new PriorityQueue<>(Map.Entry.comparingByKey());
    open.add(Map.entry(0L, to));
    while (!open.isEmpty()) {
      Map.Entry<Long, String> next = open.remove();
      if (next.getKey() > left.getOrDefault(next.getValue(), Long.MAX_VALUE)) {
        continue;
      }
      for (Link link : into.getOrDefault(next.getValue(), Set.of())) {
        long then = next.getKey() + hurt(link);
        if (then < left.getOrDefault(link.from(), Long.MAX_VALUE)) {
          left.put(link.from(), then);
          open.add(Map.entry(then, link.from()));
        }
      }
    }
    return left;
  }

  /** Level by level, each in the order of names, so that the first to come is the first by name. */
  private Optional<Path> fewestHops(String from, String to, Predicate<Link> among) {
    Map<String, String> cameFrom = new HashMap<>(Map.of(from, from));
    Deque<String> open = new ArrayDeque<>(List.of(from));
    while (!open.isEmpty()) {
      String node = open.remove();
      if (node.equals(to)) {
        return Optional.of(trace(cameFrom, to));
      }
      network.outgoing(node).stream()
          .filter(among)
          .map(Link::to)
          .sorted()
          .forEach(
              next -> {
                if (cameFrom.putIfAbsent(next, node) == null) {
                  open.add(next);
                }
              });
    }
    return Optional.empty();
  }

  private static Path trace(Map<String, String> cameFrom, String to) {
    List<String> nodes = new ArrayList<>(List.of(to));
    String at = to;
    for (String before = cameFrom.getOrDefault(at, at);
        !before.equals(at);
        before = cameFrom.getOrDefault(at, at)) {
      nodes.add(before);
      at = before;
    }
    Collections.reverse(nodes);
    return Path.of(nodes);
  }
}
