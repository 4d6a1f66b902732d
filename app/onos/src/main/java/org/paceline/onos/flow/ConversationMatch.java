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

/** Which packets are a conversation's. */
public final class ConversationMatch {
  private ConversationMatch() {}

  /** Empty for IPv6, which default forwarding leads by address. */
  public static Optional<TrafficSelector> of(Conversation conversation) {
    IpAddress source = IpAddress.valueOf(conversation.localAddress());
    IpAddress destination = IpAddress.valueOf(conversation.remoteAddress());
    if (!source.isIp4() || !destination.isIp4()) {
      return Optional.empty();
    }
    TrafficSelector.Builder selector =
        DefaultTrafficSelector.builder()
            .matchEthType(EthType.EtherType.IPV4.ethType().toShort())
            .matchIPSrc(source.toIpPrefix())
            .matchIPDst(destination.toIpPrefix());
    if (conversation.transport() == Transport.TCP) {
      selector.matchIPProtocol(IPv4.PROTOCOL_TCP);
      ifKnown(conversation.localPort()).ifPresent(selector::matchTcpSrc);
      ifKnown(conversation.remotePort()).ifPresent(selector::matchTcpDst);
    } else if (conversation.transport() == Transport.UDP) {
      selector.matchIPProtocol(IPv4.PROTOCOL_UDP);
      ifKnown(conversation.localPort()).ifPresent(selector::matchUdpSrc);
      ifKnown(conversation.remotePort()).ifPresent(selector::matchUdpDst);
    }
    return Optional.of(selector.build());
  }

  private static Optional<TpPort> ifKnown(int port) {
    return port == 0 ? Optional.empty() : Optional.of(TpPort.tpPort(port));
  }
}
