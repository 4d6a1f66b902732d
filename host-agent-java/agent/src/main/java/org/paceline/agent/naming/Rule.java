package org.paceline.agent.naming;

import java.util.Optional;
import org.paceline.agent.flow.Direction;
import org.paceline.agent.flow.Flow;
import org.paceline.intents.tree.IntentPath;

/**
 * One line of the rules file.
 *
 * @param place where the rule stands in its file, for messages
 * @param intent what a socket that matches belongs to; empty: such a socket is left alone
 * @param direction which of a socket's two directions it names
 */
public record Rule(
    String place,
    Optional<IntentPath> intent,
    Conditions conditions,
    Grouping grouping,
    Direction direction) {

  /** Which sockets of one intent between the same two addresses share a conversation. */
  public enum Grouping {
    /** All: the six connections of one browser are one conversation. */
    ADDRESS,
    /** None: each socket is a conversation of its own. */
    SOCKET
  }

  public boolean matches(SocketFacts facts) {
    return isAbout(facts.flow()) && conditions.match(facts);
  }

  /** Whether it names what goes this way at all. */
  boolean isAbout(Flow flow) {
    return direction == flow.direction();
  }
}
