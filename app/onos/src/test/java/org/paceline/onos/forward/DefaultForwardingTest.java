package org.paceline.onos.forward;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
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
import org.onosproject.net.DefaultLink;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.Link;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperation;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.EthCriterion;
import org.onosproject.net.flow.instructions.Instructions;
import org.onosproject.net.host.HostAdminService;
import org.onosproject.net.host.HostServiceAdapter;
import org.onosproject.net.link.LinkServiceAdapter;
import org.onosproject.net.packet.DefaultInboundPacket;
import org.onosproject.net.packet.OutboundPacket;
import org.onosproject.net.packet.PacketContextAdapter;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.paceline.control.ManualWorker;
import org.paceline.control.Nobody;
import org.paceline.control.SolverBug;
import org.paceline.control.work.Closers;
import org.paceline.control.work.Faults;
import org.paceline.onos.flow.OwnRules;
import org.paceline.onos.listen.Listening;

final class DefaultForwardingTest {
  private static final DefaultApplicationId APP = new DefaultApplicationId(1, "test");

  private static final ConnectPoint ASKED_AT = ConnectPoint.deviceConnectPoint("of:1/1");
  private static final Host HERE = host(1, "of:1", 2);
  private static final Host ASKS = host(3, "of:1", 1);

  /** Its switch has left. */
  private static final Host NOWHERE = host(2);

  private final List<Host> known = new ArrayList<>(List.of(NOWHERE, HERE, ASKS));
  private final List<Link> linked = new ArrayList<>();
  private Set<DeviceId> metered = Set.of();
  private final Switches switches = new Switches();
  private final Packets packets = new Packets();

  /** Tests bring rules up to date themselves, but where they let its time pass. */
  private final ManualWorker worker = new ManualWorker().goingOn();

  private final Listening listening =
      new Listening(new Faults(new Nobody.NoJournal()), new Closers(new Nobody.NoJournal()));
  private final DefaultForwarding forwarding =
      new DefaultForwarding(
          OwnRules.of(switches, APP, device -> true),
          new DestinationRules(APP, link -> 0, () -> 0, () -> 0, () -> metered),
          new DeviceServiceAdapter(),
          new Links(),
          new Hosts(),
          packets,
          worker);

  private static final class Switches extends FlowRuleServiceAdapter {
    final List<FlowRule> added = new ArrayList<>();
    final List<FlowRule> removed = new ArrayList<>();
    final List<FlowRuleOperations> unanswered = new ArrayList<>();

    Optional<SolverBug> broken = Optional.empty();
    boolean answer = true;

