package org.paceline.agent.conversation;

import java.net.InetAddress;
import java.util.Optional;
import org.paceline.agent.flow.Direction;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.naming.Rule;
import org.paceline.intents.tree.IntentPath;

/**
 * What makes many sockets one conversation.
 *
 * @param socket the one socket, where each is a conversation of its own
 */
public record ConversationKey(
    IntentPath intent,
    InetAddress local,
    InetAddress remote,
    Direction direction,
    Optional<Flow> socket) {

  public static ConversationKey of(IntentPath intent, Rule.Grouping grouping, Flow flow) {
    Optional<Flow> socket = grouping == Rule.Grouping.SOCKET ? Optional.of(flow) : Optional.empty();
    return new ConversationKey(intent, flow.local(), flow.remote(), flow.direction(), socket);
  }
}
