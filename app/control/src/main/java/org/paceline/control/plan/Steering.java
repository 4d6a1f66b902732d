package org.paceline.control.plan;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.paceline.control.conversations.Conversation;
import org.paceline.control.conversations.ConversationId;
import org.paceline.control.conversations.Enforcement;
import org.paceline.control.port.PathInstaller;
import org.paceline.intents.problem.Grant;

/** Leads conversations along their paths where that takes rules of their own. */
final class Steering {
  private final PathInstaller paths;
  private final Set<ConversationId> steered = new HashSet<>();
  private boolean everybody;

  Steering(PathInstaller paths) {
    this.paths = paths;
  }

  /** Makes the new plan's paths true. */
  void follow(
      Plan plan,
      PlanDifference difference,
      Routes routes,
      Map<ConversationId, Conversation> conversations) {
    Set<ConversationId> changed = new HashSet<>(difference.granted());
    changed.addAll(difference.moved());
    changed.addAll(difference.ended());
    if (everybody != paths.leadsEverybody()) {
      everybody = !everybody;
      changed.addAll(plan.grants().keySet());
    }
    for (ConversationId id : changed.stream().sorted().collect(Collectors.toList())) {
      Conversation conversation = conversations.get(id);
      Grant grant = plan.grants().get(id);
      if (conversation == null) {
        continue;
      }
      if (grant != null && isNeeded(conversation, grant, routes)) {
        steered.add(id);
        paths.install(conversation, grant.path());
      } else {
        release(conversation);
      }
    }
  }

  /** Also where a rule at the first switch does more than lead. */
  private boolean isNeeded(Conversation conversation, Grant grant, Routes routes) {
    return !routes.isOnly(grant.path())
        || conversation.enforcement() == Enforcement.FIRST_HOP
        || paths.leadsEverybody();
  }

  /** Back to default forwarding. */
  void release(Conversation conversation) {
    if (steered.remove(conversation.id())) {
      paths.remove(conversation);
    }
  }
}
