package org.paceline.onos.forward;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.ARP;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onlab.packet.ndp.NeighborSolicitation;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.onosproject.net.host.HostServiceAdapter;
import org.onosproject.net.link.LinkServiceAdapter;
import org.onosproject.net.packet.DefaultInboundPacket;
import org.onosproject.net.packet.OutboundPacket;
import org.onosproject.net.packet.PacketContextAdapter;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.paceline.onos.flow.OwnRules;

final class DefaultForwardingTest {
  private static final DefaultApplicationId APP = new DefaultApplicationId(1, "test");
  private static final ConnectPoint ASKED_AT = ConnectPoint.deviceConnectPoint("of:1/1");
  private static final Host HERE = host(1, "of:1", 2);
  private static final Host ASKS = host(3, "of:1", 1);

  /** Its switch has left. */
  private static final Host NOWHERE = host(2);

  private final List<Host> known = new ArrayList<>(List.of(NOWHERE, HERE, ASKS));
  private final Switches switches = new Switches();
  private final Packets packets = new Packets();
  private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
  private final DefaultForwarding forwarding =
      new DefaultForwarding(
          OwnRules.of(switches, APP),
          new DestinationRules(APP, link -> 0, () -> 0, () -> 0),
          new DeviceServiceAdapter(),
          new LinkServiceAdapter(),
          new Hosts(),
          packets,
          executor);

  @AfterEach
  void close() {
    executor.shutdownNow();
  }

  private static final class Switches extends FlowRuleServiceAdapter {
    final List<FlowRule> added = new ArrayList<>();
    final List<FlowRule> removed = new ArrayList<>();

    @Override
    public void applyFlowRules(FlowRule... rules) {
      added.addAll(List.of(rules));
    }

    @Override
    public void removeFlowRules(FlowRule... rules) {
      removed.addAll(List.of(rules));
    }
  }

  private static final class Packets extends PacketServiceAdapter {
    final List<OutboundPacket> sent = new ArrayList<>();
    Optional<PacketProcessor> processor = Optional.empty();

    @Override
    public void addProcessor(PacketProcessor added, int priority) {
      processor = Optional.of(added);
    }

    @Override
    public void emit(OutboundPacket packet) {
      sent.add(packet);
    }
  }

  private final class Hosts extends HostServiceAdapter {
    @Override
    public Iterable<Host> getHosts() {
      return known;
    }

    @Override
    public Set<Host> getHostsByMac(MacAddress mac) {
      return known.stream().filter(host -> host.mac().equals(mac)).collect(Collectors.toSet());
    }

    @Override
    public Set<Host> getHostsByIp(IpAddress address) {
      return known.stream()
          .filter(host -> host.ipAddresses().contains(address))
          .collect(Collectors.toSet());
    }
  }

  private static Host host(int number) {
    return host(number, Set.of());
  }

  private static Host host(int number, String device, long port) {
    return host(
        number,
        Set.of(new HostLocation(DeviceId.deviceId(device), PortNumber.portNumber(port), number)));
  }

  private static Host host(int number, Set<HostLocation> places) {
    MacAddress mac = MacAddress.valueOf(0x020000000000L + number);
    return new DefaultHost(
        ProviderId.NONE,
        HostId.hostId(mac),
        mac,
        VlanId.NONE,
        places,
        Set.of(
            IpAddress.valueOf("10.0." + number / 250 + "." + (number % 250 + 1)),
            IpAddress.valueOf("fd00::" + Integer.toHexString(number))),
        false);
  }

  /** Where a packet of the third host goes, switch and port. */
  private List<String> sentFor(Ethernet frame) {
    forwarding.open();
    DefaultInboundPacket in =
        new DefaultInboundPacket(ASKED_AT, frame, ByteBuffer.wrap(frame.serialize()));
    packets.processor.orElseThrow().process(new PacketContextAdapter(0, in, null, false));
    return packets.sent.stream()
        .map(
            packet -> packet.sendThrough() + " " + packet.treatment().immediate().get(0).toString())
        .collect(Collectors.toList());
  }

  private static Ethernet to(Host host) {
    Ethernet frame = new Ethernet();
    frame.setDestinationMACAddress(host.mac());
    frame.setSourceMACAddress(ASKS.mac());
    frame.setEtherType(Ethernet.TYPE_IPV4);
    frame.setPayload(new IPv4().setSourceAddress("10.0.0.4").setDestinationAddress("10.0.0.2"));
    return frame;
  }

  @Test
  void aPacketToAHostIsHandedToItWhereItIs() {
    assertThat(sentFor(to(HERE))).containsExactly("of:1 OUTPUT:2");
  }

  @Test
  void aPacketToAHostWhoseSwitchHasLeftGoesNowhereAndEndsNothing() {
    assertThat(sentFor(to(NOWHERE))).isEmpty();
  }

  @Test
  void aQuestionOfIpv6ForAHostWhoseSwitchHasLeftEndsNothing() {
    Ethernet question =
        NeighborSolicitation.buildNdpSolicit(
            Ip6Address.valueOf("fd00::2"),
            Ip6Address.valueOf("fd00::3"),
            Ip6Address.valueOf("ff02::1:ff00:2"),
            ASKS.mac(),
            MacAddress.valueOf("33:33:ff:00:00:02"),
            VlanId.NONE);
    assertThat(sentFor(question)).isEmpty();
  }

  @Test
  void arpIsAnsweredForAHostOnlyWhileItIsSomewhere() {
    assertThat(sentFor(arp(HERE))).containsExactly("of:1 OUTPUT:1");
    packets.sent.clear();
    assertThat(sentFor(arp(NOWHERE))).isEmpty();
  }

  private static Ethernet arp(Host host) {
    Ip4Address address =
        host.ipAddresses().stream()
            .filter(IpAddress::isIp4)
            .map(IpAddress::getIp4Address)
            .findFirst()
            .orElseThrow();
    return ARP.buildArpRequest(
        ASKS.mac().toBytes(),
        Ip4Address.valueOf("10.0.0.4").toOctets(),
        address.toOctets(),
        VlanId.NO_VID);
  }

  @Test
  void hostsThatAreSomewhereAreLedToBesideOneThatIsNowhere() {
    forwarding.refresh();
    assertThat(switches.added).hasSize(2 * (1 + 3));
  }
}
