package org.paceline.runtime.providers.openflow.translation;

import org.onlab.packet.IpPrefix;
import org.onlab.packet.VlanId;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.criteria.ArpHaCriterion;
import org.onosproject.net.flow.criteria.ArpOpCriterion;
import org.onosproject.net.flow.criteria.ArpPaCriterion;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.EthCriterion;
import org.onosproject.net.flow.criteria.EthTypeCriterion;
import org.onosproject.net.flow.criteria.IPCriterion;
import org.onosproject.net.flow.criteria.IPDscpCriterion;
import org.onosproject.net.flow.criteria.IPEcnCriterion;
import org.onosproject.net.flow.criteria.IPProtocolCriterion;
import org.onosproject.net.flow.criteria.IPv6NDLinkLayerAddressCriterion;
import org.onosproject.net.flow.criteria.IPv6NDTargetAddressCriterion;
import org.onosproject.net.flow.criteria.IcmpCodeCriterion;
import org.onosproject.net.flow.criteria.IcmpTypeCriterion;
import org.onosproject.net.flow.criteria.Icmpv6CodeCriterion;
import org.onosproject.net.flow.criteria.Icmpv6TypeCriterion;
import org.onosproject.net.flow.criteria.MetadataCriterion;
import org.onosproject.net.flow.criteria.PortCriterion;
import org.onosproject.net.flow.criteria.TcpPortCriterion;
import org.onosproject.net.flow.criteria.TunnelIdCriterion;
import org.onosproject.net.flow.criteria.UdpPortCriterion;
import org.onosproject.net.flow.criteria.VlanIdCriterion;
import org.onosproject.net.flow.criteria.VlanPcpCriterion;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.ArpOpcode;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.ICMPv4Code;
import org.projectfloodlight.openflow.types.ICMPv4Type;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.IPv6Address;
import org.projectfloodlight.openflow.types.IpDscp;
import org.projectfloodlight.openflow.types.IpEcn;
import org.projectfloodlight.openflow.types.IpProtocol;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFMetadata;
import org.projectfloodlight.openflow.types.OFVlanVidMatch;
import org.projectfloodlight.openflow.types.TransportPort;
import org.projectfloodlight.openflow.types.U64;
import org.projectfloodlight.openflow.types.U8;
import org.projectfloodlight.openflow.types.VlanPcp;

/** Writes what ONOS selects as what OpenFlow matches; {@link MatchToSelector} reads it back. */
final class SelectorToMatch {
  private SelectorToMatch() {}

  static Match translate(OFFactory factory, TrafficSelector selector) {
    Match.Builder match = factory.buildMatch();
    for (Criterion criterion : selector.criteria()) {
      add(match, criterion);
    }
    return match.build();
  }

