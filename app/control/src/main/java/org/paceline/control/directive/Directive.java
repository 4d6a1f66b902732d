package org.paceline.control.directive;

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
    ROUTE("route"),
    /** Shares of a port's two queues. */
    QUEUE("queue");

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
    GRANTED,
    /** The conversation is not admitted; a small rate keeps the queues of the others empty. */
    NOT_ADMITTED,
    /** The conversation has no path at the moment, and keeps what it had. */
    NO_PATH,
    /** Elephants use the link, and nobody else's packets are to wait behind theirs. */
    ELEPHANTS
  }

  Kind kind();

  /** The scheme that wants it. */
  SchemeName owner();

  Reason reason();

  /**
   * Made of what it is, whose and about what: a controller that was restarted gives the same
   * directive the same id.
   */
  String id();
}
