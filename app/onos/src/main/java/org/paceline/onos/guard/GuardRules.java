package org.paceline.onos.guard;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
import org.paceline.onos.forward.DestinationRules;
import org.paceline.onos.tables.TableRule;

/**
 * The rules of a guarded port: table 0 sends what comes from an address of a host there to table 3,
 * which forwards as default forwarding does, and drops all other packets of IPv4 and IPv6 that come
 * in by the port. Above them are the rules of conversations, which match port and address, and
 * those by which flows are found, which do so at such a port.
 *
 * <p>Of ARP, what a host there says of its own address goes the same way. All other goes to table
 * 4, which drops what names an address that ONOS knows as its sender: it is another host's. An
 * address that nobody is known to have the controller hears of, and learns.
 */
final class GuardRules {
  static final int FORWARD_TABLE = 3;

  /** Tells what hosts at guarded ports may say of themselves by ARP. */
  static final int ARP_TABLE = 4;

  /** Above default forwarding, below all that is about somebody in particular. */
  static final int DROP_PRIORITY = 15;

  static final int ALLOW_PRIORITY = 16;

  private static final int NEIGHBOUR_PRIORITY = 17;
  private static final int LAST_PRIORITY = 1;

  /** Above ONOS's rule for ARP, and those of default forwarding. */
  private static final int ARP_PRIORITY = DestinationRules.ARP_PRIORITY + 1;

  private static final int OWN_ARP_PRIORITY = DestinationRules.ARP_PRIORITY + 2;

  /** Of a host that has no address yet and asks for one. */
  private static final IpPrefix NO_IPV4 = IpPrefix.valueOf("0.0.0.0/32");

  private static final IpPrefix LINK_LOCAL = IpPrefix.valueOf("fe80::/10");

  private final ApplicationId app;

  GuardRules(ApplicationId app) {
    this.app = app;
  }

  /** Whether a rule is one of these, whoever wrote it. */
  static boolean isOurs(FlowRule rule) {
    return rule.tableId() == FORWARD_TABLE
        || rule.tableId() == ARP_TABLE
        || rule.tableId() == 0
            && (rule.priority() >= DROP_PRIORITY && rule.priority() <= NEIGHBOUR_PRIORITY
                || rule.priority() == ARP_PRIORITY
                || rule.priority() == OWN_ARP_PRIORITY);
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
    // How hosts find each other; ONOS hands it on, and looks itself who asks.
    for (byte type : List.of(ICMP6.NEIGHBOR_SOLICITATION, ICMP6.NEIGHBOR_ADVERTISEMENT)) {
      rules.add(
          rule(
              port,
              NEIGHBOUR_PRIORITY,
              in(port, false).matchIPProtocol(IPv6.PROTOCOL_ICMP6).matchIcmpv6Type(type),
              punt()));
    }
    rules.add(rule(port, ARP_PRIORITY, arp(port), to(ARP_TABLE)));
    // Of a host that asks whether an address is free, and says nothing of its own (RFC 5227).
    rules.add(rule(port, OWN_ARP_PRIORITY, arp(port).matchArpSpa(Ip4Address.ZERO), onward()));
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
          rules.add(rule(port, OWN_ARP_PRIORITY, own, onward()));
        }
      }
    }
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
    for (TrafficSelector.Builder unknown : List.of(type(EtherType.IPV4), type(EtherType.ARP))) {
      rules.add(rule(device, FORWARD_TABLE, LAST_PRIORITY, unknown, punt()));
    }
    rules.add(rule(device, ARP_TABLE, LAST_PRIORITY, type(EtherType.ARP), punt()));
    for (Host host : hosts) {
      for (IpAddress address : host.ipAddresses()) {
        if (address.isIp4()) {
          TrafficSelector.Builder others = type(EtherType.ARP).matchArpSpa(address.getIp4Address());
          rules.add(rule(device, ARP_TABLE, ALLOW_PRIORITY, others, drop()));
        }
      }
    }
    return rules;
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
    return rule(
        forwarding.deviceId(),
        FORWARD_TABLE,
        forwarding.priority(),
        DefaultTrafficSelector.builder(forwarding.selector()),
        DefaultTrafficTreatment.builder().addTreatment(forwarding.treatment()));
  }

  private static TrafficSelector.Builder in(ConnectPoint port, boolean ipv4) {
    return type(ipv4 ? EtherType.IPV4 : EtherType.IPV6).matchInPort(port.port());
  }

  private static TrafficSelector.Builder arp(ConnectPoint port) {
    return type(EtherType.ARP).matchInPort(port.port());
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

  private static TrafficTreatment.Builder punt() {
    return DefaultTrafficTreatment.builder().punt();
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
