package org.paceline.agent.sense;

import java.util.Optional;

/**
 * What is known of a socket at the moment; what a rule can ask for.
 *
 * @param remoteName empty where it was not heard
 */
public record SocketFacts(Flow flow, ProcessInfo owner, Optional<RemoteName> remoteName) {
  /** The same socket, about what it receives. */
  public SocketFacts incoming() {
    return new SocketFacts(flow.incoming(), owner, remoteName);
  }
}
