package org.paceline.allocator.exact;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;

/**
 * Recognises problems with one bottleneck: between each source and destination leads one way only,
 * and all ways share a link; the shared link with the least room is the bottleneck. Other links
 * have a delay that does not depend on their load, unless every application crosses them.
 */
final class BottleneckShape {
  private final Map<LinkId, Path> pathByEnds;
  private final List<Link> shared;
  private final Link bottleneck;

  private BottleneckShape(Map<LinkId, Path> pathByEnds, List<Link> shared, Link bottleneck) {
    this.pathByEnds = pathByEnds;
    this.shared = shared;
    this.bottleneck = bottleneck;
  }

  /** Empty where the problem is of another shape. O(P (V + E) H) for P pairs and H hops. */
  static Optional<BottleneckShape> of(Network network, Crowds crowds) {
    Map<LinkId, Path> paths = new HashMap<>();
    Set<LinkId> common = new HashSet<>();
    for (Crowd crowd : crowds.ordered()) {
      LinkId ends = LinkId.of(crowd.from(), crowd.to());
      if (!paths.containsKey(ends)) {
        Optional<Path> only = onlyPath(network, ends);
        if (only.isEmpty()) {
          return Optional.empty();
        }
        if (paths.isEmpty()) {
          common.addAll(only.get().hops());
        } else {
          common.retainAll(new HashSet<>(only.get().hops()));
        }
        paths.put(ends, only.get());
      }
    }
    if (common.isEmpty()) {
      return Optional.empty();
    }
    List<LinkId> ordered = new ArrayList<>(common);
    Collections.sort(ordered);
    List<Link> shared = new ArrayList<>();
    ordered.forEach(id -> network.link(id).ifPresent(shared::add));
    boolean othersConstant =
        paths.values().stream()
            .flatMap(p -> p.hops().stream())
            .filter(hop -> !common.contains(hop))
            .allMatch(hop -> network.link(hop).map(l -> l.delay().isConstant()).orElse(false));
    if (!othersConstant) {
      return Optional.empty();
    }
    Link least =
        Collections.min(shared, (a, b) -> Long.compare(a.limitMillibits(), b.limitMillibits()));
    return Optional.of(new BottleneckShape(paths, shared, least));
  }

  Link bottleneck() {
    return bottleneck;
  }

  Path path(String from, String to) {
    return java.util.Objects.requireNonNull(pathByEnds.get(LinkId.of(from, to)));
  }

  /** The delay, in nanoseconds, of the hops that not all applications share. */
  long ownDelayNanos(Network network, String from, String to) {
    return path(from, to).hops().stream()
        .map(hop -> network.link(hop).orElseThrow(AssertionError::new))
        .filter(link -> !shared.contains(link))
        .mapToLong(link -> link.delay().least().nanos())
        .sum();
  }

  /** The delay, in nanoseconds, of the shared links at a load. */
  long sharedDelayNanos(long loadMillibits) {
    return shared.stream().mapToLong(link -> link.delay().nanosAt(loadMillibits)).sum();
  }

  boolean sharedDelayIsConstant() {
    return shared.stream().allMatch(link -> link.delay().isConstant());
  }

  /** The greatest load, at most the limit, with a shared delay within the budget; -1 for none. */
  long greatestLoadWithin(long delayNanos) {
    if (sharedDelayNanos(0) > delayNanos) {
      return -1;
    }
    long low = 0;
    long high = bottleneck.limitMillibits() + 1;
    // Invariant: low is within the budget, high is not or is above the limit.
    while (high - low > 1) {
      long middle = low + (high - low) / 2;
      if (sharedDelayNanos(middle) <= delayNanos) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The only simple path, if there is exactly one: then each of its hops is a bridge. */
  private static Optional<Path> onlyPath(Network network, LinkId ends) {
    Optional<Path> found = search(network, ends, Optional.empty());
    boolean only =
        found.isPresent()
            && found.get().hops().stream()
                .noneMatch(hop -> search(network, ends, Optional.of(hop)).isPresent());
    return only ? found : Optional.empty();
  }

  private static Optional<Path> search(Network network, LinkId ends, Optional<LinkId> without) {
    Map<String, String> cameFrom = new HashMap<>();
    Deque<String> queue = new ArrayDeque<>(List.of(ends.from()));
    cameFrom.put(ends.from(), ends.from());
    while (!queue.isEmpty() && !cameFrom.containsKey(ends.to())) {
      String node = queue.remove();
      for (Link link : network.outgoing(node)) {
        boolean allowed = without.isEmpty() || !without.get().equals(link.id());
        if (allowed && cameFrom.putIfAbsent(link.to(), node) == null) {
          queue.add(link.to());
        }
      }
    }
    if (!cameFrom.containsKey(ends.to())) {
      return Optional.empty();
    }
    List<String> nodes = new ArrayList<>(List.of(ends.to()));
    while (!nodes.get(nodes.size() - 1).equals(ends.from())) {
      nodes.add(cameFrom.getOrDefault(nodes.get(nodes.size() - 1), ends.from()));
    }
    Collections.reverse(nodes);
    return Optional.of(Path.of(nodes));
  }
}
