package org.paceline.onos.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onlab.packet.EthType.EtherType;
import org.onlab.packet.ICMP6;
import org.onlab.packet.IPv6;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.DeviceId;
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
  private static final String ELSEWHERE6 = "fd00::2";
  private static final String LINK_LOCAL = "fe80::1";
  private static final String LINK_LOCAL_ELSEWHERE = "fe80::2";

  private final RecordedSwitches switches = new RecordedSwitches(1);
  private final StepWorker worker = new StepWorker();
  private final Set<DeviceId> metered = new HashSet<>();
  private final Set<ConnectPoint> guarded = new HashSet<>(Set.of(GUARDED));
  private final Set<IpAddress> addresses =
      new HashSet<>(
          Set.of(
              IpAddress.valueOf(ADDRESS),
              IpAddress.valueOf(ADDRESS6),
              IpAddress.valueOf(LINK_LOCAL)));
  private final SourceGuard guard =
      new SourceGuard(
          OwnRules.of(switches, APP, device -> true),
          new Hosts(),
          () -> guarded,
          metered::contains,
          worker,
          new Nobody.NoJournal());

  private final class Hosts extends HostServiceAdapter {
    @Override
    public Set<Host> getConnectedHosts(ConnectPoint port) {
      return port.equals(GUARDED) ? Set.of(host(MAC, GUARDED, addresses)) : Set.of();
    }

    @Override
    public Iterable<Host> getHosts() {
      return List.of(
          host(MAC, GUARDED, addresses),
          host(
              OTHER,
              OPEN,
              Set.of(
                  IpAddress.valueOf(ELSEWHERE),
                  IpAddress.valueOf(ELSEWHERE6),
                  IpAddress.valueOf(LINK_LOCAL_ELSEWHERE))));
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
        .as("beside what the controller brings on its way, of IPv4, ARP and IPv6's neighbours")
        .hasSize(7)
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
    assertThat(taking(OPEN, OTHER, ADDRESS)).as("only there").isEmpty();
  }

  @Test
  void nobodyThereSaysThatItIsARouter() {
    refresh();
    for (byte said : List.of(ICMP6.ROUTER_ADVERTISEMENT, ICMP6.REDIRECT)) {
      assertThat(fate(icmp(GUARDED, MAC, LINK_LOCAL, said))).isEqualTo(Fate.DROPPED);
      assertThat(fate(icmp(OPEN, MAC, LINK_LOCAL, said))).as("only there").isEqualTo(Fate.NO_RULE);
    }
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
            OwnRules.of(switches, APP, device -> true),
            new Hosts(),
            Set::of,
            metered::contains,
            worker,
            new Nobody.NoJournal());
    next.open();
    next.forwardsBy(List.of());
    assertThat(switches.count()).as("also by a controller after this one").isZero();
  }

  @Test
  void whatTheControllerHearsOfPassesTheMeterOfItsPortWhereThereIsOne() {
    refresh();
    assertThat(showing()).isEqualTo(6);
    metered.add(GUARDED.deviceId());
    refresh();
    assertThat(showing()).isZero();
    assertThat(saying(GUARDED, MAC, MAC, ADDRESS)).as("as before").isEqualTo(Fate.AS_BEFORE);
    assertThat(saying(GUARDED, MAC, MAC, ELSEWHERE)).isEqualTo(Fate.DROPPED);
  }

  /** How many rules lead to the controller without one. */
  private long showing() {
    return switches.rules("of:1").stream()
        .filter(
            rule ->
                rule.treatment()
                    .allInstructions()
                    .contains(Instructions.createOutput(PortNumber.CONTROLLER)))
        .count();
  }

  @Test
  void whatTheSwitchDidNotHearIsWrittenAgain() {
    refresh();
    List<FlowRule> all = switches.rules("of:1");
    Set<FlowRule> lost =
        all.stream()
            .filter(rule -> rule.tableId() > GuardRules.CLAIM_TABLE)
            .collect(Collectors.toSet());
    assertThat(guard.wanted(GUARDED.deviceId())).containsExactlyInAnyOrderElementsOf(all);
    lost.forEach(switches::forget);
    guard.writeAgain(GUARDED.deviceId(), lost);
    assertThat(switches.rules("of:1")).containsExactlyInAnyOrderElementsOf(all);
  }

  @Test
  void whatWasRefusedInTheNameOfASwitchThatWasGoneIsWrittenWhenItIsBack() {
    switches.refuseNew(rule -> true);
    refresh();
    assertThat(switches.count()).isZero();
    assertThat(guard.wanted(GUARDED.deviceId())).as("for a while it is asked nothing").isEmpty();
    guard.returned(GUARDED.deviceId());
    assertThat(switches.count()).as("as it refuses what is written again, too").isZero();
    switches.acceptEverywhere();
    guard.returned(GUARDED.deviceId());
    assertThat(switches.rules("of:1"))
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(guard.wanted(GUARDED.deviceId()));
  }

  @Test
  void whatASwitchRefusesThatReturnsMeanwhileIsWrittenOnceMore() {
    switches.refuseNew(
        rule -> {
          guard.returned(GUARDED.deviceId());
          switches.acceptEverywhere();
          return true;
        });
    refresh();
    assertThat(switches.rules("of:1"))
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(guard.wanted(GUARDED.deviceId()));
  }

  @Test
  void aSwitchThatRefusesRulesForGoodIsAskedOnceAMinuteHoweverOftenItReturns() {
    AtomicInteger asked = new AtomicInteger();
    switches.refuseNew(
        rule -> {
          if (rule.tableId() == GuardRules.FORWARD_TABLE) {
            asked.incrementAndGet();
          }
          return true;
        });
    refresh();
    for (int i = 0; i < 3; i++) {
      guard.returned(GUARDED.deviceId());
    }
    int before = asked.get();
    int each = before / 4;
    worker.passTime();
    assertThat(asked).hasValue(before + each);
    worker.passTime();
    assertThat(asked).hasValue(before + 2 * each);
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

  @Test
  void aHostAsksItsNeighboursFromWhatIsItsOwnAndWhatNobodyIsKnownToHave() {
    refresh();
    assertThat(asking(GUARDED, MAC, ADDRESS6, MAC)).isEqualTo(Fate.AS_BEFORE);
    assertThat(asking(GUARDED, MAC, LINK_LOCAL, MAC)).isEqualTo(Fate.AS_BEFORE);
    assertThat(asking(GUARDED, MAC, ADDRESS6, MacAddress.ZERO))
        .as("whether one is still there, without a card's name")
        .isEqualTo(Fate.AS_BEFORE);
    assertThat(asking(GUARDED, OTHER, "::", MacAddress.ZERO))
        .as("whether an address is free")
        .isEqualTo(Fate.AS_BEFORE);
    assertThat(asking(GUARDED, MAC, "fd00::9", MAC)).as("it is new").isEqualTo(Fate.TO_ONOS);
    assertThat(asking(GUARDED, OTHER, "fe80::9", OTHER)).as("so is this").isEqualTo(Fate.TO_ONOS);
    assertThat(asking(OPEN, MAC, ELSEWHERE6, MAC)).as("only there").isEqualTo(Fate.NO_RULE);
  }

  @Test
  void nobodyAsksFromAnothersAddress() {
    refresh();
    assertThat(asking(GUARDED, MAC, ELSEWHERE6, MAC)).isEqualTo(Fate.DROPPED);
    assertThat(asking(GUARDED, OTHER, ELSEWHERE6, OTHER)).isEqualTo(Fate.DROPPED);
    assertThat(asking(GUARDED, MAC, LINK_LOCAL_ELSEWHERE, MAC)).isEqualTo(Fate.DROPPED);
    assertThat(asking(GUARDED, OTHER, ADDRESS6, OTHER)).as("another card").isEqualTo(Fate.DROPPED);
    assertThat(asking(GUARDED, MAC, ADDRESS6, OTHER)).as("another's").isEqualTo(Fate.DROPPED);
  }

  @Test
  void aHostAnswersForWhatIsItsOwnFromAnyOfItsAddresses() {
    refresh();
    for (String from : List.of(ADDRESS6, LINK_LOCAL)) {
      for (String own : List.of(ADDRESS6, LINK_LOCAL)) {
        for (MacAddress named : List.of(MAC, MacAddress.ZERO)) {
          assertThat(answering(GUARDED, MAC, from, own, named)).isEqualTo(Fate.AS_BEFORE);
        }
      }
    }
    assertThat(answering(GUARDED, MAC, "fd00::9", "fd00::9", MAC))
        .as("nobody is known to have it")
        .isEqualTo(Fate.TO_ONOS);
    assertThat(answering(GUARDED, MAC, LINK_LOCAL, "fd00::9", MAC))
        .as("default forwarding tells ONOS, too")
        .isEqualTo(Fate.AS_BEFORE);
    assertThat(answering(GUARDED, MAC, "fe80::9", ADDRESS6, MAC)).isEqualTo(Fate.TO_ONOS);
    assertThat(answering(OPEN, MAC, ELSEWHERE6, ELSEWHERE6, MAC)).isEqualTo(Fate.NO_RULE);
  }

  @Test
  void nobodyAnswersForAnothersAddressNorFromIt() {
    refresh();
    for (String others : List.of(ELSEWHERE6, LINK_LOCAL_ELSEWHERE)) {
      for (MacAddress named : List.of(MAC, OTHER, MacAddress.ZERO)) {
        assertThat(answering(GUARDED, MAC, others, others, named)).isEqualTo(Fate.DROPPED);
        assertThat(answering(GUARDED, MAC, ADDRESS6, others, named)).isEqualTo(Fate.DROPPED);
        assertThat(answering(GUARDED, MAC, "fd00::9", others, named)).isEqualTo(Fate.DROPPED);
        assertThat(answering(GUARDED, MAC, others, ADDRESS6, named)).isEqualTo(Fate.DROPPED);
        assertThat(answering(GUARDED, MAC, others, "fd00::9", named)).isEqualTo(Fate.DROPPED);
      }
    }
    assertThat(answering(GUARDED, OTHER, ADDRESS6, ADDRESS6, OTHER))
        .as("another card")
        .isEqualTo(Fate.DROPPED);
    assertThat(answering(GUARDED, MAC, ADDRESS6, ADDRESS6, OTHER))
        .as("another's card")
        .isEqualTo(Fate.DROPPED);
  }

  /** Some hosts have many of them, and nobody is to fill a table with those it makes up. */
  @Test
  void rulesGrowWithAddressesAndNotWithPairsOfThem() {
    refresh();
    int before = switches.count();
    addresses.add(IpAddress.valueOf("fd00::a"));
    refresh();
    int one = switches.count() - before;
    for (int more = 0; more < 50; more++) {
      addresses.add(IpAddress.valueOf("fd00:1::" + (more + 1)));
    }
    refresh();
    assertThat(switches.count() - before).isEqualTo(51 * one);
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
    return fate(
        Set.of(
            Criteria.matchInPort(port.port()),
            Criteria.matchEthType(EtherType.ARP.ethType().toShort()),
            Criteria.matchEthSrc(from),
            Criteria.matchArpSha(said),
            Criteria.matchArpSpa(Ip4Address.valueOf(sender))));
  }

  /** Of a question of IPv6 from this address, which names this card. */
  private Fate asking(ConnectPoint port, MacAddress from, String source, MacAddress named) {
    Set<Criterion> packet = icmp(port, from, source, ICMP6.NEIGHBOR_SOLICITATION);
    packet.add(Criteria.matchIPv6NDSourceLinkLayerAddress(named));
    return fate(packet);
  }

  /** Of an answer from one address, that the other is at this card. */
  private Fate answering(
      ConnectPoint port, MacAddress from, String source, String target, MacAddress named) {
    Set<Criterion> packet = icmp(port, from, source, ICMP6.NEIGHBOR_ADVERTISEMENT);
    packet.add(Criteria.matchIPv6NDTargetAddress(Ip6Address.valueOf(target)));
    packet.add(Criteria.matchIPv6NDTargetLinkLayerAddress(named));
    return fate(packet);
  }

  private static Set<Criterion> icmp(ConnectPoint port, MacAddress from, String source, byte kind) {
    return new HashSet<>(
        Set.of(
            Criteria.matchInPort(port.port()),
            Criteria.matchEthType(EtherType.IPV6.ethType().toShort()),
            Criteria.matchIPProtocol(IPv6.PROTOCOL_ICMP6),
            Criteria.matchIcmpv6Type(kind),
            Criteria.matchEthSrc(from),
            Criteria.matchIPv6Src(IpAddress.valueOf(source).toIpPrefix())));
  }

  private Fate fate(Set<Criterion> packet) {
    int table = 0;
    while (true) {
      Optional<FlowRule> taking = taking(table, packet);
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
      assertThat(treatment.tableTransition().tableId()).as("no way back").isGreaterThan(table);
      table = treatment.tableTransition().tableId();
      if (table == GuardRules.FORWARD_TABLE) {
        return Fate.AS_BEFORE;
      }
    }
  }

  private Optional<FlowRule> taking(int table, Set<Criterion> packet) {
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
    return taking(port, from, source)
        .filter(rule -> rule.treatment().tableTransition() != null)
        .isPresent();
  }

  /** The rule of the first table that takes such a packet. */
  private Optional<FlowRule> taking(ConnectPoint port, MacAddress from, String source) {
    return switches.rules("of:1").stream()
        .filter(rule -> rule.tableId() == 0)
        .filter(
            rule ->
                rule.selector().criteria().stream()
                    .allMatch(criterion -> meets(criterion, port, from, IpAddress.valueOf(source))))
        .max(Comparator.comparingInt(FlowRule::priority));
  }

  private static boolean meets(
      Criterion criterion, ConnectPoint port, MacAddress from, IpAddress source) {
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
