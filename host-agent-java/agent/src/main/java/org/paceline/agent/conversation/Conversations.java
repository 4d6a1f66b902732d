package org.paceline.agent.conversation;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.naming.SocketFacts;

/** Everything that is open. Owned by one thread. */
public final class Conversations {
  /** A packet with a number that was another's is long gone by then. */
  private static final Duration REST = Duration.ofSeconds(2);

  private final String idPrefix;
  private final int most;
  private final Map<ConversationKey, Conversation> byKey = new LinkedHashMap<>();
  private final Map<String, Conversation> byId = new HashMap<>();
  private final Map<Flow, Conversation> byFlow = new HashMap<>();
  private final Queue<Freed> freed = new ArrayDeque<>();
  // The latest first: its class may still be there, which is cheaper than a new one.
  private final Deque<Integer> rested = new ArrayDeque<>();
  private long opened;
  private int highestMinor;

  /** A class number, and when it was in use last. */
  private record Freed(int minor, long nanos) {}

  /**
   * @param idPrefix differs from one run of the agent to the next, so that no id comes back with
   *     another meaning
   * @param most how many can be open at once
   */
  public Conversations(String idPrefix, int most) {
    this.idPrefix = idPrefix;
    this.most = most;
  }

  public Optional<Conversation> byKey(ConversationKey key) {
    return Optional.ofNullable(byKey.get(key));
  }

  public Optional<Conversation> byId(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  public Optional<Conversation> byFlow(Flow flow) {
    return Optional.ofNullable(byFlow.get(flow));
  }

  public boolean knows(Flow flow) {
    return byFlow.containsKey(flow);
  }

  /** These class numbers are another's until {@link #free} says otherwise. */
  public void reserve(Set<Integer> minors) {
    for (int minor : minors) {
      while (highestMinor < minor) {
        if (!minors.contains(++highestMinor)) {
          freed.add(new Freed(highestMinor, System.nanoTime()));
        }
      }
    }
  }

  public void free(Collection<Integer> minors) {
    minors.forEach(minor -> freed.add(new Freed(minor, System.nanoTime())));
  }

  /**
   * A new one; empty where all class numbers are taken.
   *
   * @param facts of its first socket
   * @param reserved the class that it goes on with
   */
  public Optional<Conversation> open(
      ConversationKey key,
      String device,
      ClassKey first,
      SocketFacts facts,
      Optional<Integer> reserved,
      long unixNanos,
      long nanos) {
    while (!freed.isEmpty() && nanos - freed.element().nanos() >= REST.toNanos()) {
      rested.push(freed.remove().minor());
    }
    int minor;
    if (reserved.isPresent()) {
      minor = reserved.get();
    } else if (!rested.isEmpty()) {
      minor = rested.pop();
    } else if (highestMinor < most) {
      minor = ++highestMinor;
    } else if (freed.isEmpty()) {
      return Optional.empty();
    } else {
      minor = freed.remove().minor();
    }
    Conversation conversation =
        new Conversation(
            idPrefix + "-" + ++opened,
            key,
            new Conversation.Place(device, minor),
            first,
            facts,
            unixNanos,
            nanos);
    byKey.put(key, conversation);
    byId.put(conversation.id(), conversation);
    return Optional.of(conversation);
  }

  public void join(Conversation conversation, Flow flow) {
    conversation.flows().add(flow);
    byFlow.put(flow, conversation);
  }

  /** This socket is no more. */
  public void leave(Conversation conversation, Flow flow) {
    conversation.flows().remove(flow);
    byFlow.remove(flow);
  }

  public void close(Conversation conversation) {
    byKey.remove(conversation.key());
    byId.remove(conversation.id());
    conversation.flows().forEach(byFlow::remove);
    freed.add(new Freed(conversation.minor(), System.nanoTime()));
  }

  public Collection<Conversation> all() {
    return List.copyOf(byKey.values());
  }
}
