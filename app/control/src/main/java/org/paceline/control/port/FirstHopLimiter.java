package org.paceline.control.port;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.paceline.control.directive.Meter;
import org.paceline.control.model.Conversation;
import org.paceline.intents.unit.DataRate;

/** Limits senders at the first switch that their packets come to. On the worker. */
public interface FirstHopLimiter {
  /** Limits each conversation, and acknowledges all together. */
  void limit(String host, long version, Map<Conversation, Meter> meters);

  /** A net above what the sender's agent holds it to: for agents that fail, not for traffic. */
  void guard(Conversation conversation, DataRate rate);

  /** No net is wanted any more. */
  void unguard(Conversation conversation);

  /** The conversation is over, or no longer limited here. */
  void release(Conversation conversation);

  /**
   * Asks the switches what was counted of those whom nobody else counts. Completes when all were
   * told of that has been answered.
   */
  CompletableFuture<Void> count();
}
