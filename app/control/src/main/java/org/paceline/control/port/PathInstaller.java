package org.paceline.control.port;

import java.util.concurrent.CompletableFuture;
import org.paceline.control.model.Conversation;
import org.paceline.intents.network.Path;

/** Leads a conversation's packets along a path. */
public interface PathInstaller {
  /**
   * Puts the path in force in the place of any earlier one of the conversation. Completes, on any
   * thread, when its packets take it, or when the network refused to lead them.
   */
  CompletableFuture<Void> install(Conversation conversation, Path path);

  /** The same, and marks its packets: each port on the path puts them with the elephants. */
  CompletableFuture<Void> installApart(Conversation conversation, Path path);

  /** Other packets are the conversation's now: where it is led, all of them are, the same way. */
  void matchedOtherwise(Conversation conversation);

  /** Whether conversations are to be installed too that have no choice of ways. */
  default boolean leadsEverybody() {
    return false;
  }

  /** Leaves the conversation to default forwarding. */
  void remove(Conversation conversation);
}
