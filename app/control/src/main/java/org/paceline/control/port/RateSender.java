package org.paceline.control.port;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.paceline.control.directive.RateDirective;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.PoolId;
import org.paceline.control.model.Unserved;
import org.paceline.intents.unit.DataRate;

/**
 * Tells the enforcers of one host which rates to install. What they really installed comes back as
 * {@code Planner.installed}; nothing is true before that.
 */
public interface RateSender {
  /**
   * @param pools of the host; none only where it has an agent that knows them
   */
  void send(
      String host,
      long version,
      Map<Conversation, RateDirective> rates,
      Map<PoolId, DataRate> pools);

  /** Agents of the host let the conversations have what they give those without a grant. */
  void takeBack(String host, long version, Collection<Conversation> conversations);

  /** The conversation is over: whatever the network holds for it can go. */
  void release(Conversation conversation);

  /** Its agent alone holds the conversation again: the meter of its quarantine can go. */
  void endQuarantine(Conversation conversation);

  /**
   * Has the host's agent say all that is open there once more. Where it has none nobody says
   * anything.
   */
  default void askAgain(String host) {}

  /**
   * Has all say now what they have counted who say so only when asked: meters of switches. It comes
   * as what agents count; then this completes, on the worker.
   */
  default CompletableFuture<Void> count() {
    return CompletableFuture.allOf();
  }

  /** The conversation cannot be served; its host may want to know why. */
  void refuse(Conversation conversation, Unserved why);
}
