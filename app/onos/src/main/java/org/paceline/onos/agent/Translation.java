package org.paceline.onos.agent;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.onlab.packet.IpAddress;
import org.paceline.control.conversations.Conversation;
import org.paceline.control.conversations.ConversationId;
import org.paceline.control.conversations.Counters;
import org.paceline.control.conversations.Enforcement;
import org.paceline.control.conversations.InstalledRate;
import org.paceline.control.conversations.Transport;
import org.paceline.intents.unit.DataRate;
import org.paceline.protocol.Capabilities;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.Protocol;
import org.paceline.protocol.RatesInstalled;
import org.paceline.protocol.Report;

/** The protocol's words in those of control. */
final class Translation {
  private static final long NANOS = 1_000_000_000L;

  private Translation() {}

  static Instant time(long unixNanos) {
    return Instant.ofEpochSecond(unixNanos / NANOS, unixNanos % NANOS);
  }

  /** Who holds the conversations of an agent that can do this: itself, or the first switch. */
  static Enforcement enforcement(Capabilities capabilities) {
    return capabilities.getEnforcer().isEmpty() ? Enforcement.FIRST_HOP : Enforcement.AGENT;
  }

  /**
   * @throws IllegalArgumentException if it has no id, or an address or port that is none
   */
  static Conversation conversation(
      String host, Enforcement enforcement, ConversationOpened opened) {
    return Conversation.builder()
        .id(ConversationId.of(host, opened.getId()))
        .enforcement(enforcement)
        .intent(opened.getIntent())
        .localAddress(IpAddress.valueOf(opened.getLocalAddress()).toString())
        .remoteAddress(IpAddress.valueOf(opened.getRemoteAddress()).toString())
        .transport(transport(opened.getProtocol()))
        .localPort(opened.getLocalPort())
        .remotePort(opened.getRemotePort())
        .process(opened.getProcess())
        .user(opened.getUser())
        .firstSeen(time(opened.getFirstSeenUnixNanos()))
        .rateInForce(DataRate.ofBitsPerSecond(opened.getInstalledRateBitsPerSecond()))
        .build();
  }

  private static Transport transport(Protocol protocol) {
    switch (protocol) {
      case TCP:
        return Transport.TCP;
      case UDP:
        return Transport.UDP;
      default:
        return Transport.ANY;
    }
  }

  static List<ConversationId> ids(String host, Collection<String> ids) {
    return ids.stream()
        .filter(id -> !id.isEmpty())
        .map(id -> ConversationId.of(host, id))
        .collect(Collectors.toUnmodifiableList());
  }

  static List<InstalledRate> installed(String host, RatesInstalled message) {
    return message.getRatesList().stream()
        .filter(rate -> !rate.getConversationId().isEmpty())
        .map(
            rate ->
                InstalledRate.of(
                    ConversationId.of(host, rate.getConversationId()),
                    DataRate.ofBitsPerSecond(rate.getRateBitsPerSecond()),
                    rate.getError()))
        .collect(Collectors.toUnmodifiableList());
  }

  static List<Counters> counters(String host, Report report) {
    return report.getConversationsList().stream()
        .filter(counted -> !counted.getConversationId().isEmpty())
        .map(
            counted ->
                Counters.of(
                    ConversationId.of(host, counted.getConversationId()),
                    counted.getSentBytes(),
                    counted.getDroppedPackets(),
                    counted.getSockets(),
                    DataRate.ofBitsPerSecond(counted.getInstalledRateBitsPerSecond()),
                    counted.getKpisMap()))
        .collect(Collectors.toUnmodifiableList());
  }
}