  private static void add(Match.Builder match, Criterion criterion) {
    switch (criterion.type()) {
      case IN_PORT:
        match.setExact(MatchField.IN_PORT, Ids.port(((PortCriterion) criterion).port()));
        break;
      case METADATA:
        match.setExact(
            MatchField.METADATA, OFMetadata.ofRaw(((MetadataCriterion) criterion).metadata()));
        break;
      case TUNNEL_ID:
        match.setExact(MatchField.TUNNEL_ID, U64.of(((TunnelIdCriterion) criterion).tunnelId()));
        break;
      case ETH_DST:
      case ETH_DST_MASKED:
        addMac(match, MatchField.ETH_DST, (EthCriterion) criterion);
        break;
      case ETH_SRC:
      case ETH_SRC_MASKED:
        addMac(match, MatchField.ETH_SRC, (EthCriterion) criterion);
        break;
      case ETH_TYPE:
        match.setExact(
            MatchField.ETH_TYPE,
            EthType.of(Short.toUnsignedInt(((EthTypeCriterion) criterion).ethType().toShort())));
        break;
      case VLAN_VID:
        addVlan(match, ((VlanIdCriterion) criterion).vlanId());
        break;
      case VLAN_PCP:
        match.setExact(MatchField.VLAN_PCP, VlanPcp.of(((VlanPcpCriterion) criterion).priority()));
        break;
      case IP_DSCP:
        match.setExact(MatchField.IP_DSCP, IpDscp.of(((IPDscpCriterion) criterion).ipDscp()));
        break;
      case IP_ECN:
        match.setExact(MatchField.IP_ECN, IpEcn.of(((IPEcnCriterion) criterion).ipEcn()));
        break;
      case IP_PROTO:
        match.setExact(
            MatchField.IP_PROTO, IpProtocol.of(((IPProtocolCriterion) criterion).protocol()));
        break;
      case IPV4_SRC:
        addIpv4(match, MatchField.IPV4_SRC, ((IPCriterion) criterion).ip());
        break;
      case IPV4_DST:
        addIpv4(match, MatchField.IPV4_DST, ((IPCriterion) criterion).ip());
        break;
      case IPV6_SRC:
        addIpv6(match, MatchField.IPV6_SRC, ((IPCriterion) criterion).ip());
        break;
      case IPV6_DST:
        addIpv6(match, MatchField.IPV6_DST, ((IPCriterion) criterion).ip());
        break;
      case TCP_SRC:
        match.setExact(
            MatchField.TCP_SRC, TransportPort.of(((TcpPortCriterion) criterion).tcpPort().toInt()));
        break;
      case TCP_DST:
        match.setExact(
            MatchField.TCP_DST, TransportPort.of(((TcpPortCriterion) criterion).tcpPort().toInt()));
        break;
      case UDP_SRC:
        match.setExact(
            MatchField.UDP_SRC, TransportPort.of(((UdpPortCriterion) criterion).udpPort().toInt()));
        break;
      case UDP_DST:
        match.setExact(
            MatchField.UDP_DST, TransportPort.of(((UdpPortCriterion) criterion).udpPort().toInt()));
        break;
      case ICMPV4_TYPE:
        match.setExact(
            MatchField.ICMPV4_TYPE, ICMPv4Type.of(((IcmpTypeCriterion) criterion).icmpType()));
        break;
      case ICMPV4_CODE:
        match.setExact(
            MatchField.ICMPV4_CODE, ICMPv4Code.of(((IcmpCodeCriterion) criterion).icmpCode()));
        break;
      case ICMPV6_TYPE:
        match.setExact(
            MatchField.ICMPV6_TYPE, U8.of(((Icmpv6TypeCriterion) criterion).icmpv6Type()));
        break;
      case ICMPV6_CODE:
        match.setExact(
            MatchField.ICMPV6_CODE, U8.of(((Icmpv6CodeCriterion) criterion).icmpv6Code()));
        break;
      case IPV6_ND_TARGET:
        match.setExact(
            MatchField.IPV6_ND_TARGET,
            IPv6Address.of(((IPv6NDTargetAddressCriterion) criterion).targetAddress().toOctets()));
        break;
      case IPV6_ND_SLL:
        match.setExact(MatchField.IPV6_ND_SLL, card((IPv6NDLinkLayerAddressCriterion) criterion));
        break;
      case IPV6_ND_TLL:
        match.setExact(MatchField.IPV6_ND_TLL, card((IPv6NDLinkLayerAddressCriterion) criterion));
        break;
      case ARP_OP:
        match.setExact(MatchField.ARP_OP, ArpOpcode.of(((ArpOpCriterion) criterion).arpOp()));
        break;
      case ARP_SPA:
        match.setExact(
            MatchField.ARP_SPA, IPv4Address.of(((ArpPaCriterion) criterion).ip().toInt()));
        break;
      case ARP_TPA:
        match.setExact(
            MatchField.ARP_TPA, IPv4Address.of(((ArpPaCriterion) criterion).ip().toInt()));
        break;
      case ARP_SHA:
        match.setExact(
            MatchField.ARP_SHA, MacAddress.of(((ArpHaCriterion) criterion).mac().toLong()));
        break;
      case ARP_THA:
        match.setExact(
            MatchField.ARP_THA, MacAddress.of(((ArpHaCriterion) criterion).mac().toLong()));
        break;
      default:
        throw new UnsupportedOperationException(
            "The criterion "
                + criterion
                + " has no translation to OpenFlow here. Maybe select by Ethernet, VLAN, IP, TCP,"
                + " UDP, ICMP, ARP or neighbour discovery fields.");
    }
  }

  private static MacAddress card(IPv6NDLinkLayerAddressCriterion criterion) {
    return MacAddress.of(criterion.mac().toLong());
  }

  private static void addMac(
      Match.Builder match, MatchField<MacAddress> field, EthCriterion criterion) {
    MacAddress address = MacAddress.of(criterion.mac().toLong());
    if (criterion.mask() == null) {
      match.setExact(field, address);
    } else {
      match.setMasked(field, address, MacAddress.of(criterion.mask().toLong()));
    }
  }

  private static void addVlan(Match.Builder match, VlanId vlan) {
    if (vlan.equals(VlanId.ANY)) {
      match.setMasked(MatchField.VLAN_VID, OFVlanVidMatch.PRESENT, OFVlanVidMatch.PRESENT);
    } else if (vlan.equals(VlanId.NONE)) {
      match.setExact(MatchField.VLAN_VID, OFVlanVidMatch.NONE);
    } else {
      match.setExact(MatchField.VLAN_VID, OFVlanVidMatch.ofVlan(vlan.toShort()));
    }
  }

  private static void addIpv4(Match.Builder match, MatchField<IPv4Address> field, IpPrefix prefix) {
    IPv4Address address = IPv4Address.of(prefix.address().getIp4Address().toInt());
    if (prefix.prefixLength() == IpPrefix.MAX_INET_MASK_LENGTH) {
      match.setExact(field, address);
    } else {
      match.setMasked(field, address.withMaskOfLength(prefix.prefixLength()));
    }
  }

  private static void addIpv6(Match.Builder match, MatchField<IPv6Address> field, IpPrefix prefix) {
    IPv6Address address = IPv6Address.of(prefix.address().toOctets());
    if (prefix.prefixLength() == IpPrefix.MAX_INET6_MASK_LENGTH) {
      match.setExact(field, address);
    } else {
      match.setMasked(field, address.withMaskOfLength(prefix.prefixLength()));
    }
  }
}
