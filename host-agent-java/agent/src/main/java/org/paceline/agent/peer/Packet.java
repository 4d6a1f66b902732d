package org.paceline.agent.peer;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.paceline.agent.flow.Transport;

/**
 * A packet from its IP header on. What is longer than what was read of it is cut off; extension
 * headers of IPv6 and later fragments are not read.
 *
 * @param sequence of the payload's first byte; 0 for UDP
 */
record Packet(
    Transport transport,
    InetAddress source,
    int sourcePort,
    InetAddress destination,
    int destinationPort,
    int sequence,
    ByteBuffer payload) {
  private static final int IPV4_HEADER = 20;
  private static final int IPV6_HEADER = 40;
  private static final int UDP_HEADER = 8;
  private static final int TCP_HEADER = 20;
  private static final int FRAGMENT_OFFSET = 0x1fff;

  static Optional<Packet> parse(ByteBuffer bytes) {
    ByteBuffer packet = bytes.slice();
    int version = packet.hasRemaining() ? (packet.get(0) & 0xff) >> 4 : 0;
    if (version == 4 && packet.limit() >= IPV4_HEADER) {
      int header = (packet.get(0) & 0x0f) * 4;
      boolean first = (packet.getShort(6) & FRAGMENT_OFFSET) == 0;
      int length = Short.toUnsignedInt(packet.getShort(2));
      return first && header >= IPV4_HEADER
          ? transport(packet, header, length, packet.get(9), 12, 4)
          : Optional.empty();
    }
    if (version == 6 && packet.limit() >= IPV6_HEADER) {
      int length = Short.toUnsignedInt(packet.getShort(4));
      int whole = length == 0 ? 0 : IPV6_HEADER + length;
      return transport(packet, IPV6_HEADER, whole, packet.get(6), 8, 16);
    }
    return Optional.empty();
  }

  /**
   * @param length of the packet, without what the interface added; 0: too long to be written there
   */
  private static Optional<Packet> transport(
      ByteBuffer packet, int header, int length, int protocol, int addresses, int width) {
    int end = length == 0 ? packet.limit() : Math.min(length, packet.limit());
    boolean tcp = protocol == Transport.TCP.number();
    if (end < header + (tcp ? TCP_HEADER : UDP_HEADER)
        || !(tcp || protocol == Transport.UDP.number())) {
      return Optional.empty();
    }
    int payload = header + (tcp ? (packet.get(header + 12) & 0xf0) >> 2 : UDP_HEADER);
    if (payload > end || (tcp && payload < header + TCP_HEADER)) {
      return Optional.empty();
    }
    return Optional.of(
        new Packet(
            tcp ? Transport.TCP : Transport.UDP,
            address(packet, addresses, width),
            Short.toUnsignedInt(packet.getShort(header)),
            address(packet, addresses + width, width),
            Short.toUnsignedInt(packet.getShort(header + 2)),
            tcp ? packet.getInt(header + 4) : 0,
            packet.slice(payload, end - payload)));
  }

  private static InetAddress address(ByteBuffer packet, int at, int width) {
    byte[] address = new byte[width];
    packet.get(at, address);
    try {
      return InetAddress.getByAddress(address);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address of a length that no address has", e);
    }
  }
}
