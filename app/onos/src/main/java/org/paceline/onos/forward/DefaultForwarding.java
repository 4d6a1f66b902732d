package org.paceline.onos.forward;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.onlab.packet.ARP;
import org.onlab.packet.EthType.EtherType;
import org.onlab.packet.Ethernet;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.MacAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.Link;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.host.HostAdminService;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.packet.DefaultOutboundPacket;
import org.onosproject.net.packet.InboundPacket;
import org.onosproject.net.packet.PacketContext;
import org.onosproject.net.packet.PacketPriority;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketService;
import org.paceline.control.port.Worker;
import org.paceline.control.work.Upkeep;
import org.paceline.onos.flow.OwnRules;
import org.paceline.onos.flow.StagedWriter;
import org.paceline.onos.listen.Listening;
import org.paceline.onos.tables.RuleOwner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards everything that no conversation's rules lead: the only place that does.
 *
 * <p>Rules stand before traffic comes ({@link DestinationRules}), so the controller sees only ARP,
 * what IPv6 has in its place ({@link Neighbours}), and packets of IPv4 to hosts that it does not
 * know yet. ARP is answered for known addresses, IPv6's question handed to who has the address, and
 * both asked at the network's edge for others; nothing is ever flooded between switches, so nothing
 * can loop.
 */
