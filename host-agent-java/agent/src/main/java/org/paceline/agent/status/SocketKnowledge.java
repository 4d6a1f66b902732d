package org.paceline.agent.status;

import java.util.Map;
import org.paceline.agent.application.Claims;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.naming.RemoteName;

/**
 * What only a running agent can know of sockets.
 *
 * @param names what their destinations are called, as far as it was heard
 * @param claims what applications have said that they are for, by their inodes
 * @param peers what sockets that are not connected send in open conversations, each with its
 *     socket's inode
 */
public record SocketKnowledge(
    Map<Flow, RemoteName> names, Map<Long, Claims.Claimed> claims, Map<Flow, Long> peers) {
  public static final SocketKnowledge NOTHING = new SocketKnowledge(Map.of(), Map.of(), Map.of());

  public SocketKnowledge {
    names = Map.copyOf(names);
    claims = Map.copyOf(claims);
    peers = Map.copyOf(peers);
  }
}
