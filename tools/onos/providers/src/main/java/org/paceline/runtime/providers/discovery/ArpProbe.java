package org.paceline.runtime.providers.discovery;

import java.nio.ByteBuffer;
import org.onlab.packet.ARP;
import org.onlab.packet.Ethernet;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.MacAddress;
import org.onosproject.net.Host;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.packet.DefaultOutboundPacket;
import org.onosproject.net.packet.OutboundPacket;

/** Asks a host whether it still has an address, as RFC 5227 does: from no address of its own. */
final class ArpProbe {
  private static final MacAddress SENDER = MacAddress.valueOf("02:70:61:63:65:01");

  private ArpProbe() {}

  static OutboundPacket of(Host host, Ip4Address address) {
    Ethernet frame =
        ARP.buildArpRequest(
            SENDER.toBytes(),
            Ip4Address.valueOf(0).toOctets(),
            host.mac().toBytes(),
            address.toOctets(),
            host.mac().toBytes(),
            host.vlan().toShort());
    return new DefaultOutboundPacket(
        host.location().deviceId(),
        DefaultTrafficTreatment.builder().setOutput(host.location().port()).build(),
        ByteBuffer.wrap(frame.serialize()));
  }
}
