package org.paceline.agent.sense;

/** What is known of a socket at the moment; what a rule can ask for. */
public record SocketFacts(Flow flow, ProcessInfo owner) {
  /** The same socket, about what it receives. */
  public SocketFacts incoming() {
    return new SocketFacts(flow.incoming(), owner);
  }
}
