package org.paceline.control.directive;

import org.paceline.control.model.ConversationId;
import org.paceline.intents.tree.SchemeName;

/**
 * One thing that a scheme wants of the network. It is idempotent: to be told it again changes
 * nothing, and a newer one with the same id takes its place.
 */
public interface Directive {
  /** What is wanted. */
  enum Kind {
    /** A rate that the agent on a host keeps to. */
    PACE("pace"),
    /** A rate beyond which the first switch drops. */
    METER("meter"),
    /** A path through the network. */
    ROUTE("route");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /** As programs read it. */
    public String word() {
      return word;
    }
  }

  /** Why a scheme wants it. */
  enum Reason {
    /** The conversation is served, and this is its share. */
    GRANTED("granted"),
    /** The conversation is not admitted; a small rate keeps the queues of the others empty. */
    NOT_ADMITTED("not-admitted"),
    /** The conversation has no path at the moment, and keeps what it had. */
    NO_PATH("no-path");

    private final String word;

    Reason(String word) {
      this.word = word;
    }

    /** As programs read it. */
    public String word() {
      return word;
    }
  }

  Kind kind();

  /** The scheme that wants it. */
  SchemeName owner();

  Reason reason();

  ConversationId conversation();

  /**
   * Made of what it is and whose: a controller that was restarted gives the same directive the same
   * id, as long as the conversation's agent does.
   */
  default String id() {
    return owner().word() + "/" + kind().word() + "/" + conversation();
  }
}
