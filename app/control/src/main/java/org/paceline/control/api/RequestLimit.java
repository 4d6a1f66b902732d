package org.paceline.control.api;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * How many requests a client may send: so many a second on the average, and as many at once as it
 * may send in ten seconds. What is refused does not count, so a client that waits as long as it was
 * told is served. O(1) a request: of each client only the moment is kept at which all it sent would
 * have been served at the steady rate (the generic cell rate algorithm, ITU-T I.371).
 */
public final class RequestLimit {
  private static final Duration BURST = Duration.ofSeconds(10);
  private static final long SECOND = 1_000_000_000;
  private static final int MANY = 10_000;

  private final LongSupplier nanos;
  private final Map<String, Long> served = new ConcurrentHashMap<>();
  private volatile int perSecond;

  /**
   * @param perSecond 0 for no limit
   * @param nanos a clock that never goes back
   */
  public RequestLimit(int perSecond, LongSupplier nanos) {
    this.perSecond = perSecond;
    this.nanos = nanos;
  }

  /** From the next request on. */
  public void set(int other) {
    perSecond = other;
  }

  /** Counts a request; or says after which time, in whole seconds, to send it again. */
  public Optional<Duration> refuse(String client) {
    int rate = perSecond;
    if (rate == 0) {
      return Optional.empty();
    }
    long now = nanos.getAsLong();
    forgetIdle(now);
    long[] tooEarly = {0};
    served.compute(
        client,
        (name, before) -> {
          long since = before == null || before - now < 0 ? now : before;
          long next = since + SECOND / rate;
          tooEarly[0] = next - now - BURST.toNanos();
          return tooEarly[0] > 0 ? since : next;
        });
    return tooEarly[0] > 0
        ? Optional.of(Duration.ofSeconds((tooEarly[0] + SECOND - 1) / SECOND))
        : Optional.empty();
  }

  private void forgetIdle(long now) {
    if (served.size() > MANY) {
      served.values().removeIf(moment -> moment - now < 0);
    }
  }
}
