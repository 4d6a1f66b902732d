package org.paceline.runtime.providers.discovery;

import java.util.Optional;
import org.onlab.packet.ARP;
import org.onlab.packet.Ethernet;
import org.onlab.packet.ICMP6;
import org.onlab.packet.IPacket;
import org.onlab.packet.IPv6;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onlab.packet.ndp.NeighborAdvertisement;
import org.onlab.packet.ndp.NeighborSolicitation;

/**
 * A host's own word of an address of its: in an ARP request or reply, or in what IPv6 has instead,
 * a neighbour solicitation or advertisement (RFC 4861).
 */
final class Sighting {
  private static final byte ALL_HOPS = (byte) 255;

  private final MacAddress mac;
  private final VlanId vlan;
  private final Optional<IpAddress> address;

  private Sighting(MacAddress mac, VlanId vlan, Optional<IpAddress> address) {
    this.mac = mac;
    this.vlan = vlan;
    this.address = address;
  }

  /** What a frame says of its sender; nothing for other frames and for impossible senders. */
  static Optional<Sighting> in(Ethernet frame) {
    if (frame.getEtherType() == Ethernet.TYPE_ARP && frame.getPayload() instanceof ARP) {
      ARP arp = (ARP) frame.getPayload();
      return of(MacAddress.valueOf(arp.getSenderHardwareAddress()), frame, address(arp));
    }
    if (frame.getPayload() instanceof IPv6) {
      IPv6 packet = (IPv6) frame.getPayload();
      // Through no router: whoever forges it from afar has not all hops left.
      if (packet.getHopLimit() == ALL_HOPS && packet.getPayload() instanceof ICMP6) {
        return of(frame.getSourceMAC(), frame, packet, packet.getPayload().getPayload());
      }
    }
    return Optional.empty();
  }

  private static Optional<Sighting> of(MacAddress mac, Ethernet frame, IPv6 packet, IPacket says) {
    if (says instanceof NeighborAdvertisement) {
      return of(mac, frame, usable(((NeighborAdvertisement) says).getTargetAddress()));
    }
    // Who asks whether an address is free sends from none.
    return says instanceof NeighborSolicitation
        ? of(mac, frame, usable(packet.getSourceAddress()))
        : Optional.empty();
  }

  private static Optional<IpAddress> usable(byte[] bytes) {
    Ip6Address address = Ip6Address.valueOf(bytes);
    return address.isZero() || address.isMulticast() ? Optional.empty() : Optional.of(address);
  }

  private static Optional<Sighting> of(
      MacAddress mac, Ethernet frame, Optional<IpAddress> address) {
    if (mac.isMulticast() || mac.equals(MacAddress.ZERO)) {
      return Optional.empty();
    }
    VlanId vlan =
        frame.getVlanID() == Ethernet.VLAN_UNTAGGED
            ? VlanId.NONE
            : VlanId.vlanId(frame.getVlanID());
    return Optional.of(new Sighting(mac, vlan, address));
  }

  // A host that only asks whether an address is free sends from 0.0.0.0: it is there, without one.
  private static Optional<IpAddress> address(ARP arp) {
    Ip4Address sender = Ip4Address.valueOf(arp.getSenderProtocolAddress());
    boolean usable = !sender.isZero() && !sender.isMulticast() && !sender.equals(BROADCAST);
    return usable ? Optional.of(sender) : Optional.empty();
  }

  private static final Ip4Address BROADCAST = Ip4Address.valueOf("255.255.255.255");

  MacAddress mac() {
    return mac;
  }

  VlanId vlan() {
    return vlan;
  }

  Optional<IpAddress> address() {
    return address;
  }
}
