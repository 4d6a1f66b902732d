package org.paceline.onos.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onlab.packet.EthType.EtherType;
import org.onlab.packet.ICMP6;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.criteria.Criteria;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.EthCriterion;
import org.onosproject.net.flow.criteria.EthTypeCriterion;
import org.onosproject.net.flow.criteria.IPCriterion;
import org.onosproject.net.flow.criteria.Icmpv6TypeCriterion;
import org.onosproject.net.flow.criteria.PortCriterion;
import org.onosproject.net.flow.instructions.Instructions;
import org.onosproject.net.host.HostServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.paceline.control.Nobody;
import org.paceline.onos.flow.OwnRules;
import org.paceline.onos.flow.RecordedSwitches;
import org.paceline.onos.flow.StepWorker;
import org.paceline.onos.forward.DestinationRules;

/** At a guarded port nobody sends from an address of others. */
final class SourceGuardTest {
  private static final ApplicationId APP = new DefaultApplicationId(1, "test");
  private static final ConnectPoint GUARDED = ConnectPoint.deviceConnectPoint("of:1/2");
  private static final ConnectPoint OPEN = ConnectPoint.deviceConnectPoint("of:1/3");
  private static final MacAddress MAC = MacAddress.valueOf("02:00:00:00:00:01");
  private static final MacAddress OTHER = MacAddress.valueOf("02:00:00:00:00:02");
  private static final String ADDRESS = "10.0.0.1";
  private static final String ELSEWHERE = "10.0.0.2";
  private static final String ADDRESS6 = "fd00::1";
  private static final int NO_ICMP = -1;

  private final RecordedSwitches switches = new RecordedSwitches(1);
  private final StepWorker worker = new StepWorker();
  private final Set<ConnectPoint> guarded = new HashSet<>(Set.of(GUARDED));
  private final Set<IpAddress> addresses =
      new HashSet<>(Set.of(IpAddress.valueOf(ADDRESS), IpAddress.valueOf(ADDRESS6)));
  private final SourceGuard guard =
      new SourceGuard(
          OwnRules.of(switches, APP), new Hosts(), () -> guarded, worker, new Nobody.NoJournal());

  private final class Hosts extends HostServiceAdapter {
    @Override
    public Set<Host> getConnectedHosts(ConnectPoint port) {
      return port.equals(GUARDED) ? Set.of(host(MAC, GUARDED, addresses)) : Set.of();
    }

    @Override
    public Iterable<Host> getHosts() {
      return List.of(
          host(MAC, GUARDED, addresses), host(OTHER, OPEN, Set.of(IpAddress.valueOf(ELSEWHERE))));
    }

    private Host host(MacAddress mac, ConnectPoint at, Set<IpAddress> its) {
      return new DefaultHost(
          ProviderId.NONE, HostId.hostId(mac), mac, VlanId.NONE, new HostLocation(at, 0), its);
    }
  }

  private void refresh() {
    guard.forwardsBy(
        List.of(
            forwarding(DestinationRules.PRIORITY, EtherType.IPV4),
            forwarding(DestinationRules.ARP_PRIORITY, EtherType.ARP),
            forwarding(DestinationRules.ARP_PRIORITY, EtherType.IPV6)));
  }

  @Test
  void whatComesFromAnAddressOfTheHostAtThePortIsForwardedAsByDefault() {
    refresh();
    assertThat(goesOn(GUARDED, MAC, ADDRESS)).isTrue();
    assertThat(goesOn(GUARDED, MAC, ADDRESS6)).isTrue();
    assertThat(goesOn(GUARDED, MAC, "fe80::1")).isTrue();
    assertThat(goesOn(GUARDED, OTHER, "0.0.0.0")).as("it asks for an address").isTrue();
    assertThat(forwarded())
        .as("beside what the controller brings on its way, of IPv4 and ARP")
        .hasSize(4)
        .anySatisfy(
            rule -> {
              assertThat(rule.priority()).isEqualTo(DestinationRules.PRIORITY);
              assertThat(rule.treatment().allInstructions())
                  .containsExactly(Instructions.createOutput(PortNumber.portNumber(7)));
              assertThat(rule.treatment().tableTransition()).isNull();
            });
  }

