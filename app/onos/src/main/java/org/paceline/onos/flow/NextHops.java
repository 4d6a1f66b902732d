package org.paceline.onos.flow;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
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
 * By which port a switch reaches the next node of a path, and by which packets come from the one
 * before; while that is out of sight, by which it was last: whoever has no other way keeps its
 * rules, for it may be back in a moment.
 */
public final class NextHops {
  private static final String SWITCH = "of:";

  private final LinkService links;
  private final HostService hosts;
  private final Ports leaving = new Ports();
  private final Ports coming = new Ports();

  public NextHops(LinkService links, HostService hosts) {
    this.links = links;
    this.hosts = hosts;
  }

  /** Whether the node of a network is a switch and not a host. */
  public static boolean isSwitch(String node) {
    return node.startsWith(SWITCH);
  }

  /** By which port of the switch that it leaves. */
  public Optional<PortNumber> port(LinkId hop) {
    return leaving.at(hop, leavingNow(hop));
  }

  /** By which port of the switch that it comes to. */
  public Optional<PortNumber> arrival(LinkId hop) {
    return coming.at(hop, comingNow(hop));
  }

  /**
   * Whether any port that was asked for is another one since this was asked last: a host may change
   * its port, and a link, and every path stays the same. O(hops that were asked for).
   */
  boolean haveMoved() {
    // Both are asked, for each forgets what it has said.
    boolean leave = leaving.haveMoved(this::leavingNow);
    boolean come = coming.haveMoved(this::comingNow);
    return leave || come;
  }

  private Optional<PortNumber> leavingNow(LinkId hop) {
    return isSwitch(hop.to())
        ? link(hop).map(link -> link.src().port())
        : host(hop.to(), hop.from());
  }

  private Optional<PortNumber> comingNow(LinkId hop) {
    return isSwitch(hop.from())
        ? link(hop).map(link -> link.dst().port())
        : host(hop.from(), hop.to());
  }

  private Optional<Link> link(LinkId hop) {
    DeviceId to = DeviceId.deviceId(hop.to());
    return links.getDeviceEgressLinks(DeviceId.deviceId(hop.from())).stream()
        .filter(link -> link.dst().deviceId().equals(to))
        .filter(link -> link.state() == Link.State.ACTIVE)
        .min(Comparator.comparingLong(link -> link.src().port().toLong()));
  }

  private Optional<PortNumber> host(String host, String device) {
    return Optional.ofNullable(hosts.getHost(HostId.hostId(host)))
        .map(Host::location)
        .filter(location -> location.elementId().toString().equals(device))
        .map(ConnectPoint::port);
  }

  /**
   * The ports of one side that were seen last. Whatever is seen to be another one is remembered.
   */
  private static final class Ports {
    private final Map<LinkId, PortNumber> last = new ConcurrentHashMap<>();
    private final AtomicBoolean moved = new AtomicBoolean();

    Optional<PortNumber> at(LinkId hop, Optional<PortNumber> now) {
      if (now.isEmpty()) {
        return Optional.ofNullable(last.get(hop));
      }
      PortNumber before = last.put(hop, now.get());
      if (before != null && !before.equals(now.get())) {
        moved.set(true);
      }
      return now;
    }

    boolean haveMoved(Function<LinkId, Optional<PortNumber>> seen) {
      last.keySet().forEach(hop -> at(hop, seen.apply(hop)));
      return moved.getAndSet(false);
    }
  }
}
