package org.paceline.agent.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.paceline.agent.flow.Direction;
import org.paceline.agent.naming.AddressSet;
import org.paceline.allocator.virtualqueue.VirtualQueueSettings;
import org.paceline.allocator.virtualqueue.WirelessAccess;
import org.paceline.allocator.virtualqueue.WirelessCell;
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
   * A link that the hosts share, or the air of their access point.
   *
   * @param name the same on all of them
   * @param capacity of the air {@link WirelessCell#AIR}; where it is estimated the most that it is
   *     taken for
   * @param direction whether what this host sends goes over it, or what it receives
   * @param addresses of the other ends whose traffic goes over it; empty: all that are outside the
   *     networks of this host's interfaces
   * @param air empty: it is a link
   * @param estimated empty: the capacity is what was configured
   */
  public record Link(
      String name,
      DataRate capacity,
      Direction direction,
      Optional<AddressSet> addresses,
      Optional<Air> air,
      Optional<Estimated> estimated) {
    static Link air(String name, Air air) {
      return new Link(
          name,
          WirelessCell.AIR,
          Direction.OUT,
          Optional.empty(),
          Optional.of(air),
          Optional.empty());
    }
  }

  /**
   * How a capacity is found out.
   *
   * @param floor the least that it is taken for
   * @param probe what answers pings just beyond the link
   */
  public record Estimated(DataRate floor, InetAddress probe) {}

  /**
   * How frames are sent through the air, and how this host is part of it.
   *
   * @param wired whether it is behind the access point, by a cable
   * @param association the rate of its frames; empty: its interface is asked
   */
  public record Air(WirelessAccess access, boolean wired, Optional<DataRate> association) {}
}
