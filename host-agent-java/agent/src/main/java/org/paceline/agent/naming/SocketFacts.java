package org.paceline.agent.naming;

import java.util.Optional;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.sockets.ProcessInfo;

/**
 * What is known of a socket at the moment; what a rule can ask for.
 *
 * @param remoteName empty where it was not heard
 * @param dscp how its packets are marked, from 0 to 63; empty where that was not asked for, or the
 *     kernel does not tell
 */
public record SocketFacts(
    Flow flow, ProcessInfo owner, Optional<RemoteName> remoteName, Optional<Integer> dscp) {
  /** The same socket, about what it receives. */
  public SocketFacts incoming() {
    return new SocketFacts(flow.incoming(), owner, remoteName, dscp);
  }

  public SocketFacts withOwner(ProcessInfo owner) {
    return new SocketFacts(flow, owner, remoteName, dscp);
  }
}
