package org.paceline.onos.guard;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.onlab.packet.EthType.EtherType;
import org.onlab.packet.ICMP6;
import org.onlab.packet.IPv6;
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
import org.paceline.onos.tables.TableRule;

/**
 * The rules of a guarded port: table 0 sends what comes from an address of a host there to table 3,
 * which forwards as default forwarding does, and drops all other packets of IPv4 and IPv6 that come
 * in by the port. Above them are the rules of conversations, which match port and address, and
 * those by which flows are found, which do so at such a port.
 */
final class GuardRules {
  static final int FORWARD_TABLE = 3;

  /** Above default forwarding, below all that is about somebody in particular. */
  static final int DROP_PRIORITY = 15;

  static final int ALLOW_PRIORITY = 16;

  private static final int NEIGHBOUR_PRIORITY = 17;
  private static final int LAST_PRIORITY = 1;

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
        || rule.tableId() == 0
            && rule.priority() >= DROP_PRIORITY
            && rule.priority() <= NEIGHBOUR_PRIORITY;
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
              DefaultTrafficTreatment.builder().punt()));
    }
    for (Host host : hosts) {
      rules.add(allowed(port, host.mac(), LINK_LOCAL));
      for (IpAddress address : host.ipAddresses()) {
        rules.add(allowed(port, host.mac(), address.toIpPrefix()));
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

  /** What default forwarding has no rule for the controller brings on its way, where it is IPv4. */
  FlowRule handOver(DeviceId device) {
    return rule(
        device,
        FORWARD_TABLE,
        LAST_PRIORITY,
        DefaultTrafficSelector.builder().matchEthType(EtherType.IPV4.ethType().toShort()),
        DefaultTrafficTreatment.builder().punt());
  }

  private static TrafficSelector.Builder in(ConnectPoint port, boolean ipv4) {
    EtherType type = ipv4 ? EtherType.IPV4 : EtherType.IPV6;
    return DefaultTrafficSelector.builder()
        .matchInPort(port.port())
        .matchEthType(type.ethType().toShort());
  }

  private static TrafficTreatment.Builder onward() {
    return DefaultTrafficTreatment.builder().transition(FORWARD_TABLE);
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
