package org.paceline.onos.flow;

import java.util.Optional;
import org.onlab.packet.EthType;
import org.onlab.packet.IPv4;
import org.onlab.packet.IpAddress;
import org.onlab.packet.TpPort;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.TrafficSelector;
import org.paceline.control.conversations.Conversation;
import org.paceline.control.conversations.Transport;

/** Which packets are a conversation's. Only for IPv4. */
final class ConversationMatch {
  private ConversationMatch() {}

  /** IPv6 is led by default forwarding, by MAC address. */
  static boolean isPossible(Conversation conversation) {
    return IpAddress.valueOf(conversation.localAddress()).isIp4()
        && IpAddress.valueOf(conversation.remoteAddress()).isIp4();
  }

  /** All packets between its two hosts, in its direction. */
  static TrafficSelector.Builder pair(Conversation conversation) {
    return DefaultTrafficSelector.builder()
        .matchEthType(EthType.EtherType.IPV4.ethType().toShort())
        .matchIPSrc(IpAddress.valueOf(conversation.localAddress()).toIpPrefix())
        .matchIPDst(IpAddress.valueOf(conversation.remoteAddress()).toIpPrefix());
  }

  static TrafficSelector of(Conversation conversation) {
    TrafficSelector.Builder selector = pair(conversation);
    if (conversation.transport() == Transport.TCP) {
      selector.matchIPProtocol(IPv4.PROTOCOL_TCP);
      ifKnown(conversation.localPort()).ifPresent(selector::matchTcpSrc);
      ifKnown(conversation.remotePort()).ifPresent(selector::matchTcpDst);
    } else if (conversation.transport() == Transport.UDP) {
      selector.matchIPProtocol(IPv4.PROTOCOL_UDP);
      ifKnown(conversation.localPort()).ifPresent(selector::matchUdpSrc);
      ifKnown(conversation.remotePort()).ifPresent(selector::matchUdpDst);
    }
    return selector.build();
  }

  private static Optional<TpPort> ifKnown(int port) {
    return port == 0 ? Optional.empty() : Optional.of(TpPort.tpPort(port));
  }
}
