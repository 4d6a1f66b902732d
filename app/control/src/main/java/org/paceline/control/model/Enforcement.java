package org.paceline.control.model;

/** Who holds a conversation to its rate. */
public enum Enforcement {
  /** The agent on the sending host, which paces. */
  AGENT,
  /** A drop meter at the sender's first switch, for a host without an agent. */
  FIRST_HOP,
  /** The agent on the receiving host, which limits what comes in: nobody paces the sender. */
  RECEIVER,
  /**
   * A drop meter at the sender's first switch, since the agent that announced it does not keep to
   * what it is told. That agent is told all the same, to see whether it does again.
   */
  QUARANTINE
}
