package org.paceline.runtime.providers.discovery;

import java.util.Optional;
import org.onlab.packet.ARP;
import org.onlab.packet.Ethernet;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;

/** A host's own word of an address of its, in an ARP request or reply. */
final class Sighting {
  private final MacAddress mac;
  private final VlanId vlan;
  private final Optional<IpAddress> address;

  private Sighting(MacAddress mac, VlanId vlan, Optional<IpAddress> address) {
    this.mac = mac;
    this.vlan = vlan;
    this.address = address;
  }

  /** What an ARP frame says of its sender; nothing for other frames and for impossible senders. */
  static Optional<Sighting> in(Ethernet frame) {
    if (frame.getEtherType() != Ethernet.TYPE_ARP || !(frame.getPayload() instanceof ARP)) {
      return Optional.empty();
    }
    ARP arp = (ARP) frame.getPayload();
    MacAddress mac = MacAddress.valueOf(arp.getSenderHardwareAddress());
    if (mac.isMulticast() || mac.equals(MacAddress.ZERO)) {
      return Optional.empty();
    }
    VlanId vlan =
        frame.getVlanID() == Ethernet.VLAN_UNTAGGED
            ? VlanId.NONE
            : VlanId.vlanId(frame.getVlanID());
    return Optional.of(new Sighting(mac, vlan, address(arp)));
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