    @Override
    public void apply(FlowRuleOperations operations) {
      broken.ifPresent(SolverBug::thrown);
      for (Set<FlowRuleOperation> stage : operations.stages()) {
        for (FlowRuleOperation one : stage) {
          (one.type() == FlowRuleOperation.Type.ADD ? added : removed).add(one.rule());
        }
      }
      if (answer) {
        operations.callback().onSuccess(operations);
      } else {
        unanswered.add(operations);
      }
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

  private final class Links extends LinkServiceAdapter {
    @Override
    public Iterable<Link> getActiveLinks() {
      return linked;
    }

    @Override
    public Set<Link> getLinks(ConnectPoint at) {
      return Set.of();
    }
  }

  private final class Hosts extends HostServiceAdapter implements HostAdminService {
    @Override
    public Iterable<Host> getHosts() {
      return known;
    }

    @Override
    public void removeHost(HostId id) {
      known.removeIf(host -> host.id().equals(id));
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
    forwarding.open(listening, 4_096);
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
    refresh();
    assertThat(switches.added).hasSize(2 * 4);
  }

  private void link(String one, String other) {
    for (String[] ends : new String[][] {{one, other}, {other, one}}) {
      linked.add(
          DefaultLink.builder()
              .providerId(ProviderId.NONE)
              .src(ConnectPoint.deviceConnectPoint(ends[0]))
              .dst(ConnectPoint.deviceConnectPoint(ends[1]))
              .type(Link.Type.DIRECT)
              .build());
    }
  }

  private void refresh() {
    switches.added.clear();
    switches.removed.clear();
    forwarding.refresh();
    worker.pass(Duration.ZERO);
  }

  private static List<MacAddress> destinations(Collection<FlowRule> rules) {
    return rules.stream()
        .map(rule -> ((EthCriterion) rule.selector().getCriterion(Criterion.Type.ETH_DST)).mac())
        .distinct()
        .collect(Collectors.toList());
  }

  @Test
  void aHostThatComesOrGoesChangesOnlyTheRulesThatLeadToIt() {
    link("of:1/9", "of:2/9");
    refresh();
    Host come = host(4, "of:2", 1);
    known.add(come);
    refresh();
    assertThat(destinations(switches.added)).containsExactly(come.mac());
    assertThat(switches.added).hasSize(2 * 4);
    assertThat(switches.removed).isEmpty();
    known.remove(come);
    refresh();
    assertThat(destinations(switches.removed)).containsExactly(come.mac());
    assertThat(switches.removed).hasSize(2 * 4);
    assertThat(switches.added).isEmpty();
  }

  @Test
  void aHostThatMovesIsLedToItsNewPlaceByTheSameRulesAndNoneIsTakenAway() {
    refresh();
    known.set(1, host(1, "of:1", 7));
    refresh();
    assertThat(destinations(switches.added)).containsExactly(HERE.mac());
    assertThat(switches.added)
        .hasSize(4)
        .allMatch(
            rule ->
                rule.treatment()
                    .allInstructions()
                    .contains(Instructions.createOutput(PortNumber.portNumber(7))));
    assertThat(switches.removed).isEmpty();
  }

  @Test
  void whatASwitchDidNotHearIsWrittenThereAgain() {
    link("of:1/9", "of:2/9");
    refresh();
    DeviceId back = DeviceId.deviceId("of:2");
    Collection<FlowRule> wanted = forwarding.wanted(back);
    assertThat(wanted)
        .hasSize(2 * 4)
        .isSubsetOf(switches.added)
        .allMatch(rule -> rule.deviceId().equals(back));
    switches.added.clear();
    forwarding.writeAgain(back, Set.copyOf(wanted));
    assertThat(switches.added).containsExactlyInAnyOrderElementsOf(wanted);
  }

  /** What only some switches have other rules for is not told to the others again. */
  @Test
  void aLinkThatGoesChangesOnlyTheRulesThatLedOverIt() {
    link("of:1/9", "of:2/9");
    link("of:2/8", "of:3/8");
    link("of:1/7", "of:3/7");
    known.add(host(4, "of:3", 1));
    refresh();
    linked.removeIf(link -> Set.of(link.src(), link.dst()).contains(at("of:1/7")));
    refresh();
    assertThat(switches.removed).isEmpty();
    assertThat(switches.added)
        .as("by the second switch from the first to the third and back")
        .hasSize(4 + 2 * 4)
        .noneMatch(rule -> rule.deviceId().equals(DeviceId.deviceId("of:2")));
  }

  /** The copies that the controller gets pass a meter there. */
  @Test
  void onlyWhereASwitchMetersCopiesTheyGoToItsTableForThat() {
    link("of:1/9", "of:2/9");
    refresh();
    metered = Set.of(DeviceId.deviceId("of:2"));
    refresh();
    assertThat(switches.removed).isEmpty();
    assertThat(switches.added)
        .as("by which two hosts are asked for, by ARP and by IPv6's question and answer")
        .hasSize(2 * 3)
        .allMatch(rule -> rule.deviceId().equals(DeviceId.deviceId("of:2")))
        .allMatch(rule -> rule.treatment().tableTransition().tableId() == ControllerTable.TABLE)
        .noneMatch(
            rule ->
                rule.treatment()
                    .allInstructions()
                    .contains(Instructions.createOutput(PortNumber.CONTROLLER)));
    refresh();
    assertThat(switches.added).isEmpty();
  }

  private static ConnectPoint at(String port) {
    return ConnectPoint.deviceConnectPoint(port);
  }

  @Test
  void ofTwoThatHaveOneAddressTheOneSeenLastIsLedTo() {
    Host elsewhere =
        new DefaultHost(
            ProviderId.NONE,
            HostId.hostId(HERE.mac(), VlanId.vlanId((short) 7)),
            HERE.mac(),
            VlanId.vlanId((short) 7),
            new HostLocation(DeviceId.deviceId("of:1"), PortNumber.portNumber(5), 100),
            Set.of());
    known.add(elsewhere);
    known.add(0, elsewhere);
    refresh();
    assertThat(switches.added)
        .filteredOn(rule -> destinations(List.of(rule)).contains(HERE.mac()))
        .isNotEmpty()
        .allMatch(
            rule ->
                rule.treatment()
                    .allInstructions()
                    .contains(Instructions.createOutput(PortNumber.portNumber(5))));
  }

  @Test
  void behindAPortThatHasManyHostsThoseThatAreLedToStayLedTo() {
    refresh();
    List<Host> first = List.copyOf(known);
    // Seen earlier, as ONOS says: it says so, too, of hosts that have a new address since.
    for (int number = 0; number < 20; number++) {
      MacAddress mac = MacAddress.valueOf(0x040000000000L + number);
      HostLocation place = new HostLocation(DeviceId.deviceId("of:1"), PortNumber.portNumber(2), 0);
      known.add(
          new DefaultHost(ProviderId.NONE, HostId.hostId(mac), mac, VlanId.NONE, place, Set.of()));
    }
    forwarding.open(listening, 3);
    refresh();
    assertThat(destinations(switches.added)).hasSize(2).noneMatch(macs(first)::contains);
    assertThat(switches.removed).isEmpty();
    assertThat(macs(known))
        .as("the controller's memory is bounded, too")
        .containsAll(macs(first))
        .containsAll(destinations(switches.added))
        .hasSize(first.size() + 2);
  }

  private static List<MacAddress> macs(List<Host> hosts) {
    return hosts.stream().map(Host::mac).collect(Collectors.toList());
  }

  @ParameterizedTest
  @EnumSource
  void whatCouldNotBeToldIsToldWithoutAnotherEvent(SolverBug bug) {
    switches.broken = Optional.of(bug);
    forwarding.networkChanged();
    worker.pass(Duration.ofSeconds(30));
    assertThat(worker.faults).isNotEmpty();
    switches.broken = Optional.empty();
    worker.pass(Duration.ofMinutes(1));
    assertThat(switches.added).hasSize(2 * 4);
  }

  @Test
  void whatGoesAndIsWantedAgainAtOnceIsWrittenWhenTheSwitchHasAnsweredThatItIsGone() {
    link("of:1/9", "of:2/9");
    refresh();
    Collection<FlowRule> before = forwarding.wanted(DeviceId.deviceId("of:2"));
    switches.answer = false;
    List<Link> both = List.copyOf(linked);
    linked.clear();
    refresh();
    assertThat(switches.removed).containsExactlyInAnyOrderElementsOf(before);
    linked.addAll(both);
    refresh();
    assertThat(switches.added).isEmpty();
    switches.answer = true;
    switches.unanswered.forEach(one -> one.callback().onSuccess(one));
    worker.pass(Duration.ZERO);
    assertThat(switches.added).containsExactlyInAnyOrderElementsOf(before);
  }

  @Test
  void whatASwitchDidNotTakeItIsToldAgainUnlessSomethingElseIsWanted() {
    switches.answer = false;
    refresh();
    known.remove(ASKS);
    refresh();
    switches.answer = true;
    switches.unanswered.forEach(one -> one.callback().onError(one));
    worker.pass(Duration.ZERO);
    assertThat(destinations(switches.removed)).containsExactly(ASKS.mac());
    assertThat(switches.added).isEmpty();
    worker.pass(Duration.ofSeconds(1));
    assertThat(destinations(switches.added)).containsExactly(HERE.mac());
    assertThat(switches.added).hasSize(4);
    switches.added.clear();
    worker.pass(Duration.ofMinutes(5));
    assertThat(switches.added).isEmpty();
  }

  /** Else each link that comes and goes would cost as much as all rules. */
  @Test
  void aSwitchThatSendsByTheSamePortKeepsTheVeryRulesThatItHas() {
    for (int one = 1; one <= 4; one++) {
      link("of:" + one + "/1001", "of:" + (one % 4 + 1) + "/1002");
    }
    List<FlowRule> told = new ArrayList<>();
    forwarding.tell(
        all -> {
          told.clear();
          all.forEach(told::add);
        });
    refresh();
    Set<FlowRule> before = Collections.newSetFromMap(new IdentityHashMap<>());
    before.addAll(told);
    linked.remove(0);
    linked.remove(0);
    refresh();
    assertThat(switches.added).isNotEmpty();
    assertThat(told).hasSameSizeAs(before);
    assertThat(told.stream().filter(rule -> !before.contains(rule))).hasSameSizeAs(switches.added);
  }
}
