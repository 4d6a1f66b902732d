package org.paceline.control.inventory;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.port.PlannerPorts;
import org.paceline.control.work.Each;
import org.paceline.control.work.Upkeep;

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
  private final Map<String, Boolean> unstored = new TreeMap<>();
  private final Upkeep storing;

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
    this.storing =
        new Upkeep(
            ports.worker(),
            Duration.ZERO,
            "Which hosts have agents could not be stored.",
            this::store);
  }

  /** What the agent does not name is over. */
  public void attached(AgentInfo agent, List<Conversation> open, long installedVersion) {
    String host = agent.host();
    roster.attach(agent);
    Set<ConversationId> named =
        open.stream().map(Conversation::id).collect(Collectors.toUnmodifiableSet());
    Each.of(
        roster.of(host).stream()
            .filter(id -> !named.contains(id))
            .collect(Collectors.toUnmodifiableList()),
        owner::ended);
    remember(host, true);
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
    // First: whatever fails below, it is not awaited for good.
    ports
        .worker()
        .after(
            grace,
            () -> {
              if (roster.giveUp(host, absence)) {
                remember(host, false);
                Each.of(
                    List.<Runnable>of(
                        () -> Each.of(List.copyOf(roster.of(host)), owner::ended),
                        () -> owner.gone(host)),
                    Runnable::run);
              }
            });
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
  }

  /** Where the store is away that waits, and nothing else does. */
  private void remember(String host, boolean hasAgent) {
    unstored.put(host, hasAgent);
    storing.ask();
  }

  private void store() {
    Iterator<Map.Entry<String, Boolean>> left = unstored.entrySet().iterator();
    while (left.hasNext()) {
      Map.Entry<String, Boolean> next = left.next();
      if (next.getValue()) {
        ports.hosts().add(next.getKey());
      } else {
        ports.hosts().remove(next.getKey());
      }
      left.remove();
    }
  }
}
