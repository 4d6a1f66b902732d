package org.paceline.control.port;

import org.paceline.control.conversations.Conversation;
import org.paceline.intents.network.Path;

/** Leads a conversation's packets along a path. */
public interface PathInstaller {
  /** Puts the path in force in the place of any earlier one of the conversation. */
  void install(Conversation conversation, Path path);

  /** Whether conversations are to be installed too that have no choice of ways. */
  default boolean leadsEverybody() {
    return false;
  }

  /** Leaves the conversation to default forwarding. */
  void remove(Conversation conversation);
}
