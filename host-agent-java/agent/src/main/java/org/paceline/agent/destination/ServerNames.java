package org.paceline.agent.destination;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.paceline.agent.sense.Flow;

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
  private record Begun(ByteBuffer bytes, int next, long nanos) {}

  private final LongSupplier nanoClock;
  private final Map<Flow, Begun> begun =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Flow, Begun> eldest) {
          return size() > MOST;
        }
      };

  ServerNames(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** The name that the packet's flow asks for, where it is complete with this packet. */
  Optional<String> take(Flow flow, Packet packet) {
    ByteBuffer payload = packet.payload();
    long now = nanoClock.getAsLong();
    if (!ClientHello.begins(payload)) {
      Optional<Begun> before =
          Optional.ofNullable(begun.get(flow))
              .filter(b -> b.next() == packet.sequence() && now - b.nanos() < PATIENCE_NANOS);
      if (before.isEmpty()) {
        return Optional.empty();
      }
      payload = joined(before.get().bytes(), payload);
    }
    begun.remove(flow);
    ClientHello hello = ClientHello.parse(payload);
    if (hello.cutOff() && payload.limit() < LONGEST) {
      int next = packet.sequence() + packet.payload().limit();
      begun.put(flow, new Begun(joined(payload, ByteBuffer.allocate(0)), next, now));
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
