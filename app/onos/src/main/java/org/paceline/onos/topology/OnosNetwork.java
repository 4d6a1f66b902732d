package org.paceline.onos.topology;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.IpAddress;
import org.onosproject.net.Annotated;
import org.onosproject.net.AnnotationKeys;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.Link;
import org.onosproject.net.LinkKey;
import org.onosproject.net.Port;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.host.HostService;
import org.onosproject.net.link.LinkService;
import org.paceline.control.model.LinkPorts;
import org.paceline.control.model.NetworkState;
import org.paceline.control.port.NetworkView;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.onos.listen.Listening;

/**
 * The network as ONOS knows it: switches and hosts are nodes, links and the hosts' ports are links.
 * Capacity and delay come from {@link LinkSettings} where set, else from the slower end's port. A
 * host's MAC address is its interface: on several VLANs it is several hosts to ONOS.
 */
public final class OnosNetwork implements NetworkView {
  /** What was read since the last event; null where nothing was. */
  private static final class Picture {
    final @Nullable NetworkState state;

    Picture(@Nullable NetworkState state) {
      this.state = state;
    }
  }

  private final DeviceService devices;
  private final LinkService links;
  private final HostService hosts;
  private final NetworkConfigService settings;
  private final Runnable onChange;
  private Picture known = new Picture(null);

  /**
   * @param onChange called from ONOS's event threads: it must hand over and return
   */
  public OnosNetwork(
      DeviceService devices,
      LinkService links,
      HostService hosts,
      NetworkConfigService settings,
      Runnable onChange) {
    this.devices = devices;
    this.links = links;
    this.hosts = hosts;
    this.settings = settings;
    this.onChange = onChange;
  }

  /** Begins to listen. Apart from the constructor, so that no half-made object escapes. */
  public void open(Listening listening) {
    listening.devices(
        devices,
        event -> {
          if (event.type() != DeviceEvent.Type.PORT_STATS_UPDATED) {
            changed();
          }
        });
    listening.links(links, event -> changed());
    listening.hosts(hosts, event -> changed());
    listening.settings(
        settings,
        event -> {
          if (event.configClass().equals(LinkSettings.class)
              || event.configClass().equals(HostSettings.class)) {
            changed();
          }
        });
    // What was read until now may lack what came before anybody listened, and nobody would tell.
    forget();
  }

  private void changed() {
    forget();
    onChange.run();
  }

  private synchronized void forget() {
    known = new Picture(null);
  }

  @Override
  public NetworkState current() {
    Picture last;
    synchronized (this) {
      last = known;
    }
    if (last.state != null) {
      return last.state;
    }
    NetworkState now = read();
    synchronized (this) {
      // An event in between has put another empty picture there, and then this one must not stay.
      if (known == last) {
        known = new Picture(now);
      }
    }
    return now;
  }

  /** How long an idle link takes, as far as that is configured. */
  public long delayNanos(Link link) {
    return Optional.ofNullable(
            settings.getConfig(LinkKey.linkKey(link.src(), link.dst()), LinkSettings.class))
        .flatMap(LinkSettings::delay)
        .map(delay -> delay.delay(0).nanos())
        .orElse(0L);
  }

  /** The node that stands for a host. */
  public static String node(Host host) {
    return host.id().toString();
  }

