package org.paceline.onos.forward;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.onlab.packet.ChassisId;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.DefaultPort;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.Link;
import org.onosproject.net.Port;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.host.HostAdminService;
import org.onosproject.net.host.HostServiceAdapter;
import org.onosproject.net.link.LinkServiceAdapter;
import org.onosproject.net.packet.PacketServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.paceline.control.ManualWorker;
import org.paceline.onos.flow.OwnRules;

/**
 * Switches, links and hosts that come and go as ONOS tells of them, and default forwarding over
 * them. Switches and hosts have numbers from 1 on; a link is between two switches, one of each two.
 */
final class ForwardedNetwork {
  /** Hosts have the ports below. */
  private static final long FIRST_LINK_PORT = 10_000;

  private static final List<Port> PORTS =
      LongStream.rangeClosed(1, 48)
          .mapToObj(
              port -> new DefaultPort(described(device(1)), PortNumber.portNumber(port), true))
          .collect(Collectors.toUnmodifiableList());

  private final Set<Integer> switches = new TreeSet<>();
  private final Map<List<Integer>, List<Link>> links = new TreeMap<>(ForwardedNetwork::compare);
  private final Map<Integer, Place> hosts = new TreeMap<>();
  private final ManualWorker worker = new ManualWorker();
  private final DefaultForwarding forwarding;

  /** A switch without ports for hosts, as far as ONOS has said; 0 for none. */
  int core;

  int managedDscp;
  int elephantDscp;
  Set<DeviceId> metered = Set.of();

  /** A host as ONOS has it while its switch is there, and while that is not. */
  private static final class Place {
    final int at;
    final Host there;
    final Host nowhere;

    Place(int number, int at, boolean hasIpv6) {
      this.at = at;
      this.there =
          host(
              number,
              Set.of(new HostLocation(device(at), PortNumber.portNumber(number), number)),
              hasIpv6);
      this.nowhere = host(number, Set.of(), hasIpv6);
    }
  }

  private Iterable<FlowRule> told = List.of();

  /** None of the switches is there yet. */
  ForwardedNetwork(OwnRules rules) {
    forwarding =
        new DefaultForwarding(
            rules,
            new DestinationRules(
                rules.app(), link -> 0, () -> managedDscp, () -> elephantDscp, () -> metered),
            new Devices(),
            new Links(),
            new Hosts(),
            new PacketServiceAdapter(),
            worker);
    forwarding.tell(all -> told = all);
  }

  /** Forwards over the same network, by rules of its own. */
  ForwardedNetwork another(OwnRules rules) {
    ForwardedNetwork other = new ForwardedNetwork(rules);
    other.switches.addAll(switches);
    other.links.putAll(links);
    other.hosts.putAll(hosts);
    other.core = core;
    other.managedDscp = managedDscp;
    other.elephantDscp = elephantDscp;
    other.metered = metered;
    return other;
  }

  void switchComes(int number) {
    switches.add(number);
  }

  /** And with it its links and where its hosts are, until it is back. */
  void switchGoes(int number) {
    switches.remove(number);
  }

  void linkComes(int one, int other) {
    links.put(
        List.of(Math.min(one, other), Math.max(one, other)),
        List.of(link(one, other), link(other, one)));
  }

  void linkGoes(int one, int other) {
    links.remove(List.of(Math.min(one, other), Math.max(one, other)));
  }

  /** Comes, or moves. */
  void hostComes(int number, int at, boolean hasIpv6) {
    hosts.put(number, new Place(number, at, hasIpv6));
  }

  void hostGoes(int number) {
    hosts.remove(number);
  }

  /** Rules follow what has changed. */
  void refresh() {
    forwarding.refresh();
    worker.pass(Duration.ZERO);
  }

  /** What a switch is to hold. */
  Collection<FlowRule> wanted(int number) {
    return forwarding.wanted(device(number));
  }

  /** What those hear who forward by the same rules. */
  List<FlowRule> told() {
    List<FlowRule> all = new ArrayList<>();
    told.forEach(all::add);
    return all;
  }

  static DeviceId device(int number) {
    return DeviceId.deviceId("of:" + number);
  }

  private static int compare(List<Integer> one, List<Integer> other) {
    int first = one.get(0).compareTo(other.get(0));
    return first == 0 ? one.get(1).compareTo(other.get(1)) : first;
  }

  private static Device described(DeviceId id) {
    return new DefaultDevice(
        ProviderId.NONE, id, Device.Type.SWITCH, "", "", "", "", new ChassisId());
  }

  private static Link link(int from, int to) {
    return DefaultLink.builder()
        .providerId(ProviderId.NONE)
        .src(new ConnectPoint(device(from), PortNumber.portNumber(FIRST_LINK_PORT + to)))
        .dst(new ConnectPoint(device(to), PortNumber.portNumber(FIRST_LINK_PORT + from)))
        .type(Link.Type.DIRECT)
        .build();
  }

  private List<Link> active() {
    return links.entrySet().stream()
        .filter(link -> switches.containsAll(link.getKey()))
        .flatMap(link -> link.getValue().stream())
        .collect(Collectors.toList());
  }

  private static Host host(int number, Set<HostLocation> places, boolean hasIpv6) {
    MacAddress mac = MacAddress.valueOf(0x020000000000L + number);
    Set<IpAddress> addresses = new HashSet<>();
    addresses.add(IpAddress.valueOf("10.0." + number / 250 + "." + (number % 250 + 1)));
    if (hasIpv6) {
      addresses.add(IpAddress.valueOf("fd00::" + Integer.toHexString(number)));
    }
    return new DefaultHost(
        ProviderId.NONE, HostId.hostId(mac), mac, VlanId.NONE, places, addresses, false);
  }

  private final class Devices extends DeviceServiceAdapter {
    @Override
    public Iterable<Device> getAvailableDevices() {
      return switches.stream()
          .map(number -> described(device(number)))
          .collect(Collectors.toList());
    }

    @Override
    public List<Port> getPorts(DeviceId device) {
      return device.equals(device(core)) ? List.of() : PORTS;
    }
  }

  private final class Links extends LinkServiceAdapter {
    @Override
    public Iterable<Link> getActiveLinks() {
      return active();
    }

    @Override
    public Set<Link> getLinks(ConnectPoint at) {
      return Set.of();
    }
  }

  private final class Hosts extends HostServiceAdapter implements HostAdminService {
    @Override
    public Iterable<Host> getHosts() {
      return hosts.values().stream()
          .map(place -> switches.contains(place.at) ? place.there : place.nowhere)
          .collect(Collectors.toList());
    }

    @Override
    public void removeHost(HostId id) {
      throw new AssertionError("No port has too many hosts, but " + id + " is taken away.");
    }
  }
}
