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

  /** The ports of one switch, of which ONOS may not have said any yet. */
  static final class Ports {
    /** By which no link leaves, whether they are up or not: a host may come there. */
    final Set<ConnectPoint> edge = new LinkedHashSet<>();

    /** Those of them that are up. */
    final Set<ConnectPoint> up = new LinkedHashSet<>();

    final Set<ConnectPoint> linked = new LinkedHashSet<>();

    boolean isEmpty() {
      return edge.isEmpty() && linked.isEmpty();
    }
  }

  /** Those of connected switches that are up. */
  List<ConnectPoint> all() {
    return bySwitch().values().stream()
        .flatMap(ports -> ports.up.stream())
        .collect(Collectors.toList());
  }

  /** All ports of each connected switch. */
  Map<DeviceId, Ports> bySwitch() {
    Map<DeviceId, Ports> all = new HashMap<>();
    devices.getAvailableDevices().forEach(device -> all.put(device.id(), of(device)));
    return all;
  }

  private Ports of(Device device) {
    Ports ports = new Ports();
    for (Port port : devices.getPorts(device.id())) {
      ConnectPoint at = new ConnectPoint(device.id(), port.number());
      if (!isUsable(port.number())) {
        continue;
      }
      if (!isEdge(at)) {
        ports.linked.add(at);
        continue;
      }
      ports.edge.add(at);
      if (port.isEnabled()) {
        ports.up.add(at);
      }
    }
    return ports;
  }

  boolean isEdge(ConnectPoint at) {
    return links.getLinks(at).isEmpty();
  }

  private static boolean isUsable(PortNumber number) {
    return !number.isLogical() && number.toLong() > 0 && number.toLong() < 0xffffff00L;
  }
}
