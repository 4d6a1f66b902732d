package org.paceline.control.scheme;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.paceline.control.directive.Directives;
import org.paceline.control.directive.Pace;
import org.paceline.control.directive.Queue;
import org.paceline.control.inventory.Routes;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/** What schemes have taken of each link so far, and so what is left for the next. */
final class Room {
  /** So little that it serves nobody: a link without capacity would be no link. */
  static final long NEXT_TO_NOTHING = 1;

  private final Routes whole;

  /** By scheme, in the order of precedence. */
  private final Map<SchemeName, Map<LinkId, Long>> taken = new LinkedHashMap<>();

  Room(Routes whole) {
    this.whole = whole;
  }

  /**
   * Ways through what this share may use of what those before it left: the same object where that
   * is everything.
   */
  Routes of(Share share) {
    Map<LinkId, Long> before = sum(before(share.name()));
    if (before.isEmpty() && share.thousandths() == Share.WHOLE) {
      return whole;
    }
    Network network = whole.network();
    List<Link> links = new ArrayList<>();
    for (Link link : network.links()) {
      links.add(part(left(link, before), share));
    }
    return new Routes(Network.of(network.nodes(), links));
  }

  /**
   * Ways through what the share's scheme has taken, and through all that is left of those links
   * that nobody after it uses; empty where that is no more than it was given.
   */
  Optional<Routes> more(Share share) {
    Network network = whole.network();
    Map<LinkId, Long> before = sum(before(share.name()));
    Map<LinkId, Long> own = taken.getOrDefault(share.name(), Map.of());
    Map<LinkId, Long> after = sum(after(share.name()));
    boolean isMore = false;
    List<Link> links = new ArrayList<>();
    for (Link link : network.links()) {
      Link left = left(link, before);
      boolean isFree = after.getOrDefault(link.id(), 0L) == 0;
      long had = Math.max(NEXT_TO_NOTHING, own.getOrDefault(link.id(), 0L));
      links.add(isFree ? left : left.withLimitMillibits(had));
      isMore |= isFree;
    }
    return isMore && share.thousandths() < Share.WHOLE
        ? Optional.of(new Routes(Network.of(network.nodes(), links)))
        : Optional.empty();
  }

  /** Ways through what the share's scheme has taken, and all that nobody else has. */
  Routes rest(Share share) {
    Map<LinkId, Long> others = sum(before(share.name()));
    sum(after(share.name())).forEach((hop, load) -> others.merge(hop, load, Long::sum));
    Network network = whole.network();
    List<Link> links = new ArrayList<>();
    for (Link link : network.links()) {
      links.add(left(link, others));
    }
    return new Routes(Network.of(network.nodes(), links));
  }

  private static Link left(Link link, Map<LinkId, Long> before) {
    long load = before.getOrDefault(link.id(), 0L);
    return link.beside(Math.min(load, link.limitMillibits() - NEXT_TO_NOTHING));
  }

  private static Link part(Link left, Share share) {
    long limit = left.limitMillibits();
    long most =
        Math.max(
            NEXT_TO_NOTHING,
            limit / Share.WHOLE * share.thousandths()
                + limit % Share.WHOLE * share.thousandths() / Share.WHOLE);
    return limit > most ? left.withLimitMillibits(most) : left;
  }

  private List<Map<LinkId, Long>> before(SchemeName scheme) {
    List<Map<LinkId, Long>> before = new ArrayList<>();
    for (Map.Entry<SchemeName, Map<LinkId, Long>> one : taken.entrySet()) {
      if (one.getKey() == scheme) {
        break;
      }
      before.add(one.getValue());
    }
    return before;
  }

  private List<Map<LinkId, Long>> after(SchemeName scheme) {
    List<Map<LinkId, Long>> others = new ArrayList<>(taken.values());
    return others.subList(before(scheme).size() + 1, others.size());
  }

  private static Map<LinkId, Long> sum(List<Map<LinkId, Long>> loads) {
    Map<LinkId, Long> sum = new HashMap<>();
    loads.forEach(one -> one.forEach((hop, load) -> sum.merge(hop, load, Long::sum)));
    return sum;
  }

  /**
   * These are taken, in the place of what the scheme had taken before. Queues take nothing: each
   * may use what the other leaves, so they are only to be within their link.
   *
   * @param routes where they are to fit in
   * @param ruled whom the scheme may decide about
   * @throws IllegalStateException if a link cannot carry them, or they are not the scheme's to
   *     give: a bug of the scheme
   */
  void take(Share share, Routes routes, Directives directives, List<Application> ruled) {
    Set<String> its = ruled.stream().map(Application::id).collect(Collectors.toSet());
    for (Pace pace : directives.paces().values()) {
      if (pace.owner() != share.name() || !its.contains(pace.conversation().toString())) {
        throw new IllegalStateException(
            "The scheme " + share.name().word() + " decided what is not its own: " + pace.id());
      }
    }
    for (Queue queue : directives.queues().values()) {
      DataRate held = whole.network().link(queue.link()).map(Link::capacity).orElse(DataRate.ZERO);
      if (queue.owner() != share.name() || queue.shares().total().compareTo(held) > 0) {
        throw new IllegalStateException(
            "The scheme "
                + share.name().word()
                + " divides a port otherwise than it may: "
                + queue.id()
                + ", "
                + queue.shares()
                + " of "
                + held);
      }
    }
    Map<LinkId, Long> loads = new TreeMap<>(directives.loads());
    loads.forEach(
        (hop, load) -> {
          long limit = routes.network().link(hop).map(Link::limitMillibits).orElse(0L);
          if (load > limit) {
            throw new IllegalStateException(
                "The scheme "
                    + share.name().word()
                    + " took "
                    + DataRate.ofMillibitsPerSecond(load)
                    + " of the "
                    + DataRate.ofMillibitsPerSecond(limit)
                    + " that it may use of the link ("
                    + hop
                    + ")");
          }
        });
    taken.put(share.name(), loads);
  }
}