public final class DefaultForwarding implements RuleOwner, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DefaultForwarding.class);
  private static final Duration COALESCE = Duration.ofMillis(50);

  private final DeviceService devices;
  private final LinkService links;
  private final EdgePorts edge;
  private final HostAdminService hosts;
  private final OwnRules rules;
  private final PacketService packets;
  private final DestinationRules destinationRules;
  private final StagedWriter writer;
  private final OrderedWrites writes;
  private volatile int mostHostsOfPort = Integer.MAX_VALUE;
  private final Set<ConnectPoint> toldCrowded = new HashSet<>();
  private Map<MacAddress, Led> installed = Map.of();
  private volatile Consumer<Iterable<FlowRule>> onRules = rules -> {};

  private final Upkeep upkeep;

  /** A host with the rules of each switch that lead to it. */
  private static final class Led {
    final Destination to;
    final Map<DeviceId, List<FlowRule>> rules;

    Led(Destination to, Map<DeviceId, List<FlowRule>> rules) {
      this.to = to;
      this.rules = rules;
    }
  }

  /**
   * @param worker on which all rules are computed
   */
  public DefaultForwarding(
      OwnRules rules,
      DestinationRules destinationRules,
      DeviceService devices,
      LinkService links,
      HostAdminService hosts,
      PacketService packets,
      Worker worker) {
    this.devices = devices;
    this.links = links;
    this.edge = new EdgePorts(devices, links);
    this.hosts = hosts;
    this.rules = rules;
    this.packets = packets;
    this.destinationRules = destinationRules;
    this.writer = new StagedWriter(rules, worker);
    this.writes = new OrderedWrites(writer, worker);
    this.upkeep =
        new Upkeep(
            worker, COALESCE, "Default forwarding could not be brought up to date.", this::refresh);
  }

  /**
   * Told all rules when they may be others; before it is opened. They stay what they are, and any
   * thread may go through them.
   */
  public void tell(Consumer<Iterable<FlowRule>> listener) {
    onRules = listener;
  }

  /**
   * For how many hosts behind one port there are rules from now on.
   *
   * @param mostOfPort at least 1
   */
  public void leadTo(int mostOfPort) {
    if (mostOfPort != mostHostsOfPort) {
      mostHostsOfPort = mostOfPort;
      upkeep.ask();
    }
  }

  /**
   * Begins to listen and to forward.
   *
   * @param mostOfPort as {@link #leadTo} has it
   */
  public void open(Listening listening, int mostOfPort) {
    mostHostsOfPort = mostOfPort;
    listening.devices(devices, this::deviceChanged);
    listening.links(links, event -> upkeep.ask());
    listening.hosts(hosts, event -> upkeep.ask());
    listening.packets(packets, PacketProcessor.director(3), this::process);
    seen().forEach(which -> packets.requestPackets(which, PacketPriority.REACTIVE, rules.app()));
    upkeep.ask();
  }

  /** What switches have no rule for and ask the controller, where no meter is between. */
  private static List<TrafficSelector> seen() {
    List<TrafficSelector> seen = new ArrayList<>();
    for (EtherType type : List.of(EtherType.ARP, EtherType.IPV4)) {
      seen.add(DefaultTrafficSelector.builder().matchEthType(type.ethType().toShort()).build());
    }
    Neighbours.matches().forEach(match -> seen.add(match.build()));
    return seen;
  }

  @Override
  public void close() {
    writer.close();
    seen().forEach(which -> packets.cancelPackets(which, PacketPriority.REACTIVE, rules.app()));
  }

  private void deviceChanged(DeviceEvent event) {
    if (event.type() != DeviceEvent.Type.PORT_STATS_UPDATED) {
      upkeep.ask();
    }
  }

  /** Links, or what is known of them, have changed. */
  public void networkChanged() {
    upkeep.ask();
  }

  /** On the worker. */
  void refresh() {
    List<Link> active = new ArrayList<>();
    links.getActiveLinks().forEach(active::add);
    LedHosts to = LedHosts.of(hosts.getHosts(), mostHostsOfPort, led());
    say(to.crowded());
    bringUpToDate(destinationRules.destinations(active, to.hosts(), this::facingHosts));
    to.surplus().forEach(host -> hosts.removeHost(host.id()));
  }

  /** Said once for each time that a port has more. */
  private void say(Map<ConnectPoint, Integer> crowded) {
    crowded.forEach(
        (at, many) -> {
          if (toldCrowded.add(at)) {
            log.warn(
                "{} hosts are known at the port ({}), and ONOS is to know {} of them: who was led to"
                    + " before, then who was seen first. The others are taken away as they are"
                    + " learned. Maybe take away those that are gone (ONOS's remove-host), or raise"
                    + " the setting maxHostsPerPort.",
                many,
                at,
                mostHostsOfPort);
          }
        });
    toldCrowded.retainAll(crowded.keySet());
  }

  private Map<MacAddress, ConnectPoint> led() {
    Map<MacAddress, ConnectPoint> led = new HashMap<>();
    installed.forEach((mac, host) -> led.put(mac, host.to.at()));
    return led;
  }

  /**
   * Rules of switches that stay as they are, are neither made again nor looked at: a host that
   * comes costs O(H + V) for H hosts and V switches, a link that changes O(H * V), of which only
   * switches that send to another port cost more than a comparison.
   */
  private void bringUpToDate(List<Destination> wanted) {
    Map<MacAddress, Led> before = installed;
    Map<MacAddress, Led> now = new HashMap<>();
    ForwardingChange change = new ForwardingChange();
    for (Destination to : wanted) {
      Led host = led(to, Optional.ofNullable(before.get(to.mac())), change);
      now.put(to.mac(), host);
    }
    before.forEach(
        (mac, host) -> {
          if (!now.containsKey(mac)) {
            change.between(host.rules, Map.of());
          }
        });
    writes.write(change.added, change.removed);
    installed = now;
    onRules.accept(() -> rules(now).iterator());
  }

  private Led led(Destination to, Optional<Led> before, ForwardingChange change) {
    if (before.isPresent() && before.get().to.equals(to)) {
      return before.get();
    }
    Map<DeviceId, List<FlowRule>> held = before.map(host -> host.rules).orElseGet(Map::of);
    Led host = new Led(to, destinationRules.of(to, before.map(old -> old.to).orElse(to), held));
    change.between(held, host.rules);
    return host;
  }

  private static Stream<FlowRule> rules(Map<MacAddress, Led> hosts) {
    return hosts.values().stream()
        .flatMap(host -> host.rules.values().stream())
        .flatMap(List::stream);
  }

  @Override
  public Collection<FlowRule> wanted(DeviceId device) {
    return installed.values().stream()
        .flatMap(host -> host.rules.getOrDefault(device, List.of()).stream())
        .collect(Collectors.toUnmodifiableList());
  }

  @Override
  public void writeAgain(DeviceId device, Set<FlowRule> lost) {
    writes.write(lost, Set.of());
  }

  private void process(PacketContext context) {
    if (context.isHandled()) {
      return;
    }
    InboundPacket in = context.inPacket();
    Ethernet packet = in.parsed();
    if (packet == null || !edge.isEdge(in.receivedFrom())) {
      return;
    }
    if (packet.getEtherType() == Ethernet.TYPE_ARP) {
      arp(in, packet, (ARP) packet.getPayload());
      context.block();
    } else if (Neighbours.isIn(packet)) {
      neighbour(in, packet);
      context.block();
    } else if (packet.getEtherType() == Ethernet.TYPE_IPV4 && !packet.isMulticast()) {
      handOver(in, packet);
      context.block();
    }
  }

  private void arp(InboundPacket in, Ethernet packet, ARP arp) {
    Ip4Address target = Ip4Address.valueOf(arp.getTargetProtocolAddress());
    Optional<Host> known = findable(hosts.getHostsByIp(target)).findFirst();
    if (arp.getOpCode() == ARP.OP_REQUEST && known.isPresent()) {
      Ethernet reply = ARP.buildArpReply(target, known.get().mac(), packet);
      emit(in.receivedFrom(), ByteBuffer.wrap(reply.serialize()));
    } else if (arp.getOpCode() == ARP.OP_REQUEST) {
      askAtTheEdge(in);
    } else {
      handOver(in, packet);
    }
  }

  /** Whoever has the address answers itself: an answer has flags that only it can say. */
  private void neighbour(InboundPacket in, Ethernet packet) {
    if (!packet.isMulticast()) {
      handOver(in, packet);
      return;
    }
    Neighbours.target(packet)
        .flatMap(target -> findable(hosts.getHostsByIp(target)).findFirst())
        // Who asks for its own address looks for another that has it.
        .filter(host -> !host.mac().equals(packet.getSourceMAC()))
        .ifPresentOrElse(host -> emit(host.location(), in.unparsed()), () -> askAtTheEdge(in));
  }

  private void askAtTheEdge(InboundPacket in) {
    edge.all().stream()
        .filter(port -> !port.equals(in.receivedFrom()))
        .forEach(port -> emit(port, in.unparsed()));
  }

  /** To whom it is addressed, where that is known. */
  private void handOver(InboundPacket in, Ethernet packet) {
    findable(hosts.getHostsByMac(packet.getDestinationMAC()))
        .findFirst()
        .ifPresent(host -> emit(host.location(), in.unparsed()));
  }

  private static Stream<Host> findable(Collection<Host> hosts) {
    return hosts.stream().filter(LedHosts::isSomewhere);
  }

  /** A host that nobody has heard of yet may be at any of their ports. */
  private Set<DeviceId> facingHosts() {
    return edge.all().stream().map(ConnectPoint::deviceId).collect(Collectors.toUnmodifiableSet());
  }

  private void emit(ConnectPoint to, ByteBuffer frame) {
    packets.emit(
        new DefaultOutboundPacket(
            to.deviceId(),
            DefaultTrafficTreatment.builder().setOutput(to.port()).build(),
            frame.duplicate()));
  }
}
