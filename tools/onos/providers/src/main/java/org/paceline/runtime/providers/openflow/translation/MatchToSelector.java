package org.paceline.runtime.providers.openflow.translation;

import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.TrafficSelector;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.IPv6Address;
import org.projectfloodlight.openflow.types.Masked;
import org.projectfloodlight.openflow.types.OFVlanVidMatch;

/**
 * Reads a switch's match in ONOS's words, so that ONOS can name, and remove, rules it never made.
 */
final class MatchToSelector {
  private MatchToSelector() {}

  static TrafficSelector translate(Match match) {
    TrafficSelector.Builder selector = DefaultTrafficSelector.builder();
    for (MatchField<?> field : match.getMatchFields()) {
      add(selector, match, field);
    }
    return selector.build();
  }

  private static void add(TrafficSelector.Builder selector, Match match, MatchField<?> field) {
    switch (field.id) {
      case IN_PORT:
        selector.matchInPort(Ids.port(match.get(MatchField.IN_PORT)));
        break;
      case METADATA:
        selector.matchMetadata(match.get(MatchField.METADATA).getValue().getValue());
        break;
      case TUNNEL_ID:
        selector.matchTunnelId(match.get(MatchField.TUNNEL_ID).getValue());
        break;
      case ETH_DST:
        if (match.isPartiallyMasked(MatchField.ETH_DST)) {
          Masked<org.projectfloodlight.openflow.types.MacAddress> masked =
              match.getMasked(MatchField.ETH_DST);
          selector.matchEthDstMasked(mac(masked.getValue()), mac(masked.getMask()));
        } else {
          selector.matchEthDst(mac(match.get(MatchField.ETH_DST)));
        }
        break;
      case ETH_SRC:
        if (match.isPartiallyMasked(MatchField.ETH_SRC)) {
          Masked<org.projectfloodlight.openflow.types.MacAddress> masked =
              match.getMasked(MatchField.ETH_SRC);
          selector.matchEthSrcMasked(mac(masked.getValue()), mac(masked.getMask()));
        } else {
          selector.matchEthSrc(mac(match.get(MatchField.ETH_SRC)));
        }
        break;
      case ETH_TYPE:
        selector.matchEthType((short) match.get(MatchField.ETH_TYPE).getValue());
        break;
      case VLAN_VID:
        selector.matchVlanId(vlan(match));
        break;
      case VLAN_PCP:
        selector.matchVlanPcp(match.get(MatchField.VLAN_PCP).getValue());
        break;
      case IP_DSCP:
        selector.matchIPDscp(match.get(MatchField.IP_DSCP).getDscpValue());
        break;
      case IP_ECN:
        selector.matchIPEcn(match.get(MatchField.IP_ECN).getEcnValue());
        break;
      case IP_PROTO:
        selector.matchIPProtocol((byte) match.get(MatchField.IP_PROTO).getIpProtocolNumber());
        break;
      case IPV4_SRC:
        selector.matchIPSrc(ipv4(match, MatchField.IPV4_SRC));
        break;
      case IPV4_DST:
        selector.matchIPDst(ipv4(match, MatchField.IPV4_DST));
        break;
      case IPV6_SRC:
        selector.matchIPv6Src(ipv6(match, MatchField.IPV6_SRC));
        break;
      case IPV6_DST:
        selector.matchIPv6Dst(ipv6(match, MatchField.IPV6_DST));
        break;
      case TCP_SRC:
        selector.matchTcpSrc(TpPort.tpPort(match.get(MatchField.TCP_SRC).getPort()));
        break;
      case TCP_DST:
        selector.matchTcpDst(TpPort.tpPort(match.get(MatchField.TCP_DST).getPort()));
        break;
      case UDP_SRC:
        selector.matchUdpSrc(TpPort.tpPort(match.get(MatchField.UDP_SRC).getPort()));
        break;
      case UDP_DST:
        selector.matchUdpDst(TpPort.tpPort(match.get(MatchField.UDP_DST).getPort()));
        break;
      case ICMPV4_TYPE:
        selector.matchIcmpType((byte) match.get(MatchField.ICMPV4_TYPE).getType());
        break;
      case ICMPV4_CODE:
        selector.matchIcmpCode((byte) match.get(MatchField.ICMPV4_CODE).getCode());
        break;
      case ICMPV6_TYPE:
        selector.matchIcmpv6Type((byte) match.get(MatchField.ICMPV6_TYPE).getValue());
        break;
      case ICMPV6_CODE:
        selector.matchIcmpv6Code((byte) match.get(MatchField.ICMPV6_CODE).getValue());
        break;
      case IPV6_ND_TARGET:
        selector.matchIPv6NDTargetAddress(
            Ip6Address.valueOf(match.get(MatchField.IPV6_ND_TARGET).getBytes()));
        break;
      case IPV6_ND_SLL:
        selector.matchIPv6NDSourceLinkLayerAddress(mac(match.get(MatchField.IPV6_ND_SLL)));
        break;
      case IPV6_ND_TLL:
        selector.matchIPv6NDTargetLinkLayerAddress(mac(match.get(MatchField.IPV6_ND_TLL)));
        break;
      case ARP_OP:
        selector.matchArpOp(match.get(MatchField.ARP_OP).getOpcode());
        break;
      case ARP_SPA:
        selector.matchArpSpa(Ip4Address.valueOf(match.get(MatchField.ARP_SPA).getInt()));
        break;
      case ARP_TPA:
        selector.matchArpTpa(Ip4Address.valueOf(match.get(MatchField.ARP_TPA).getInt()));
        break;
      case ARP_SHA:
        selector.matchArpSha(mac(match.get(MatchField.ARP_SHA)));
        break;
      case ARP_THA:
        selector.matchArpTha(mac(match.get(MatchField.ARP_THA)));
        break;
      default:
        throw new UnsupportedOperationException(
            "The switch's match field "
                + field.getName()
                + " has no translation here. Maybe another program wrote that rule: remove it"
                + " there.");
    }
  }

  private static MacAddress mac(org.projectfloodlight.openflow.types.MacAddress address) {
    return MacAddress.valueOf(address.getLong());
  }

  private static VlanId vlan(Match match) {
    if (match.isPartiallyMasked(MatchField.VLAN_VID)) {
      return VlanId.ANY;
    }
    OFVlanVidMatch vlan = match.get(MatchField.VLAN_VID);
    return vlan.equals(OFVlanVidMatch.NONE) ? VlanId.NONE : VlanId.vlanId(vlan.getVlan());
  }

  private static IpPrefix ipv4(Match match, MatchField<IPv4Address> field) {
    if (match.isPartiallyMasked(field)) {
      Masked<IPv4Address> masked = match.getMasked(field);
      return IpPrefix.valueOf(masked.getValue().getInt(), masked.getMask().asCidrMaskLength());
    }
    return IpPrefix.valueOf(match.get(field).getInt(), IpPrefix.MAX_INET_MASK_LENGTH);
  }

  private static IpPrefix ipv6(Match match, MatchField<IPv6Address> field) {
    if (match.isPartiallyMasked(field)) {
      Masked<IPv6Address> masked = match.getMasked(field);
      return IpPrefix.valueOf(
          Ip6Address.valueOf(masked.getValue().getBytes()), masked.getMask().asCidrMaskLength());
    }
    return IpPrefix.valueOf(
        Ip6Address.valueOf(match.get(field).getBytes()), IpPrefix.MAX_INET6_MASK_LENGTH);
  }
}
