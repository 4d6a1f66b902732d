package org.paceline.onos.forward;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Port;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.link.LinkService;

/** The ports of switches that lead to no other switch: hosts may be there, known or not. */
public final class EdgePorts {
  private final DeviceService devices;
  private final LinkService links;

  public EdgePorts(DeviceService devices, LinkService links) {
    this.devices = devices;
    this.links = links;
  }

  /** Those of connected switches that are up. */
  List<ConnectPoint> all() {
    return bySwitch().values().stream().flatMap(Set::stream).collect(Collectors.toList());
  }

  /** The same of each connected switch, none of some. */
  Map<DeviceId, Set<ConnectPoint>> bySwitch() {
    Map<DeviceId, Set<ConnectPoint>> edge = new HashMap<>();
    devices.getAvailableDevices().forEach(device -> edge.put(device.id(), of(device)));
    return edge;
  }

  private Set<ConnectPoint> of(Device device) {
    Set<ConnectPoint> edge = new LinkedHashSet<>();
    for (Port port : devices.getPorts(device.id())) {
      ConnectPoint at = new ConnectPoint(device.id(), port.number());
      if (port.isEnabled() && isUsable(port.number()) && isEdge(at)) {
        edge.add(at);
      }
    }
    return edge;
  }

  boolean isEdge(ConnectPoint at) {
    return links.getLinks(at).isEmpty();
  }

  private static boolean isUsable(PortNumber number) {
    return !number.isLogical() && number.toLong() > 0 && number.toLong() < 0xffffff00L;
  }
}
