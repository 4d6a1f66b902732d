package org.paceline.onos.openflow;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.onosproject.net.DeviceId;

/**
 * How many rules switches said they take. Nobody waits for an answer: the one before it stands
 * until then. It is asked again now and then, because a table can be made greater or smaller while
 * the switch stays connected, and who was refused tries again.
 */
final class TableSizes {
  /** Shorter than refused conversations wait until they are planned again. */
  private static final Duration KEPT = Duration.ofSeconds(3);

  private final LongSupplier nanos;
  private final Map<DeviceId, Known> known = new ConcurrentHashMap<>();

  /** What a switch said over one connection, and when it was last asked. */
  private static final class Known {
    final Object connection;
    final long asked;
    volatile Optional<Long> size;

    Known(Object connection, long asked, Optional<Long> size) {
      this.connection = connection;
      this.asked = asked;
      this.size = size;
    }
  }

  /**
   * @param nanos a clock that never goes back
   */
  TableSizes(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** What the switch said last, over whichever connection. */
  Optional<Long> last(DeviceId device) {
    return Optional.ofNullable(known.get(device)).flatMap(said -> said.size);
  }

  /** Empty until the switch has answered over this connection, and where it does not. */
  Optional<Long> of(
      DeviceId device, Object connection, Supplier<CompletableFuture<Optional<Long>>> ask) {
    long now = nanos.getAsLong();
    Known before = known.get(device);
    if (before == null || before.connection != connection) {
      before = new Known(connection, now - KEPT.toNanos(), Optional.empty());
    }
    if (now - before.asked < KEPT.toNanos()) {
      return before.size;
    }
    Known asked = new Known(connection, now, before.size);
    known.put(device, asked);
    ask.get().thenAccept(answer -> answer.ifPresent(size -> asked.size = answer));
    return asked.size;
  }
}