  @Test
  void whatComesFromAnotherAddressOrCardIsDropped() {
    refresh();
    assertThat(goesOn(GUARDED, MAC, "10.0.0.2")).isFalse();
    assertThat(goesOn(GUARDED, MAC, "fd00::2")).isFalse();
    assertThat(goesOn(GUARDED, OTHER, ADDRESS)).isFalse();
    assertThat(goesOn(GUARDED, OTHER, "fe80::1")).isFalse();
    assertThat(taking(OPEN, OTHER, ADDRESS, NO_ICMP)).as("only there").isEmpty();
  }

  @Test
  void hostsFindEachOtherAsBefore() {
    refresh();
    assertThat(
            taking(GUARDED, OTHER, "::", ICMP6.NEIGHBOR_SOLICITATION)
                .orElseThrow()
                .treatment()
                .allInstructions())
        .containsExactly(Instructions.createOutput(PortNumber.CONTROLLER));
  }

  @Test
  void anAddressThatTheHostGetsLaterIsItsOwnFromThenOn() {
    refresh();
    assertThat(goesOn(GUARDED, MAC, "10.0.0.9")).isFalse();
    addresses.add(IpAddress.valueOf("10.0.0.9"));
    refresh();
    assertThat(goesOn(GUARDED, MAC, "10.0.0.9")).isTrue();
  }

  @Test
  void nothingIsLeftOfItWhereNoPortIsGuardedAnyMore() {
    refresh();
    assertThat(switches.count()).isPositive();
    guarded.clear();
    refresh();
    assertThat(switches.count()).isZero();
    guarded.add(GUARDED);
    refresh();
    SourceGuard next =
        new SourceGuard(
            OwnRules.of(switches, APP), new Hosts(), Set::of, worker, new Nobody.NoJournal());
    next.open();
    next.forwardsBy(List.of());
    assertThat(switches.count()).as("also by a controller after this one").isZero();
  }

  @Test
  void aSwitchWithoutEnoughTablesForwardsAsBefore() {
    switches.refuseNew(rule -> rule.tableId() == GuardRules.FORWARD_TABLE);
    refresh();
    assertThat(switches.count()).isZero();
  }

  @Test
  void byArpAHostSaysWhatIsItsOwnAndWhatNobodyIsKnownToHave() {
    refresh();
    assertThat(saying(GUARDED, MAC, MAC, ADDRESS)).isEqualTo(Fate.AS_BEFORE);
    assertThat(saying(GUARDED, OTHER, OTHER, "0.0.0.0")).as("it asks").isEqualTo(Fate.AS_BEFORE);
    assertThat(saying(GUARDED, MAC, MAC, "10.0.0.9")).as("it is new").isEqualTo(Fate.TO_ONOS);
    assertThat(saying(OPEN, MAC, MAC, ELSEWHERE)).as("only there").isEqualTo(Fate.NO_RULE);
  }

  @Test
  void byArpNobodySaysThatAnothersAddressIsItsOwn() {
    refresh();
    assertThat(saying(GUARDED, MAC, MAC, ELSEWHERE)).isEqualTo(Fate.DROPPED);
    assertThat(saying(GUARDED, MAC, OTHER, ELSEWHERE)).isEqualTo(Fate.DROPPED);
    assertThat(saying(GUARDED, OTHER, OTHER, ADDRESS)).as("another card").isEqualTo(Fate.DROPPED);
    assertThat(saying(GUARDED, MAC, OTHER, ADDRESS)).as("another's card").isEqualTo(Fate.DROPPED);
  }

