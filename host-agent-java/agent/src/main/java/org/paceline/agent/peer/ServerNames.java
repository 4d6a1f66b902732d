package org.paceline.agent.peer;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.paceline.agent.flow.Flow;

/**
 * The names that TLS connections ask for, also where the message that holds one is in two segments
 * or more. Owned by one thread.
 */
final class ServerNames {
  private static final int MOST = 256;
  private static final int LONGEST = 1 << 14;
  private static final long PATIENCE_NANOS = 5_000_000_000L;

  /**
   * The beginning of a message.
   *
   * @param next the sequence number of what is missing
   */
  private record Begun(ByteBuffer bytes, int next) {}

  private final RecentEntries<Flow, Begun> begun;

  ServerNames(LongSupplier nanoClock) {
    this.begun = new RecentEntries<>(MOST, PATIENCE_NANOS, nanoClock);
  }

  /** The name that the packet's flow asks for, where it is complete with this packet. */
  Optional<String> take(Flow flow, Packet packet) {
    ByteBuffer payload = packet.payload();
    if (!ClientHello.begins(payload)) {
      Optional<Begun> before = begun.get(flow).filter(b -> b.next() == packet.sequence());
      if (before.isEmpty()) {
        return Optional.empty();
      }
      payload = joined(before.get().bytes(), payload);
    }
    begun.take(flow);
    ClientHello hello = ClientHello.parse(payload);
    if (hello.cutOff() && payload.limit() < LONGEST) {
      int next = packet.sequence() + packet.payload().limit();
      begun.put(flow, new Begun(joined(payload, ByteBuffer.allocate(0)), next));
    }
    return hello.serverName();
  }

  /** A copy: what packets are read into is used again. */
  private static ByteBuffer joined(ByteBuffer first, ByteBuffer second) {
    return ByteBuffer.allocate(first.limit() + second.limit())
        .put(first.duplicate().rewind())
        .put(second.duplicate().rewind())
        .flip();
  }
}
