package org.paceline.control.scheme;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.paceline.control.directive.Directives;
import org.paceline.control.directive.Pace;
import org.paceline.control.inventory.Routes;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.unit.DataRate;

/** What schemes have taken of each link so far, and so what is left for the next. */
final class Room {
  /** So little that it serves nobody: a link without capacity would be no link. */
  private static final long NEXT_TO_NOTHING = 1;

  private final Routes whole;
  private final Map<LinkId, Long> taken = new HashMap<>();

  Room(Routes whole) {
    this.whole = whole;
  }

  /**
   * Ways through what this share may use of what is left: the same object where that is everything.
   */
  Routes of(Share share) {
    if (taken.isEmpty() && share.thousandths() == Share.WHOLE) {
      return whole;
    }
    Network network = whole.network();
    List<Link> links = new ArrayList<>();
    for (Link link : network.links()) {
      long load = taken.getOrDefault(link.id(), 0L);
      Link rest = link.beside(Math.min(load, link.limitMillibits() - NEXT_TO_NOTHING));
      long most =
          Math.max(
              NEXT_TO_NOTHING,
              link.limitMillibits() / Share.WHOLE * share.thousandths()
                  + link.limitMillibits() % Share.WHOLE * share.thousandths() / Share.WHOLE);
      links.add(rest.limitMillibits() > most ? rest.withLimitMillibits(most) : rest);
    }
    return new Routes(Network.of(network.nodes(), links));
  }

  /**
   * These are taken.
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
    new TreeMap<>(directives.loads())
        .forEach(
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
              taken.merge(hop, load, Long::sum);
            });
  }
}
