package org.paceline.control.inventory;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.paceline.control.directive.RateDirective;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.InstalledRate;
import org.paceline.control.model.PoolId;
import org.paceline.control.model.Unserved;
import org.paceline.control.port.Journal;
import org.paceline.control.port.RateSender;
import org.paceline.intents.unit.DataRate;

/**
 * Has the conversations of agents that do not keep to their rates ({@link AgentConduct}) metered at
 * their first switches, as those of hosts without an agent, until these agents keep to them again.
 * What they say of these rates meanwhile is only what they are judged by. Belongs to the worker's
 * thread.
 */
public final class AgentQuarantine {
  private final ProofBook book;
  private final Roster roster;
  private final Journal journal;
  private final Owner owner;
  private final AgentConduct conduct = new AgentConduct();
  private final Map<ConversationId, Conversation> announced = new HashMap<>();
  private Set<String> hosts = Set.of();

  /** Has it carried out. */
  public interface Owner {
    /** These are to be held by another enforcer from now on, which they name. */
    void heldOtherwise(List<Conversation> conversations);

    /** No meter is to hold it any more. */
    void endMeter(Conversation conversation);
  }

  public AgentQuarantine(ProofBook book, Roster roster, Journal journal, Owner owner) {
    this.book = book;
    this.roster = roster;
    this.journal = journal;
    this.owner = owner;
  }

  /** As it is announced where its agent is believed; else as one that a meter holds. */
  public Conversation enforced(Conversation conversation) {
    if (conversation.isMetered()) {
      conduct.takenBack(conversation.id());
      return conversation;
    }
    if (!conduct.isQuarantined(conversation.id().host())) {
      return conversation;
    }
    announced.put(conversation.id(), conversation);
    return conversation.inQuarantine();
  }

  /** The host's agent is new or back. */
  public void returned(String host) {
    conduct.returned(host);
  }

  /** The host's agent is given up. */
  public void gone(String host) {
    conduct.gone(host);
  }

  /** What an agent read back, between two changes. */
  public void reported(ConversationId id, DataRate rate) {
    conduct.reported(id, rate);
  }

  public void closed(ConversationId id) {
    conduct.closed(id);
    announced.remove(id);
  }

  /**
   * An agent answered what it was told.
   *
   * @return that part of it which counts: a meter holds whom a meter holds, whatever an agent says
   */
  public List<InstalledRate> acknowledged(
      String host, long version, List<InstalledRate> rates, Map<PoolId, DataRate> pools) {
    conduct.acknowledged(host, version, rates, pools);
    return rates.stream()
        .filter(one -> roster.find(one.id()).filter(Conversation::isMetered).isEmpty())
        .collect(Collectors.toUnmodifiableList());
  }

  /**
   * Judges all anew, and has done what follows from it.
   *
   * @return who is in quarantine
   */
  public List<Quarantine> look(Instant now) {
    Set<String> attached =
        roster.agents().stream().map(AgentInfo::host).collect(Collectors.toSet());
    conduct.look(now, attached::contains);
    goBy(conduct.quarantined());
    return conduct.quarantines();
  }

  /** Nobody is held to anything any more. */
  public void end() {
    conduct.clear();
    goBy(Set.of());
  }

  private void goBy(Set<String> now) {
    Set<String> before = hosts;
    hosts = now;
    List<Conversation> changed = new ArrayList<>();
    for (String host : now) {
      if (!before.contains(host)) {
        journal.warn(
            "Agent " + host + " does not keep to its rates. Switches hold its conversations now.");
        roster.of(host).forEach(id -> roster.find(id).map(this::enforced).ifPresent(changed::add));
      }
    }
    Set<String> ended = new HashSet<>(before);
    ended.removeAll(now);
    for (String host : ended) {
      journal.note("Agent " + host + " keeps to its rates, and is believed again.");
      roster.of(host).stream()
          .flatMap(id -> Optional.ofNullable(announced.remove(id)).stream())
          .forEach(
              conversation -> {
                owner.endMeter(conversation);
                changed.add(conversation);
              });
    }
    changed.removeIf(one -> roster.find(one.id()).filter(one::equals).isPresent());
    for (Conversation conversation : changed) {
      roster.enter(conversation);
      // Another counts it from now on, who began at another time.
      book.change(conversation.id(), p -> p.conversation(conversation).countedAt(Optional.empty()));
    }
    if (!changed.isEmpty()) {
      owner.heldOtherwise(changed);
    }
  }

  /** A sender that lets this know what agents are told. */
  public RateSender overhear(RateSender sender) {
    return new Overheard(sender);
  }

  private final class Overheard implements RateSender {
    private final RateSender sender;

    Overheard(RateSender sender) {
      this.sender = sender;
    }

    @Override
    public void send(
        String host,
        long version,
        Map<Conversation, RateDirective> rates,
        Map<PoolId, DataRate> pools) {
      sender.send(host, version, rates, pools);
      conduct.told(host, version, rates, pools);
    }

    @Override
    public void takeBack(String host, long version, Collection<Conversation> conversations) {
      conversations.forEach(conversation -> conduct.takenBack(conversation.id()));
      sender.takeBack(host, version, conversations);
    }

    @Override
    public void release(Conversation conversation) {
      sender.release(conversation);
    }

    @Override
    public void endQuarantine(Conversation conversation) {
      sender.endQuarantine(conversation);
    }

    @Override
    public void refuse(Conversation conversation, Unserved why) {
      conduct.takenBack(conversation.id());
      sender.refuse(conversation, why);
    }
  }
}
