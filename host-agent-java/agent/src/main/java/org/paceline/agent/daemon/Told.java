package org.paceline.agent.daemon;

import java.util.Collection;
import java.util.Optional;
import org.paceline.agent.conversation.Conversation;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.runtime.Console;
import org.paceline.agent.session.ControllerSession;
import org.paceline.agent.smallnetwork.SmallNetwork;
import org.paceline.agent.tracking.ConversationTracker;

/** Who is told of conversations: the controller, the loop that shares with peers, or both. */
record Told(Optional<ControllerSession> controller, Optional<SmallNetwork> peers, Console console)
    implements ConversationTracker.Listener {
  @Override
  public void opened(Conversation conversation) {
    controller.ifPresent(c -> c.opened(conversation));
    peers.ifPresent(p -> p.opened(conversation));
  }

  @Override
  public void matchedOtherwise(Conversation conversation) {
    controller.ifPresent(c -> c.matchedOtherwise(conversation));
  }

  @Override
  public void closed(Collection<Conversation> conversations) {
    controller.ifPresent(c -> c.closed(conversations));
    peers.ifPresent(p -> p.closed(conversations));
  }

  @Override
  public void unpaced(Flow flow, String reason) {
    console.say(reason + ": " + flow + " goes unpaced");
  }
}
