package org.paceline.control.plan;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.paceline.control.conversations.AgentInfo;
import org.paceline.control.conversations.Conversation;
import org.paceline.control.conversations.ConversationId;
import org.paceline.control.conversations.Transport;
import org.paceline.control.conversations.Unserved;

/**
 * Conversations that their receivers announced though somebody else speaks for the same packets:
 * counted twice, they would take their share twice. The sender's agent comes first, for it can pace
 * and knows which application sends; then whoever announced the conversation by hand. O(n), where
 * receivers announced any.
 */
final class Doubled {
  private Doubled() {}

  static Map<ConversationId, Unserved> in(Roster roster) {
    Map<ConversationId, Unserved> doubled = new TreeMap<>();
    List<Conversation> incoming =
        roster.conversations().values().stream()
            .filter(Conversation::incoming)
            .collect(Collectors.toUnmodifiableList());
    if (incoming.isEmpty()) {
      return doubled;
    }
    Map<String, List<Conversation>> others =
        roster.conversations().values().stream()
            .filter(c -> !c.incoming())
            .collect(Collectors.groupingBy(Doubled::ends));
    for (Conversation conversation : incoming) {
      bySenderOf(conversation, roster)
          .or(() -> byHand(conversation, others.getOrDefault(ends(conversation), List.of())))
          .ifPresent(
              why ->
                  doubled.put(conversation.id(), Unserved.of(Unserved.Kind.COUNTED_ALREADY, why)));
    }
    return doubled;
  }

  private static Optional<String> bySenderOf(Conversation conversation, Roster roster) {
    return roster
        .agentAt(conversation.localAddress())
        .map(AgentInfo::host)
        .map(
            host ->
                "Its sender ("
                    + conversation.localAddress()
                    + ") has an agent ("
                    + host
                    + "), which says itself what it sends. Maybe name this traffic in that agent's"
                    + " rules.");
  }

  private static Optional<String> byHand(Conversation conversation, List<Conversation> others) {
    return others.stream()
        .filter(other -> mayBeOne(conversation, other))
        .findFirst()
        .map(
            other ->
                "Its packets are those of the conversation ("
                    + other.id()
                    + ") already. Maybe end that one.");
  }

  private static String ends(Conversation conversation) {
    return conversation.localAddress() + " " + conversation.remoteAddress();
  }

  private static boolean mayBeOne(Conversation a, Conversation b) {
    return (a.transport() == Transport.ANY
            || b.transport() == Transport.ANY
            || a.transport() == b.transport())
        && mayBeOne(a.localPort(), b.localPort())
        && mayBeOne(a.remotePort(), b.remotePort());
  }

  private static boolean mayBeOne(int port, int other) {
    return port == 0 || other == 0 || port == other;
  }
}
