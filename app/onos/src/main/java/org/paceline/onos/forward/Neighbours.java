package org.paceline.onos.forward;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.onlab.packet.EthType.EtherType;
import org.onlab.packet.Ethernet;
import org.onlab.packet.ICMP6;
import org.onlab.packet.IPv6;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.ndp.NeighborSolicitation;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.TrafficSelector;

/** What hosts with IPv6 ask and tell each other in the place of ARP (RFC 4861). */
final class Neighbours {
  private static final List<Byte> TYPES =
      List.of(ICMP6.NEIGHBOR_SOLICITATION, ICMP6.NEIGHBOR_ADVERTISEMENT);

  private Neighbours() {}

  /** All questions, and all answers. */
  static List<TrafficSelector.Builder> matches() {
    return TYPES.stream()
        .map(
            type ->
                DefaultTrafficSelector.builder()
                    .matchEthType(EtherType.IPV6.ethType().toShort())
                    .matchIPProtocol(IPv6.PROTOCOL_ICMP6)
                    .matchIcmpv6Type(type))
        .collect(Collectors.toUnmodifiableList());
  }

  /** Whether a frame is a question or an answer. */
  static boolean isIn(Ethernet frame) {
    return message(frame).filter(message -> TYPES.contains(message.getIcmpType())).isPresent();
  }

  /** Whose neighbour is looked for; empty for what is no question. */
  static Optional<Ip6Address> target(Ethernet frame) {
    return message(frame)
        .map(ICMP6::getPayload)
        .filter(NeighborSolicitation.class::isInstance)
        .map(question -> Ip6Address.valueOf(((NeighborSolicitation) question).getTargetAddress()));
  }

  private static Optional<ICMP6> message(Ethernet frame) {
    return Optional.ofNullable(frame.getPayload())
        .filter(IPv6.class::isInstance)
        .map(packet -> packet.getPayload())
        .filter(ICMP6.class::isInstance)
        .map(ICMP6.class::cast);
  }
}
