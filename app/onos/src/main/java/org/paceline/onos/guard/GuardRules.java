package org.paceline.onos.guard;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.onlab.packet.EthType.EtherType;
import org.onlab.packet.ICMP6;
import org.onlab.packet.IPv6;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.IpAddress;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.paceline.onos.forward.ControllerTable;
import org.paceline.onos.forward.DestinationRules;
import org.paceline.onos.tables.TableRule;

/**
 * The rules of a guarded port: table 0 sends what comes from an address of a host there to table 5,
 * which forwards as default forwarding does, and drops all other packets of IPv4 and IPv6 that come
 * in by the port. Above them are the rules of conversations, which match port and address, and
 * those by which flows are found, which do so at such a port.
 *
 * <p>Of ARP, what a host there says of its own address goes the same way. All other goes to table
 * 3, which drops what names an address that ONOS knows as its sender: it is another host's. An
 * address that nobody is known to have the controller hears of, and learns.
 *
 * <p>So do IPv6's neighbours (RFC 4861), link-local addresses as all others. ONOS and hosts believe
 * of a question its source, and of an answer both its source and its target, which a host with
 * several addresses may choose apart. So table 3 looks at the target and table 4 at the source:
 * rules for both at once would be as many as pairs of addresses. Who asks whether an address is
 * free says nothing of its own. No router is at a guarded port, so nobody there says to be one.
 */
final class GuardRules {
  /** Tells of which addresses hosts at guarded ports may say that they are theirs. */
  static final int CLAIM_TABLE = 3;

  /** Tells from which addresses they may ask and answer by IPv6. */
  static final int SOURCE_TABLE = 4;

  /** After these, for packets go to later tables only. */
  static final int FORWARD_TABLE = 5;

  /** Above default forwarding, below all that is about somebody in particular. */
  static final int DROP_PRIORITY = 15;

  static final int ALLOW_PRIORITY = 16;

  private static final int ROUTER_PRIORITY = 17;
  private static final int LAST_PRIORITY = 1;

  /** Above ONOS's rule for ARP, and those of default forwarding. */
  private static final int CLAIM_PRIORITY = DestinationRules.ARP_PRIORITY + 1;

  private static final int OWN_CLAIM_PRIORITY = DestinationRules.ARP_PRIORITY + 2;

  /** Of a host that has no address yet and asks for one. */
  private static final IpPrefix NO_IPV4 = IpPrefix.valueOf("0.0.0.0/32");

  private static final IpPrefix LINK_LOCAL = IpPrefix.valueOf("fe80::/10");

  /** Of a host that asks whether an address is free. */
  private static final IpPrefix NO_IPV6 = IpPrefix.valueOf("::/128");

  /** Open vSwitch takes a message that names no card for one that names this. */
  private static final MacAddress NO_CARD = MacAddress.ZERO;

  private final ApplicationId app;
  private final Predicate<DeviceId> metered;

  /**
   * @param metered whether a switch shows packets to the controller by {@link ControllerTable}
   */
  GuardRules(ApplicationId app, Predicate<DeviceId> metered) {
    this.app = app;
    this.metered = metered;
  }

  /** Whether a rule is one of these, whoever wrote it. */
  static boolean isOurs(FlowRule rule) {
    return rule.tableId() >= CLAIM_TABLE && rule.tableId() <= FORWARD_TABLE
        || rule.tableId() == 0
            && (rule.priority() >= DROP_PRIORITY && rule.priority() <= ROUTER_PRIORITY
                || rule.priority() == CLAIM_PRIORITY
                || rule.priority() == OWN_CLAIM_PRIORITY);
  }

