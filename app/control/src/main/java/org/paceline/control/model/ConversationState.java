package org.paceline.control.model;

/** How far a conversation has come. */
public enum ConversationState {
  /** Known, and not yet in a plan; the default rate holds. */
  SEEN,
  /** In the plan with a rate. */
  GRANTED,
  /** In a plan with a rate that nobody enforces. */
  RECOMMENDED,
  /** Cannot be planned; the reason stands beside it and the default rate holds. */
  UNSERVED,
  /** Its agent is away; it keeps its share until the agent is back or given up. */
  CLOSING
}
