package org.paceline.runtime.providers.openflow;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.onosproject.net.DeviceId;

/**
 * Rules that switches were told to remove a moment ago. An answer that a switch gave before that
 * has them yet, and may be read after ONOS has forgotten them: ONOS would take them for rules of
 * somebody else, keep them, and, as the next answer has them no more, write them to the switch
 * again.
 */
final class Removals {
  /**
   * Longer than an answer waits to be read. What a switch has kept all the same is found after it.
   */
  private static final long READ_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Map<DeviceId, Map<Long, Long>> toldAt = new ConcurrentHashMap<>();
  private final LongSupplier clock;

  Removals(LongSupplier nanoClock) {
    this.clock = nanoClock;
  }

  void told(DeviceId device, long cookie) {
    long now = clock.getAsLong();
    Map<Long, Long> there = toldAt.computeIfAbsent(device, d -> new ConcurrentHashMap<>());
    there.values().removeIf(at -> now - at > READ_WITHIN_NANOS);
    there.put(cookie, now);
  }

  /** Whether an answer may have this rule only because it is an old one. */
  boolean isRecent(DeviceId device, long cookie) {
    Long at = toldAt.getOrDefault(device, Map.of()).get(cookie);
    return at != null && clock.getAsLong() - at <= READ_WITHIN_NANOS;
  }
}
