package org.paceline.agent.session;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next attempt: twice as long each time, and never quite the same, so
 * that a thousand agents do not come back at one instant.
 */
public final class ReconnectBackoff {
  private static final Duration SHORTEST = Duration.ofMillis(250);

  // With an attempt that may take one more to fail, and as long as it takes to begin pacing anew,
  // what is paced is right again within five.
  private static final Duration LONGEST = Duration.ofSeconds(1);

  private final RandomGenerator random;
  private Duration next = SHORTEST;

  public ReconnectBackoff(RandomGenerator random) {
    this.random = random;
  }

  public Duration next() {
    Duration wait = next;
    Duration twice = next.multipliedBy(2);
    next = twice.compareTo(LONGEST) > 0 ? LONGEST : twice;
    return wait.dividedBy(2).plusNanos(random.nextLong(wait.toNanos() / 2 + 1));
  }

  public void reset() {
    next = SHORTEST;
  }
}
