package org.paceline.control.inventory;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;

/** Who is here: the conversations that are open, and the agents that are attached or away. */
public final class Roster {
  private final Map<ConversationId, Conversation> conversations = new TreeMap<>();
  private final Map<String, AgentInfo> agents = new ConcurrentSkipListMap<>();
  private final Map<String, Long> absences = new HashMap<>();
  private final Map<String, AgentInfo> away = new HashMap<>();
  private long lastAbsence;

  /** Ordered by id; a live view. */
  public Map<ConversationId, Conversation> conversations() {
    return Collections.unmodifiableMap(conversations);
  }

  public Optional<Conversation> find(ConversationId id) {
    return Optional.ofNullable(conversations.get(id));
  }

  /** Whether it was not here before. */
  public boolean enter(Conversation conversation) {
    return conversations.put(conversation.id(), conversation) == null;
  }

  public Optional<Conversation> leave(ConversationId id) {
    return Optional.ofNullable(conversations.remove(id));
  }

  public List<ConversationId> of(String host) {
    return conversations.keySet().stream()
        .filter(id -> id.host().equals(host))
        .collect(Collectors.toUnmodifiableList());
  }

  /** May be asked on any thread. */
  public Collection<AgentInfo> agents() {
    return List.copyOf(agents.values());
  }

  public void attach(AgentInfo agent) {
    agents.put(agent.host(), agent);
    absences.remove(agent.host());
    away.remove(agent.host());
  }

  /** The number of this absence; empty where no agent of the host was here. */
  public Optional<Long> detach(String host) {
    AgentInfo left = agents.remove(host);
    if (left == null) {
      return Optional.empty();
    }
    away.put(host, left);
    long absence = ++lastAbsence;
    absences.put(host, absence);
    return Optional.of(absence);
  }

  /** Whether the agent has stayed away ever since; its absence is over with this. */
  public boolean giveUp(String host, long absence) {
    boolean over = absences.remove(host, absence);
    if (over) {
      away.remove(host);
    }
    return over;
  }

  /** The one of the host with this address, attached or away and not yet given up. */
  public Optional<AgentInfo> agentAt(String address) {
    return Stream.concat(agents.values().stream(), away.values().stream())
        .filter(agent -> agent.addresses().contains(address))
        .findFirst();
  }
}
