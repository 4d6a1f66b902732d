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
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.Unserved;

/** Who is here: the conversations that are open, and the agents that are attached or away. */
public final class Roster {
  private final Map<ConversationId, Conversation> conversations = new TreeMap<>();
  private final Map<String, AgentInfo> agents = new ConcurrentSkipListMap<>();
  private final Map<String, Long> absences = new HashMap<>();
  private final Map<String, AgentInfo> away = new HashMap<>();
  private final AddressOwners owners = new AddressOwners();
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

  /** Without addresses that they may not speak for. May be asked on any thread. */
  public Collection<AgentInfo> agents() {
    return agents.values().stream().map(this::checked).collect(Collectors.toUnmodifiableList());
  }

  private AgentInfo checked(AgentInfo agent) {
    return agent.without(owners.refusedTo(agent.host()));
  }

  /** Looks again at which addresses each agent may speak for in this network. O(n). */
  public void look(NetworkState state) {
    owners.look(
        Stream.concat(agents.values().stream(), away.values().stream())
            .collect(Collectors.toUnmodifiableList()),
        conversations.values(),
        state);
  }

  /** Why the agent that announced it may not speak for its host's end, as of the last look. */
  public Optional<Unserved> foreign(Conversation conversation) {
    return owners.refusal(conversation.id().host(), AddressOwners.ownEnd(conversation));
  }

  /** Whom {@link #foreign} is about, of all that are open. O(n). */
  public Map<ConversationId, Unserved> foreign() {
    Map<ConversationId, Unserved> foreign = new TreeMap<>();
    conversations.values().forEach(c -> foreign(c).ifPresent(why -> foreign.put(c.id(), why)));
    return foreign;
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
        .filter(agent -> owners.refusal(agent.host(), address).isEmpty())
        .findFirst();
  }
}