  private NetworkState read() {
    Set<String> nodes = new LinkedHashSet<>();
    Map<LinkId, org.paceline.intents.network.Link> found = new LinkedHashMap<>();
    Map<LinkId, LinkPorts> ports = new LinkedHashMap<>();
    Map<String, String> names = new LinkedHashMap<>();
    List<String> warnings = new ArrayList<>();
    for (Device device : devices.getAvailableDevices()) {
      String node = device.id().toString();
      nodes.add(node);
      name(device).ifPresent(name -> names.put(node, name));
    }
    for (Link link : links.getActiveLinks()) {
      String from = link.src().deviceId().toString();
      String to = link.dst().deviceId().toString();
      if (nodes.contains(from) && nodes.contains(to) && !from.equals(to)) {
        if (add(found, from, to, link.src(), link.dst(), warnings)) {
          ports.put(LinkId.of(from, to), LinkPorts.of(port(link.src()), port(link.dst())));
        }
      }
    }
    Map<String, String> nodesByAddress = new LinkedHashMap<>();
    Map<String, Set<String>> interfaces = new LinkedHashMap<>();
    Map<String, Set<String>> agents = new LinkedHashMap<>();
    for (Host host : hosts.getHosts()) {
      ConnectPoint at = host.location();
      if (at == null) {
        // Its switch has left.
        continue;
      }
      String device = at.deviceId().toString();
      if (nodes.contains(device)) {
        String node = node(host);
        nodes.add(node);
        name(host).ifPresent(name -> names.put(node, name));
        add(found, node, device, at, at, warnings);
        ports.put(LinkId.of(node, device), LinkPorts.of(Optional.empty(), port(at)));
        add(found, device, node, at, at, warnings);
        ports.put(LinkId.of(device, node), LinkPorts.of(port(at), Optional.empty()));
        Set<String> speakers = speakers(host);
        for (IpAddress address : host.ipAddresses()) {
          nodesByAddress.put(address.toString(), node);
          add(interfaces, address, Set.of(host.mac().toString()));
          add(agents, address, speakers);
        }
      }
    }
    ports.keySet().retainAll(found.keySet());
    return NetworkState.of(
            Network.of(nodes, found.values()), nodesByAddress, names, ports, warnings)
        .withHosts(interfaces, agents);
  }

  /** The hosts whose agents alone may speak for it; none where no operator says so. */
  private Set<String> speakers(Host host) {
    return Optional.ofNullable(settings.getConfig(host.id(), HostSettings.class))
        .map(HostSettings::agents)
        .orElseGet(Set::of);
  }

  private static void add(Map<String, Set<String>> byAddress, IpAddress address, Set<String> more) {
    if (!more.isEmpty()) {
      byAddress.computeIfAbsent(address.toString(), a -> new TreeSet<>()).addAll(more);
    }
  }

  /** As network configuration has it; ONOS itself gives an unnamed element its id. */
  private static Optional<String> name(Annotated element) {
    return Optional.ofNullable(element.annotations().value(AnnotationKeys.NAME))
        .map(String::trim)
        .filter(name -> !name.isEmpty());
  }

  private static Optional<Long> port(ConnectPoint at) {
    return Optional.of(at.port().toLong());
  }

  /** Returns whether these ports are the ones that the link goes by. */
  private boolean add(
      Map<LinkId, org.paceline.intents.network.Link> found,
      String from,
      String to,
      ConnectPoint source,
      ConnectPoint destination,
      List<String> warnings) {
    Optional<LinkSettings> set =
        Optional.ofNullable(
            settings.getConfig(LinkKey.linkKey(source, destination), LinkSettings.class));
    Optional<DataRate> capacity =
        set.flatMap(LinkSettings::capacity).or(() -> slowest(source, destination));
    if (capacity.isEmpty()) {
      warnings.add(
          "The link ("
              + from
              + " -> "
              + to
              + ") has no known speed and is left out. Maybe configure links/"
              + source
              + "-"
              + destination
              + "/paceline/capacityKbps.");
      return false;
    }
    LinkDelay delay = set.flatMap(LinkSettings::delay).orElse(LinkDelay.constant(Latency.ZERO));
    LinkId id = LinkId.of(from, to);
    org.paceline.intents.network.Link link =
        org.paceline.intents.network.Link.of(from, to, capacity.get(), delay);
    // Of parallel links one is used: the widest, as default forwarding has one next hop too.
    return found.merge(id, link, (a, b) -> a.capacity().compareTo(b.capacity()) >= 0 ? a : b)
        == link;
  }

  private Optional<DataRate> slowest(ConnectPoint source, ConnectPoint destination) {
    return speed(source).flatMap(a -> speed(destination).map(b -> a.compareTo(b) <= 0 ? a : b));
  }

  private Optional<DataRate> speed(ConnectPoint at) {
    if (!(at.elementId() instanceof DeviceId)) {
      return Optional.empty();
    }
    Port port = devices.getPort(at);
    return port == null || port.portSpeed() <= 0
        ? Optional.empty()
        : Optional.of(DataRate.ofKilobitsPerSecond(port.portSpeed() * 1_000));
  }
}
