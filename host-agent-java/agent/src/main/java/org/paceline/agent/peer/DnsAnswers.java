package org.paceline.agent.peer;

import java.net.InetAddress;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Answers of DNS to what this host has asked. Anybody can send a packet that looks like an answer:
 * only one to a question that was seen to leave, to where it went, is believed. Owned by one
 * thread.
 */
final class DnsAnswers {
  private static final int MOST = 4_096;
  private static final long PATIENCE_NANOS = 15_000_000_000L;

  /** A question, known by who asks whom under which number. */
  private record Asked(
      InetAddress host, int port, InetAddress server, int serverPort, int id, String name) {}

  private final RecentEntries<Asked, Boolean> open;

  DnsAnswers(LongSupplier nanoClock) {
    this.open = new RecentEntries<>(MOST, PATIENCE_NANOS, nanoClock);
  }

  /** The answer, where the packet is one; remembers it where it is a question. */
  Optional<DnsMessage> take(Packet packet) {
    Optional<DnsMessage> message = DnsMessage.parse(packet.payload());
    if (message.isEmpty()) {
      return message;
    }
    DnsMessage dns = message.get();
    if (!dns.answer()) {
      open.put(
          new Asked(
              packet.source(),
              packet.sourcePort(),
              packet.destination(),
              packet.destinationPort(),
              dns.id(),
              dns.question()),
          true);
      return Optional.empty();
    }
    Asked asked =
        new Asked(
            packet.destination(),
            packet.destinationPort(),
            packet.source(),
            packet.sourcePort(),
            dns.id(),
            dns.question());
    return open.take(asked).map(known -> dns);
  }
}
