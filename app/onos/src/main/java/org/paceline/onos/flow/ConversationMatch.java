package org.paceline.onos.flow;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.onlab.packet.EthType;
import org.onlab.packet.IPv4;
import org.onlab.packet.IpAddress;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.TpPort;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.PortCriterion;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.PacketMatch;
import org.paceline.control.model.Transport;

/** Which packets are a conversation's, by IPv4 or IPv6. */
final class ConversationMatch {
  private ConversationMatch() {}

  /** No packet goes from an address of one kind to one of the other. */
  static boolean isPossible(Conversation conversation) {
    return IpAddress.valueOf(conversation.localAddress()).isIp4()
        == IpAddress.valueOf(conversation.remoteAddress()).isIp4();
  }

  /** All packets between its two hosts, in its direction. */
  static TrafficSelector.Builder pair(Conversation conversation) {
    IpPrefix source = IpAddress.valueOf(conversation.localAddress()).toIpPrefix();
    IpPrefix destination = IpAddress.valueOf(conversation.remoteAddress()).toIpPrefix();
    return source.isIp4()
        ? DefaultTrafficSelector.builder()
            .matchEthType(EthType.EtherType.IPV4.ethType().toShort())
            .matchIPSrc(source)
            .matchIPDst(destination)
        : DefaultTrafficSelector.builder()
            .matchEthType(EthType.EtherType.IPV6.ethType().toShort())
            .matchIPv6Src(source)
            .matchIPv6Dst(destination);
  }

  /** What is said of each of its sockets has a selector of its own. */
  static List<TrafficSelector> all(Conversation conversation) {
    return conversation.matches().stream()
        .map(match -> of(conversation, match))
        .collect(Collectors.toUnmodifiableList());
  }

  /** One of the conversation's matches, between its hosts. */
  static TrafficSelector of(Conversation conversation, PacketMatch match) {
    return of(
        pair(conversation),
        match.transport(),
        ifKnown(match.localPort()),
        ifKnown(match.remotePort()));
  }

  private static TrafficSelector of(
      TrafficSelector.Builder selector,
      Transport transport,
      Optional<TpPort> local,
      Optional<TpPort> remote) {
    if (transport == Transport.TCP) {
      selector.matchIPProtocol(IPv4.PROTOCOL_TCP);
      local.ifPresent(selector::matchTcpSrc);
      remote.ifPresent(selector::matchTcpDst);
    } else if (transport == Transport.UDP) {
      selector.matchIPProtocol(IPv4.PROTOCOL_UDP);
      local.ifPresent(selector::matchUdpSrc);
      remote.ifPresent(selector::matchUdpDst);
    }
    return selector.build();
  }

  /**
   * Fragments of what goes between its hosts by a transport. A fragment that does not begin a
   * packet has no ports, and counts as one of port 0 (OpenFlow 1.0.0, section 3.4); in Open vSwitch
   * each fragment does, the first one, too.
   */
  static TrafficSelector fragments(Conversation conversation, Transport transport) {
    Optional<TpPort> none = Optional.of(TpPort.tpPort(0));
    return of(pair(conversation), transport, none, none);
  }

  /** Whether anything of a conversation is told by its ports of this transport. */
  static boolean hasPorts(Conversation conversation, Transport transport) {
    return conversation.matches().stream()
        .anyMatch(
            match ->
                match.transport() == transport
                    && (match.localPort() != 0 || match.remotePort() != 0));
  }

  /** The same, of what comes to a switch by this port only. */
  static TrafficSelector comingBy(PortNumber port, TrafficSelector selector) {
    return DefaultTrafficSelector.builder(selector).matchInPort(port).build();
  }

  /** By which port it comes to its switch; empty for a rule of a version that did not say so. */
  static Optional<PortNumber> cameBy(TrafficSelector selector) {
    return Optional.ofNullable(selector.getCriterion(Criterion.Type.IN_PORT))
        .map(criterion -> ((PortCriterion) criterion).port());
  }

  /** The same, by whatever port it comes. */
  static TrafficSelector anywhere(TrafficSelector selector) {
    TrafficSelector.Builder wider = DefaultTrafficSelector.builder();
    selector.criteria().stream()
        .filter(criterion -> criterion.type() != Criterion.Type.IN_PORT)
        .forEach(wider::add);
    return wider.build();
  }

  /**
   * How much a match says: of two that both take a packet the one that says more is meant. A
   * conversation of one port may be beside another of all ports.
   */
  static int detail(PacketMatch match) {
    return (match.transport() == Transport.ANY ? 0 : 1)
        + (match.localPort() == 0 ? 0 : 1)
        + (match.remotePort() == 0 ? 0 : 2);
  }

  /** The most that {@link #detail} can be. */
  static final int FULL_DETAIL = 4;

  private static Optional<TpPort> ifKnown(int port) {
    return port == 0 ? Optional.empty() : Optional.of(TpPort.tpPort(port));
  }
}
