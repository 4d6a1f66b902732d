package org.paceline.control.rollout;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.paceline.control.directive.Route;
import org.paceline.control.inventory.Routes;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.planning.PlanDifference;
import org.paceline.control.port.PathInstaller;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;

/**
 * Leads conversations along their paths where that takes rules of their own: where there was ever
 * another way. A link that is back may take what default forwarding leads before there is a plan,
 * whatever room it has.
 */
final class Steering {
  private final PathInstaller paths;
  private final Set<ConversationId> steered = new HashSet<>();
  private Routes everSeen = new Routes(Network.of(Set.of(), Set.of()));
  private boolean everybody;

  Steering(PathInstaller paths) {
    this.paths = paths;
  }

  /** From now on there are these links too. Those that are gone may come back. */
  void sees(Network network) {
    Map<LinkId, Link> links = new LinkedHashMap<>();
    everSeen.network().links().forEach(link -> links.put(link.id(), link));
    int before = links.size();
    network.links().forEach(link -> links.put(link.id(), link));
    if (links.size() > before) {
      Set<String> nodes = new LinkedHashSet<>(everSeen.network().nodes());
      nodes.addAll(network.nodes());
      everSeen = new Routes(Network.of(nodes, links.values()));
    }
  }

  /**
   * Who is to be led by the new paths: whose path is new, or must now be led. Default forwarding
   * leads along the only way there ever was; it leaves that way when there comes another.
   */
  Set<ConversationId> changed(
      Map<ConversationId, Route> routes,
      PlanDifference difference,
      Map<ConversationId, Conversation> conversations) {
    Set<ConversationId> changed = new HashSet<>(difference.paced());
    changed.addAll(difference.moved());
    if (everybody != paths.leadsEverybody()) {
      everybody = !everybody;
      changed.addAll(routes.keySet());
    }
    routes.forEach(
        (id, route) -> {
          Conversation conversation = conversations.get(id);
          if (conversation != null
              && !steered.contains(id)
              && (route.isApart() || isNeeded(conversation, route.path()))) {
            changed.add(id);
          }
        });
    return changed;
  }

  /** The same of an elephant, whose packets are marked. */
  CompletableFuture<Void> leadApart(Conversation conversation, Path path) {
    steered.add(conversation.id());
    return paths.installApart(conversation, path);
  }

  /** Completes, on any thread, when the conversation's packets take the path. */
  CompletableFuture<Void> lead(Conversation conversation, Path path) {
    if (isNeeded(conversation, path)) {
      steered.add(conversation.id());
      return paths.install(conversation, path);
    }
    release(conversation);
    return CompletableFuture.completedFuture(null);
  }

  /** Its new packets take the way that the others take. */
  void matchedOtherwise(Conversation conversation) {
    if (steered.contains(conversation.id())) {
      paths.matchedOtherwise(conversation);
    }
  }

  /** Also where a rule at the first switch does more than lead. */
  private boolean isNeeded(Conversation conversation, Path path) {
    return !everSeen.isOnly(path) || conversation.isMetered() || paths.leadsEverybody();
  }

  /** Back to default forwarding. */
  void release(Conversation conversation) {
    if (steered.remove(conversation.id())) {
      paths.remove(conversation);
    }
  }
}
