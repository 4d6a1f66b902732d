package org.paceline.control.planning;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.paceline.control.directive.Directive;
import org.paceline.control.directive.Directives;
import org.paceline.control.inventory.Routes;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;

/**
 * Who was held to a rate and has no way any more: each keeps its rate, rules and meter until it has
 * one, or ends. Maybe only the controller has lost sight of a link, and packets are under way; and
 * when a link is back, default forwarding leads them before there is a plan, so that somebody must
 * hold them by then. What they may be sending over links that are left is taken.
 */
public final class DisconnectedConversations {
  private static final DataRate NEXT_TO_NOTHING = DataRate.ofMillibitsPerSecond(1);

  private Routes all = new Routes(Network.of(List.of(), List.of()));
  private Routes left = all;
  private Directives kept = Directives.NONE;

  /** What they keep. */
  static final class Kept {
    final Directives directives;
    final Map<ConversationId, Grant> grants;

    private Kept(Directives directives, Map<ConversationId, Grant> grants) {
      this.directives = directives;
      this.grants = grants;
    }
  }

  /** Of those who are held to a rate, who has no way now. O(n) in conversations. */
  static Kept of(Plan held, Demands demands, Routes routes) {
    Map<ConversationId, Grant> disconnected = new TreeMap<>();
    for (Application application : demands.applications) {
      if (routes.shortest(application.from(), application.to()).isEmpty()) {
        ConversationId id = ConversationId.parse(application.id());
        held.of(id).ifPresent(grant -> disconnected.put(id, grant));
      }
    }
    demands.outOfSight.forEach(id -> held.of(id).ifPresent(grant -> disconnected.put(id, grant)));
    return new Kept(
        disconnected.isEmpty()
            ? Directives.NONE
            : held.directives()
                .about(disconnected::containsKey)
                .nowBecause(Directive.Reason.NO_PATH),
        disconnected);
  }

  /** Ways through what the disconnected leave; the same object while neither changes. */
  Routes left(Routes routes, Directives disconnected) {
    if (all != routes || !kept.equals(disconnected)) {
      all = routes;
      kept = disconnected;
      left =
          disconnected.equals(Directives.NONE)
              ? routes
              : new Routes(without(routes.network(), kept.loads()));
    }
    return left;
  }

  private static Network without(Network network, Map<LinkId, Long> loads) {
    List<Link> links = new ArrayList<>();
    for (Link link : network.links()) {
      long load = loads.getOrDefault(link.id(), 0L);
      DataRate rest =
          DataRate.ofMillibitsPerSecond(
              Math.max(
                  NEXT_TO_NOTHING.millibitsPerSecond(),
                  link.capacity().millibitsPerSecond() - load));
      links.add(load > 0 ? link.withCapacity(rest) : link);
    }
    return Network.of(network.nodes(), links);
  }
}
