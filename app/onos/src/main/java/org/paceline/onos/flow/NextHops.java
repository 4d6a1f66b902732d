package org.paceline.onos.flow;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.Link;
import org.onosproject.net.PortNumber;
import org.onosproject.net.host.HostService;
import org.onosproject.net.link.LinkService;
import org.paceline.intents.network.LinkId;

/**
 * By which port a switch reaches the next node of a path; while that is out of sight, by which it
 * was reached last: whoever has no other way keeps its rules, for it may be back in a moment.
 */
public final class NextHops {
  private static final String SWITCH = "of:";

  private final LinkService links;
  private final HostService hosts;
  private final Map<LinkId, PortNumber> last = new ConcurrentHashMap<>();

  public NextHops(LinkService links, HostService hosts) {
    this.links = links;
    this.hosts = hosts;
  }

  /** Whether the node of a network is a switch and not a host. */
  public static boolean isSwitch(String node) {
    return node.startsWith(SWITCH);
  }

  public Optional<PortNumber> port(LinkId hop) {
    Optional<PortNumber> seen = seen(hop);
    seen.ifPresent(port -> last.put(hop, port));
    return seen.or(() -> Optional.ofNullable(last.get(hop)));
  }

  private Optional<PortNumber> seen(LinkId hop) {
    if (isSwitch(hop.to())) {
      DeviceId to = DeviceId.deviceId(hop.to());
      return links.getDeviceEgressLinks(DeviceId.deviceId(hop.from())).stream()
          .filter(link -> link.dst().deviceId().equals(to))
          .filter(link -> link.state() == Link.State.ACTIVE)
          .map(link -> link.src().port())
          .min((a, b) -> Long.compare(a.toLong(), b.toLong()));
    }
    return Optional.ofNullable(hosts.getHost(HostId.hostId(hop.to())))
        .map(Host::location)
        .filter(location -> location.elementId().toString().equals(hop.from()))
        .map(ConnectPoint::port);
  }
}
