package org.paceline.onos.finding;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPacket;
import org.onlab.packet.IPv4;
import org.onlab.packet.IPv6;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.TCP;
import org.onlab.packet.UDP;
import org.paceline.control.model.Transport;
import org.paceline.control.naming.PacketFacts;

/** What a frame shows of its flow. */
final class PacketReader {
  private static final int DSCP_SHIFT = 2;
  private static final int TWO_BYTES = 0xffff;

  private PacketReader() {}

  /** Empty for what is not IP, and for later fragments, which have no ports. */
  static Optional<PacketFacts> read(@Nullable Ethernet frame) {
    if (frame == null) {
      return Optional.empty();
    }
    try {
      if (frame.getPayload() instanceof IPv4) {
        IPv4 ip = (IPv4) frame.getPayload();
        return ip.getFragmentOffset() == 0
            ? Optional.of(
                with(builder(frame), ip.getPayload())
                    .local(Ip4Address.valueOf(ip.getSourceAddress()).toInetAddress())
                    .remote(Ip4Address.valueOf(ip.getDestinationAddress()).toInetAddress())
                    .dscp(ip.getDscp())
                    .build())
            : Optional.empty();
      }
      if (frame.getPayload() instanceof IPv6) {
        IPv6 ip = (IPv6) frame.getPayload();
        return Optional.of(
            with(builder(frame), ip.getPayload())
                .local(InetAddress.getByAddress(ip.getSourceAddress()))
                .remote(InetAddress.getByAddress(ip.getDestinationAddress()))
                .dscp((ip.getTrafficClass() & 0xff) >> DSCP_SHIFT)
                .build());
      }
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
    return Optional.empty();
  }

  private static PacketFacts.Builder builder(Ethernet frame) {
    short vlan = frame.getVlanID();
    return PacketFacts.builder()
        .from(frame.getSourceMAC().toString())
        .vlan(vlan == Ethernet.VLAN_UNTAGGED ? Optional.empty() : Optional.of((int) vlan));
  }

  private static PacketFacts.Builder with(PacketFacts.Builder facts, @Nullable IPacket payload) {
    if (payload instanceof TCP) {
      TCP tcp = (TCP) payload;
      return facts
          .transport(Transport.TCP)
          .localPort(tcp.getSourcePort() & TWO_BYTES)
          .remotePort(tcp.getDestinationPort() & TWO_BYTES);
    }
    if (payload instanceof UDP) {
      UDP udp = (UDP) payload;
      return facts
          .transport(Transport.UDP)
          .localPort(udp.getSourcePort() & TWO_BYTES)
          .remotePort(udp.getDestinationPort() & TWO_BYTES);
    }
    return facts;
  }
}
