package org.paceline.agent.tracking;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.paceline.agent.conversation.Conversation;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.pacing.Pacing;

/**
 * What was noticed and is yet to be told and installed: conversations that opened, and by what the
 * kernel finds their classes, or is not to any more. Owned by one thread.
 */
final class PendingChanges {
  private final Pacing pacing;
  private final ConversationTracker.Listener listener;
  private final Set<Conversation> opened = new LinkedHashSet<>();
  private final Set<Conversation> matchedOtherwise = new LinkedHashSet<>();
  private final Map<ClassKey, Integer> put = new LinkedHashMap<>();
  private final List<ClassKey> taken = new ArrayList<>();
  private final List<Flow> forgotten = new ArrayList<>();

  PendingChanges(Pacing pacing, ConversationTracker.Listener listener) {
    this.pacing = pacing;
    this.listener = listener;
  }

  void opened(Conversation conversation) {
    opened.add(conversation);
    pacing.prepare(conversation);
  }

  /** A socket of the conversation has these ports, as far as its name depends on them. */
  void matched(Conversation conversation, ClassKey ports) {
    if (conversation.matches(ports)) {
      matchedOtherwise.add(conversation);
    }
  }

  /** More is known of it than when it was told. */
  void known(Conversation conversation) {
    matchedOtherwise.add(conversation);
  }

  /** Packets of this kind find the conversation's class. */
  void put(ClassKey key, Conversation conversation) {
    put.put(key, conversation.minor());
  }

  private void take(ClassKey key) {
    // What was never put need not be taken.
    boolean never = put.containsKey(key);
    put.remove(key);
    if (!never) {
      taken.add(key);
    }
  }

  /** This socket has left the conversation, and its key goes where it was its own. */
  void left(Conversation conversation, Flow flow) {
    ClassKey own = ClassKey.of(flow, RuleSet.Coverage.SOCKET);
    if (conversation.matchesNoMore(own)) {
      matchedOtherwise.add(conversation);
    }
    if (conversation.classKeys().remove(own)) {
      take(own);
      forgotten.add(flow);
    } else {
      conversation.departed(flow);
    }
  }

  /** All of its keys go, and its class at the next {@link Pacing#reconcile}. */
  void closed(Conversation conversation) {
    conversation.classKeys().forEach(this::take);
    forgotten.addAll(conversation.departed());
    matchedOtherwise.remove(conversation);
    pacing.forget(conversation);
  }

  /** Tells and installs it: the controller first, for it to plan meanwhile. */
  void commit() throws IOException {
    opened.forEach(listener::opened);
    matchedOtherwise.removeAll(opened);
    try {
      if (pacing.isInstalled()) {
        pacing.reconcile(opened);
        // Those that could not be put are put with the next ones.
        pacing.classify(put, taken, forgotten);
        put.clear();
      }
    } finally {
      opened.clear();
      taken.clear();
      forgotten.clear();
    }
  }

  /**
   * Tells which packets are theirs now, and whose they are, of all at once: sockets may come and go
   * by the hundred.
   */
  void tellMatches() {
    matchedOtherwise.forEach(listener::matchedOtherwise);
    matchedOtherwise.clear();
  }
}
