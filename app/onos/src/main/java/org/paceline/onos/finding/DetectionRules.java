package org.paceline.onos.finding;

import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.onlab.packet.EthType.EtherType;
import org.onlab.packet.IPv4;
import org.onlab.packet.IpAddress;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TpPort;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.meter.MeterId;
import org.paceline.control.model.Transport;
import org.paceline.control.naming.DetectionMatch;
import org.paceline.control.naming.PacketFacts;
import org.paceline.onos.forward.ControllerTable;
import org.paceline.onos.tables.TableRule;

/**
 * The rules by which an edge switch shows the controller packets of hosts without an agent, and
 * forwards them all the same: table 0 sends what a naming rule may name to table 1, which forwards
 * as default forwarding does, and then to table 2, which sends a copy through a meter to the
 * controller. The meter comes after the packet has left, so that it drops copies only.
 *
 * <p>Above them in table 0 are the rules of conversations: whoever was found is not shown again.
 */
final class DetectionRules {
  static final int FORWARD_TABLE = 1;
  static final int COPY_TABLE = 2;

  /** Above default forwarding, below all conversations' rules. */
  static final int DETECT_PRIORITY = 20;

  private static final int LAST_PRIORITY = 1;
  private static final int COPY_PRIORITY = 10;
  private static final int LOOKED_AT_PRIORITY = 20;

  private final ApplicationId app;

  DetectionRules(ApplicationId app) {
    this.app = app;
  }

  /** Whether a rule is one of these, whoever wrote it. */
  static boolean isOurs(FlowRule rule) {
    return rule.tableId() == FORWARD_TABLE
        || rule.tableId() == COPY_TABLE
        || rule.tableId() == 0 && rule.priority() == DETECT_PRIORITY;
  }

  /** Begins to look at what a host sends. */
  Set<FlowRule> detect(ConnectPoint at, MacAddress mac, Set<DetectionMatch> matches) {
    Set<FlowRule> rules = new HashSet<>();
    matches.forEach(match -> rules.add(detect(at, selector(at, mac, match))));
    return rules;
  }

  /** The same, at a port where only what comes from these addresses is to be forwarded. */
  Set<FlowRule> detect(
      ConnectPoint at,
      MacAddress mac,
      Set<DetectionMatch> matches,
      Collection<IpAddress> addresses) {
    Set<FlowRule> rules = new HashSet<>();
    for (DetectionMatch match : matches) {
      for (IpAddress address : addresses) {
        if (address.isIp4() == match.isIpv4()) {
          TrafficSelector.Builder selector = selector(at, mac, match);
          IpPrefix source = address.toIpPrefix();
          rules.add(
              detect(
                  at,
                  match.isIpv4() ? selector.matchIPSrc(source) : selector.matchIPv6Src(source)));
        }
      }
    }
    return rules;
  }

  private static TrafficSelector.Builder selector(
      ConnectPoint at, MacAddress mac, DetectionMatch match) {
    TrafficSelector.Builder selector =
        DefaultTrafficSelector.builder().matchInPort(at.port()).matchEthSrc(mac);
    select(selector, match);
    return selector;
  }

  private FlowRule detect(ConnectPoint at, TrafficSelector.Builder selector) {
    return rule(
        at.deviceId(),
        0,
        DETECT_PRIORITY,
        selector,
        DefaultTrafficTreatment.builder().transition(FORWARD_TABLE));
  }

  private static void select(TrafficSelector.Builder selector, DetectionMatch match) {
    ipOf(selector, match.isIpv4());
    match
        .remote()
        .map(prefix -> IpPrefix.valueOf(prefix.toString()))
        .ifPresent(
            prefix -> {
              if (match.isIpv4()) {
                selector.matchIPDst(prefix);
              } else {
                selector.matchIPv6Dst(prefix);
              }
            });
    transport(selector, match.transport(), match.localPort(), match.remotePort());
  }

  private static void ipOf(TrafficSelector.Builder selector, boolean ipv4) {
    EtherType type = ipv4 ? EtherType.IPV4 : EtherType.IPV6;
    selector.matchEthType(type.ethType().toShort());
  }

  private static void transport(
      TrafficSelector.Builder selector, Transport transport, int localPort, int remotePort) {
    if (transport == Transport.TCP) {
      selector.matchIPProtocol(IPv4.PROTOCOL_TCP);
      port(localPort).ifPresent(selector::matchTcpSrc);
      port(remotePort).ifPresent(selector::matchTcpDst);
    } else if (transport == Transport.UDP) {
      selector.matchIPProtocol(IPv4.PROTOCOL_UDP);
      port(localPort).ifPresent(selector::matchUdpSrc);
      port(remotePort).ifPresent(selector::matchUdpDst);
    }
  }

  private static Optional<TpPort> port(int number) {
    return number == 0 ? Optional.empty() : Optional.of(TpPort.tpPort(number));
  }

  /** Does what a rule of default forwarding does, and then looks whether a copy is wanted. */
  FlowRule forward(FlowRule forwarding) {
    return rule(
        forwarding.deviceId(),
        FORWARD_TABLE,
        forwarding.priority(),
        DefaultTrafficSelector.builder(forwarding.selector()),
        DefaultTrafficTreatment.builder()
            .addTreatment(forwarding.treatment())
            .transition(COPY_TABLE));
  }

  /**
   * What default forwarding has no rule for the controller brings on its way; of IPv6, as without
   * detection, nobody does.
   *
   * @param isMetered whether the switch shows packets to the controller by {@link ControllerTable}
   */
  FlowRule handOver(DeviceId device, boolean isMetered) {
    TrafficSelector.Builder selector = DefaultTrafficSelector.builder();
    ipOf(selector, true);
    return rule(
        device,
        FORWARD_TABLE,
        LAST_PRIORITY,
        selector,
        ControllerTable.show(DefaultTrafficTreatment.builder(), isMetered));
  }

  /** Sends copies of what came in here to the controller, as many as the meter lets pass. */
  FlowRule copy(ConnectPoint at, MeterId meter) {
    return rule(
        at.deviceId(),
        COPY_TABLE,
        COPY_PRIORITY,
        DefaultTrafficSelector.builder().matchInPort(at.port()),
        DefaultTrafficTreatment.builder().meter(meter).punt());
  }

  /** Sends no more copies of a flow, which is forwarded all the same. */
  FlowRule lookedAt(ConnectPoint at, PacketFacts packet) {
    boolean ipv4 = packet.localAddress().indexOf(':') < 0;
    IpPrefix source = IpPrefix.valueOf(packet.localAddress() + (ipv4 ? "/32" : "/128"));
    IpPrefix destination = IpPrefix.valueOf(packet.remoteAddress() + (ipv4 ? "/32" : "/128"));
    TrafficSelector.Builder selector = DefaultTrafficSelector.builder().matchInPort(at.port());
    ipOf(selector, ipv4);
    if (ipv4) {
      selector.matchIPSrc(source).matchIPDst(destination);
    } else {
      selector.matchIPv6Src(source).matchIPv6Dst(destination);
    }
    transport(selector, packet.transport(), packet.localPort(), packet.remotePort());
    int priority = LOOKED_AT_PRIORITY + (packet.transport() == Transport.ANY ? 0 : 1);
    return rule(
        at.deviceId(), COPY_TABLE, priority, selector, DefaultTrafficTreatment.builder().drop());
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
