package org.paceline.control.inventory;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.port.PlannerPorts;

/**
 * Agents that come with what is open on their hosts, leave, and are given up when they stay away.
 * Belongs to the worker's thread.
 */
public final class AgentLifecycle {
  private final PlannerPorts ports;
  private final ProofBook book;
  private final Roster roster;
  private final BoundedJournal journal;
  private final Owner owner;

  /** Whom it concerns; called on the worker. */
  public interface Owner {
    /**
     * @param installedVersion the plan that its host holds, 0 where none
     * @param open all conversations of its host
     */
    void arrived(String host, long installedVersion, List<Conversation> open);

    void ended(ConversationId id);

    /** It speaks for nobody any more. */
    void gone(String host);
  }

  public AgentLifecycle(
      PlannerPorts ports, ProofBook book, Roster roster, BoundedJournal journal, Owner owner) {
    this.ports = ports;
    this.book = book;
    this.roster = roster;
    this.journal = journal;
    this.owner = owner;
  }

  /** What the agent does not name is over. */
  public void attached(AgentInfo agent, List<Conversation> open, long installedVersion) {
    String host = agent.host();
    roster.attach(agent);
    Set<ConversationId> named =
        open.stream().map(Conversation::id).collect(Collectors.toUnmodifiableSet());
    roster.of(host).stream().filter(id -> !named.contains(id)).forEach(owner::ended);
    ports.hosts().add(host);
    journal.note(
        host,
        "Agent "
            + host
            + " attached from "
            + agent.peer()
            + " with "
            + open.size()
            + " conversations, enforcing by "
            + agent.enforcer()
            + ".");
    owner.arrived(host, installedVersion, open);
  }

  /**
   * @param grace how long its conversations keep their share
   */
  public void left(String host, Duration grace) {
    roster.detach(host).ifPresent(absence -> await(host, absence, grace));
  }

  private void await(String host, long absence, Duration grace) {
    for (ConversationId id : roster.of(host)) {
      book.change(
          id, p -> p.state(ConversationState.CLOSING).reason("Its agent (" + host + ") is away."));
    }
    journal.warn(
        host,
        "Agent "
            + host
            + " is gone. Its conversations keep their share for "
            + grace.toMillis() / 1e3
            + " s.");
    ports
        .worker()
        .after(
            grace,
            () -> {
              if (roster.giveUp(host, absence)) {
                ports.hosts().remove(host);
                roster.of(host).forEach(owner::ended);
                owner.gone(host);
              }
            });
  }
}
