package org.paceline.control.plan;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.paceline.control.conversations.Conversation;
import org.paceline.control.conversations.ConversationId;
import org.paceline.control.port.PathInstaller;
import org.paceline.intents.problem.Grant;

/** Leads conversations along their paths where there is a choice of ways, and only there. */
final class Steering {
  private final PathInstaller paths;
  private final Set<ConversationId> steered = new HashSet<>();

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
    for (ConversationId id : changed.stream().sorted().collect(Collectors.toList())) {
      Conversation conversation = conversations.get(id);
      Grant grant = plan.grants().get(id);
      if (conversation == null) {
        continue;
      }
      if (grant != null && !routes.isOnly(grant.path())) {
        steered.add(id);
        paths.install(conversation, grant.path());
      } else {
        release(conversation);
      }
    }
  }

  /** Back to default forwarding. */
  void release(Conversation conversation) {
    if (steered.remove(conversation.id())) {
      paths.remove(conversation);
    }
  }
}