  /**
   * @param hosts those at the port
   */
  Set<FlowRule> at(ConnectPoint port, Collection<Host> hosts) {
    Set<FlowRule> rules = new HashSet<>();
    for (boolean ipv4 : new boolean[] {true, false}) {
      rules.add(rule(port, DROP_PRIORITY, in(port, ipv4), drop()));
    }
    rules.add(rule(port, ALLOW_PRIORITY, in(port, true).matchIPSrc(NO_IPV4), onward()));
    for (byte type : List.of(ICMP6.ROUTER_ADVERTISEMENT, ICMP6.REDIRECT)) {
      rules.add(rule(port, ROUTER_PRIORITY, in(port, icmp(type)), drop()));
    }
    rules.add(rule(port, CLAIM_PRIORITY, arp(port), to(CLAIM_TABLE)));
    rules.add(rule(port, CLAIM_PRIORITY, in(port, question()), to(SOURCE_TABLE)));
    rules.add(rule(port, CLAIM_PRIORITY, in(port, answer()), to(CLAIM_TABLE)));
    // Of a host that asks whether an address is free, and says nothing of its own (RFC 5227, 4862).
    rules.add(rule(port, OWN_CLAIM_PRIORITY, arp(port).matchArpSpa(Ip4Address.ZERO), onward()));
    rules.add(rule(port, OWN_CLAIM_PRIORITY, in(port, question()).matchIPv6Src(NO_IPV6), onward()));
    for (Host host : hosts) {
      rules.add(allowed(port, host.mac(), LINK_LOCAL));
      for (IpAddress address : host.ipAddresses()) {
        rules.add(allowed(port, host.mac(), address.toIpPrefix()));
        if (address.isIp4()) {
          TrafficSelector.Builder own =
              arp(port)
                  .matchEthSrc(host.mac())
                  .matchArpSha(host.mac())
                  .matchArpSpa(address.getIp4Address());
          rules.add(rule(port, OWN_CLAIM_PRIORITY, own, onward()));
        } else {
          rules.addAll(ofNeighbour(port, host.mac(), address));
        }
      }
    }
    return rules;
  }

  /** What a host there may ask and answer: from this address, and that this address is its own. */
  private List<FlowRule> ofNeighbour(ConnectPoint port, MacAddress mac, IpAddress address) {
    List<FlowRule> rules = new ArrayList<>();
    for (MacAddress named : List.of(mac, NO_CARD)) {
      TrafficSelector.Builder asks =
          in(port, question())
              .matchEthSrc(mac)
              .matchIPv6Src(address.toIpPrefix())
              .matchIPv6NDSourceLinkLayerAddress(named);
      rules.add(rule(port, OWN_CLAIM_PRIORITY, asks, onward()));
      TrafficSelector.Builder answers =
          in(port, answer())
              .matchEthSrc(mac)
              .matchIPv6NDTargetAddress(address.getIp6Address())
              .matchIPv6NDTargetLinkLayerAddress(named);
      rules.add(rule(port, OWN_CLAIM_PRIORITY, answers, to(SOURCE_TABLE)));
    }
    TrafficSelector.Builder from =
        in(port, answer()).matchEthSrc(mac).matchIPv6Src(address.toIpPrefix());
    rules.add(rule(port.deviceId(), SOURCE_TABLE, OWN_CLAIM_PRIORITY, from, onward()));
    return rules;
  }

  /**
   * What a switch needs for all its guarded ports.
   *
   * @param hosts all that are known, wherever they are
   */
  Set<FlowRule> of(DeviceId device, Iterable<Host> hosts) {
    Set<FlowRule> rules = new HashSet<>();
    // What default forwarding has no rule for the controller brings on its way, where it is IPv4.
    // So it does with how hosts find each other, and looks itself who asks.
    for (TrafficSelector.Builder unknown :
        List.of(type(EtherType.IPV4), type(EtherType.ARP), question(), answer())) {
      rules.add(rule(device, FORWARD_TABLE, LAST_PRIORITY, unknown, shown(device)));
    }
    rules.add(rule(device, CLAIM_TABLE, LAST_PRIORITY, type(EtherType.ARP), shown(device)));
    rules.add(rule(device, CLAIM_TABLE, LAST_PRIORITY, answer(), to(SOURCE_TABLE)));
    rules.add(rule(device, SOURCE_TABLE, LAST_PRIORITY, type(EtherType.IPV6), shown(device)));
    for (Host host : hosts) {
      for (IpAddress address : host.ipAddresses()) {
        rules.add(rule(device, CLAIM_TABLE, ALLOW_PRIORITY, claiming(address), drop()));
        if (address.isIp6()) {
          TrafficSelector.Builder from = type(EtherType.IPV6).matchIPv6Src(address.toIpPrefix());
          rules.add(rule(device, SOURCE_TABLE, ALLOW_PRIORITY, from, drop()));
        }
      }
    }
    return rules;
  }

