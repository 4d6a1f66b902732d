package org.paceline.onos.flow;

import org.onlab.packet.EthType.EtherType;
import org.onlab.packet.IPv4;
import org.onlab.packet.IpAddress;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.EthTypeCriterion;
import org.onosproject.net.flow.criteria.IPCriterion;
import org.onosproject.net.flow.criteria.IPDscpCriterion;
import org.onosproject.net.flow.criteria.IPProtocolCriterion;
import org.onosproject.net.flow.criteria.PortCriterion;
import org.onosproject.net.flow.criteria.UdpPortCriterion;
import org.paceline.control.model.Conversation;

/** A packet of UDP over IPv4 as a switch sees it that looks for its rule. */
final class Packet {
  private final Conversation of;
  private final int port;
  private final int dscp;
  private final boolean isFragment;

  private Packet(Conversation of, int port, int dscp, boolean isFragment) {
    this.of = of;
    this.port = port;
    this.dscp = dscp;
    this.isFragment = isFragment;
  }

  /** As the conversation's sender would send it, coming in by this port. */
  static Packet by(int port, Conversation conversation) {
    return new Packet(conversation, port, 0, false);
  }

  Packet marked(int other) {
    return new Packet(of, port, other, isFragment);
  }

  Packet fragment() {
    return new Packet(of, port, dscp, true);
  }

  boolean isMatchedBy(TrafficSelector selector) {
    return selector.criteria().stream().allMatch(this::meets);
  }

  private boolean meets(Criterion criterion) {
    switch (criterion.type()) {
      case IN_PORT:
        return ((PortCriterion) criterion).port().toLong() == port;
      case ETH_TYPE:
        return ((EthTypeCriterion) criterion).ethType().equals(EtherType.IPV4.ethType());
      case IPV4_SRC:
        return ((IPCriterion) criterion).ip().contains(IpAddress.valueOf(of.localAddress()));
      case IPV4_DST:
        return ((IPCriterion) criterion).ip().contains(IpAddress.valueOf(of.remoteAddress()));
      case IP_PROTO:
        return ((IPProtocolCriterion) criterion).protocol() == IPv4.PROTOCOL_UDP;
      case IP_DSCP:
        return ((IPDscpCriterion) criterion).ipDscp() == dscp;
      case UDP_SRC:
        return ((UdpPortCriterion) criterion).udpPort().toInt() == shown(of.localPort());
      case UDP_DST:
        return ((UdpPortCriterion) criterion).udpPort().toInt() == shown(of.remotePort());
      default:
        return false;
    }
  }

  /** Open vSwitch takes the ports of every fragment for 0, of the first one, too. */
  private int shown(int transportPort) {
    return isFragment ? 0 : transportPort;
  }
}
