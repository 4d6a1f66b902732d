package org.paceline.control.inventory;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.PacketMatch;
import org.paceline.control.model.Unserved;

/**
 * Conversations that their receivers announced though somebody else speaks for the same packets:
 * counted twice, they would take their share twice. The sender's agent comes first, for it can pace
 * and knows which application sends; then whoever announced the conversation by hand. And those
 * that were announced by hand though another is of the very same packets: no switch can tell them
 * apart. What an agent says of others' addresses counts for nothing. O(n).
 */
public final class DuplicateConversations {
  private DuplicateConversations() {}

  public static Map<ConversationId, Unserved> in(Roster roster) {
    Map<ConversationId, Unserved> doubled = new TreeMap<>(announcedTwice(roster));
    List<Conversation> incoming =
        spokenFor(roster).filter(Conversation::incoming).collect(Collectors.toUnmodifiableList());
    if (incoming.isEmpty()) {
      return doubled;
    }
    Map<String, List<Conversation>> others =
        spokenFor(roster)
            .filter(c -> !c.incoming())
            .collect(Collectors.groupingBy(DuplicateConversations::ends));
    for (Conversation conversation : incoming) {
      bySenderOf(conversation, roster)
          .or(() -> byHand(conversation, others.getOrDefault(ends(conversation), List.of())))
          .ifPresent(why -> doubled.put(conversation.id(), why));
    }
    return doubled;
  }

  private static Stream<Conversation> spokenFor(Roster roster) {
    return roster.conversations().values().stream().filter(c -> roster.foreign(c).isEmpty());
  }

  private static Map<ConversationId, Unserved> announcedTwice(Roster roster) {
    // By ends and match: those of equal ones no switch tells apart.
    Map<String, Conversation> first = new HashMap<>();
    Map<ConversationId, Unserved> twice = new TreeMap<>();
    spokenFor(roster)
        .filter(c -> !c.incoming())
        .sorted(
            Comparator.<Conversation, Boolean>comparing(c -> !c.id().isOfAgent())
                .thenComparing(Conversation::firstSeen)
                .thenComparing(Conversation::id))
        .forEach(
            c -> {
              for (PacketMatch match : c.matches()) {
                Conversation before = first.putIfAbsent(ends(c) + " " + match, c);
                if (before != null && !c.id().isOfAgent()) {
                  twice.put(c.id(), alreadyOf(before.id()));
                }
              }
            });
    return twice;
  }

  private static Unserved alreadyOf(ConversationId other) {
    return Unserved.of(Unserved.Code.SAME_PACKETS, other);
  }

  private static Optional<Unserved> bySenderOf(Conversation conversation, Roster roster) {
    return roster
        .agentAt(conversation.localAddress())
        .map(AgentInfo::host)
        .map(
            host -> Unserved.of(Unserved.Code.SENDER_HAS_AGENT, conversation.localAddress(), host));
  }

  private static Optional<Unserved> byHand(Conversation conversation, List<Conversation> others) {
    return others.stream()
        .filter(other -> mayBeOne(conversation, other))
        .findFirst()
        .map(other -> alreadyOf(other.id()));
  }

  private static String ends(Conversation conversation) {
    return conversation.localAddress() + " " + conversation.remoteAddress();
  }

  private static boolean mayBeOne(Conversation a, Conversation b) {
    return a.matches().stream().anyMatch(one -> b.matches().stream().anyMatch(one::meets));
  }
}