  /** What becomes of a packet. */
  private enum Fate {
    AS_BEFORE,
    TO_ONOS,
    DROPPED,
    NO_RULE
  }

  /** Of ARP whose sender is said to have this card and address. */
  private Fate saying(ConnectPoint port, MacAddress from, MacAddress said, String sender) {
    int table = 0;
    while (true) {
      Optional<FlowRule> taking = arp(table, port, from, said, sender);
      if (taking.isEmpty()) {
        return Fate.NO_RULE;
      }
      TrafficTreatment treatment = taking.get().treatment();
      if (treatment.tableTransition() == null) {
        return treatment
                .allInstructions()
                .contains(Instructions.createOutput(PortNumber.CONTROLLER))
            ? Fate.TO_ONOS
            : Fate.DROPPED;
      }
      table = treatment.tableTransition().tableId();
      if (table == GuardRules.FORWARD_TABLE) {
        return Fate.AS_BEFORE;
      }
    }
  }

  private Optional<FlowRule> arp(
      int table, ConnectPoint port, MacAddress from, MacAddress said, String sender) {
    Set<Criterion> packet =
        Set.of(
            Criteria.matchInPort(port.port()),
            Criteria.matchEthType(EtherType.ARP.ethType().toShort()),
            Criteria.matchEthSrc(from),
            Criteria.matchArpSha(said),
            Criteria.matchArpSpa(Ip4Address.valueOf(sender)));
    return switches.rules("of:1").stream()
        .filter(rule -> rule.tableId() == table)
        .filter(rule -> packet.containsAll(rule.selector().criteria()))
        .max(Comparator.comparingInt(FlowRule::priority));
  }

  private List<FlowRule> forwarded() {
    return switches.rules("of:1").stream()
        .filter(rule -> rule.tableId() == GuardRules.FORWARD_TABLE)
        .collect(Collectors.toList());
  }

  private boolean goesOn(ConnectPoint port, MacAddress from, String source) {
    return taking(port, from, source, NO_ICMP)
        .filter(rule -> rule.treatment().tableTransition() != null)
        .isPresent();
  }

  /** The rule of the first table that takes such a packet. */
  private Optional<FlowRule> taking(ConnectPoint port, MacAddress from, String source, int icmp) {
    return switches.rules("of:1").stream()
        .filter(rule -> rule.tableId() == 0)
        .filter(
            rule ->
                rule.selector().criteria().stream()
                    .allMatch(
                        criterion -> meets(criterion, port, from, IpAddress.valueOf(source), icmp)))
        .max(Comparator.comparingInt(FlowRule::priority));
  }

  private static boolean meets(
      Criterion criterion, ConnectPoint port, MacAddress from, IpAddress source, int icmp) {
    switch (criterion.type()) {
      case IN_PORT:
        return ((PortCriterion) criterion).port().equals(port.port());
      case ETH_TYPE:
        EtherType type = source.isIp4() ? EtherType.IPV4 : EtherType.IPV6;
        return ((EthTypeCriterion) criterion).ethType().equals(type.ethType());
      case ETH_SRC:
        return ((EthCriterion) criterion).mac().equals(from);
      case IPV4_SRC:
      case IPV6_SRC:
        return ((IPCriterion) criterion).ip().contains(source);
      case IP_PROTO:
        return icmp != NO_ICMP;
      case ICMPV6_TYPE:
        return (byte) ((Icmpv6TypeCriterion) criterion).icmpv6Type() == icmp;
      default:
        return false;
    }
  }

  private static FlowRule forwarding(int priority, EtherType type) {
    return DefaultFlowRule.builder()
        .forDevice(GUARDED.deviceId())
        .fromApp(APP)
        .withPriority(priority)
        .makePermanent()
        .withSelector(
            DefaultTrafficSelector.builder()
                .matchEthDst(OTHER)
                .matchEthType(type.ethType().toShort())
                .build())
        .withTreatment(
            DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(7)).build())
        .build();
  }
}