  private static TrafficSelector.Builder claiming(IpAddress address) {
    return address.isIp4()
        ? type(EtherType.ARP).matchArpSpa(address.getIp4Address())
        : answer().matchIPv6NDTargetAddress(address.getIp6Address());
  }

  private FlowRule allowed(ConnectPoint port, MacAddress mac, IpPrefix source) {
    TrafficSelector.Builder selector = in(port, source.isIp4()).matchEthSrc(mac);
    return rule(
        port,
        ALLOW_PRIORITY,
        source.isIp4() ? selector.matchIPSrc(source) : selector.matchIPv6Src(source),
        onward());
  }

  /** Does what a rule of default forwarding does. */
  FlowRule forward(FlowRule forwarding) {
    TrafficTreatment.Builder treatment =
        DefaultTrafficTreatment.builder().addTreatment(forwarding.treatment());
    // Which ONOS leaves out.
    Optional.ofNullable(forwarding.treatment().tableTransition())
        .ifPresent(next -> treatment.transition(next.tableId()));
    return rule(
        forwarding.deviceId(),
        FORWARD_TABLE,
        forwarding.priority(),
        DefaultTrafficSelector.builder(forwarding.selector()),
        treatment);
  }

  private static TrafficSelector.Builder in(ConnectPoint port, boolean ipv4) {
    return type(ipv4 ? EtherType.IPV4 : EtherType.IPV6).matchInPort(port.port());
  }

  private static TrafficSelector.Builder in(ConnectPoint port, TrafficSelector.Builder what) {
    return what.matchInPort(port.port());
  }

  private static TrafficSelector.Builder arp(ConnectPoint port) {
    return in(port, type(EtherType.ARP));
  }

  /** Who has this address? */
  private static TrafficSelector.Builder question() {
    return icmp(ICMP6.NEIGHBOR_SOLICITATION);
  }

  /** It is mine. */
  private static TrafficSelector.Builder answer() {
    return icmp(ICMP6.NEIGHBOR_ADVERTISEMENT);
  }

  private static TrafficSelector.Builder icmp(byte kind) {
    return type(EtherType.IPV6).matchIPProtocol(IPv6.PROTOCOL_ICMP6).matchIcmpv6Type(kind);
  }

  private static TrafficSelector.Builder type(EtherType type) {
    return DefaultTrafficSelector.builder().matchEthType(type.ethType().toShort());
  }

  private static TrafficTreatment.Builder onward() {
    return to(FORWARD_TABLE);
  }

  private static TrafficTreatment.Builder to(int table) {
    return DefaultTrafficTreatment.builder().transition(table);
  }

  private TrafficTreatment.Builder shown(DeviceId device) {
    return ControllerTable.show(DefaultTrafficTreatment.builder(), metered.test(device));
  }

  private static TrafficTreatment.Builder drop() {
    return DefaultTrafficTreatment.builder().drop();
  }

  private FlowRule rule(
      ConnectPoint port,
      int priority,
      TrafficSelector.Builder selector,
      TrafficTreatment.Builder treatment) {
    return rule(port.deviceId(), 0, priority, selector, treatment);
  }

  private FlowRule rule(
      DeviceId device,
      int table,
      int priority,
      TrafficSelector.Builder selector,
      TrafficTreatment.Builder treatment) {
    return TableRule.of(app, device, table, priority, selector, treatment);
  }
}
