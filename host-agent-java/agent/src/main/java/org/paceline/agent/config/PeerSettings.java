package org.paceline.agent.config;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.paceline.agent.flow.Direction;
import org.paceline.agent.naming.AddressSet;
import org.paceline.allocator.virtualqueue.VirtualQueueSettings;
import org.paceline.intents.unit.DataRate;

/**
 * How the hosts of a small network share its links without a controller.
 *
 * @param group the multicast address and port by which they find each other
 * @param device the interface that leads to them; empty: the first that is paced on
 * @param period the paper's M
 */
public record PeerSettings(
    InetSocketAddress group,
    SharedKey key,
    Optional<String> device,
    Duration period,
    VirtualQueueSettings loop,
    List<Link> links,
    Weights weights) {
  public PeerSettings {
    links = List.copyOf(links);
  }

  /**
   * A link that the hosts share.
   *
   * @param name the same on all of them
   * @param direction whether what this host sends goes over it, or what it receives
   * @param addresses of the other ends whose traffic goes over it; empty: all that are outside the
   *     networks of this host's interfaces
   */
  public record Link(
      String name, DataRate capacity, Direction direction, Optional<AddressSet> addresses) {}
}
