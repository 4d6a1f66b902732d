package org.paceline.control.borrowing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.paceline.control.directive.Directive;
import org.paceline.control.directive.Directives;
import org.paceline.control.directive.Route;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.unit.Latency;

/**
 * What may be sent on links whose delay grows with their load: who borrows raises that for all, and
 * each was granted a delay bin. What a path leaves of its bin is divided evenly among the links of
 * it whose delay grows, and of a link the least counts that anybody leaves.
 */
final class KeptDelays {
  private final Directives directives;
  private final Function<ConversationId, Optional<Latency>> bins;

  /**
   * @param bins the delay bin of a conversation's grant; empty where it has none to be kept
   */
  KeptDelays(Directives directives, Function<ConversationId, Optional<Latency>> bins) {
    this.directives = directives;
    this.bins = bins;
  }

  /**
   * The same network with as much of each link as may be sent, borrowed rates included; no less
   * than the directives send.
   */
  Network within(Network network) {
    if (network.links().stream().allMatch(link -> link.delay().isConstant())) {
      return network;
    }
    Map<LinkId, Long> loads = directives.loads();
    Map<LinkId, Part> parts = new HashMap<>();
    for (Link link : network.links()) {
      parts.put(link.id(), new Part(link, loads.getOrDefault(link.id(), 0L)));
    }
    directives.routes().values().stream()
        // Whoever is not granted what it asked for may be on a way that is too slow in any case.
        .filter(route -> route.reason() == Directive.Reason.GRANTED)
        .forEach(
            route -> bins.apply(route.conversation()).ifPresent(bin -> keep(parts, route, bin)));
    List<Link> links = new ArrayList<>();
    for (Link link : network.links()) {
      links.add(Objects.requireNonNull(parts.get(link.id())).bounded());
    }
    return Network.of(List.copyOf(network.nodes()), links);
  }

  private static void keep(Map<LinkId, Part> parts, Route route, Latency bin) {
    List<Part> growing = new ArrayList<>();
    long left = bin.nanos();
    for (LinkId hop : route.path().hops()) {
      Part part = parts.get(hop);
      if (part != null) {
        left -= part.delay;
        if (!part.link.delay().isConstant()) {
          growing.add(part);
        }
      }
    }
    for (Part part : growing) {
      part.left = Math.min(part.left, Math.max(0, left / growing.size()));
    }
  }

  /** A link of paths; loads in millibits per second, delays in nanoseconds. */
  private static final class Part {
    final Link link;

    /** With what the directives send. */
    final long delay;

    long left = Long.MAX_VALUE;

    Part(Link link, long load) {
      this.link = link;
      this.delay = link.delay().nanosAt(load);
    }

    Link bounded() {
      if (left == Long.MAX_VALUE) {
        return link;
      }
      return link.delay()
          .greatestLoadWithin(Latency.ofNanos(delay + left))
          .filter(most -> most.compareTo(link.capacity()) < 0)
          .map(link::withCapacity)
          .orElse(link);
    }
  }
}
