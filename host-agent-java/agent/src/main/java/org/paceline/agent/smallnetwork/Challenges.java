package org.paceline.agent.smallnetwork;

import java.security.SecureRandom;
import java.time.Duration;

/**
 * Random numbers of this host's own, by which it knows that it hears a peer now: whoever repeats
 * one has heard it, and so speaks after it was made. No clock of anybody else's is believed. One
 * holds for half a minute, and for half a minute after that.
 */
final class Challenges {
  static final Duration EACH = Duration.ofSeconds(30);

  private final SecureRandom random;
  private long now;
  private long before;
  private long sinceNanos;

  Challenges(SecureRandom random, long nanos) {
    this.random = random;
    this.now = random.nextLong();
    this.before = now;
    this.sinceNanos = nanos;
  }

  long now(long nanos) {
    pass(nanos);
    return now;
  }

  boolean isOwn(long repeated, long nanos) {
    pass(nanos);
    return repeated == now || repeated == before;
  }

  private void pass(long nanos) {
    long passed = (nanos - sinceNanos) / EACH.toNanos();
    if (passed > 0) {
      // After a pause of two, even the last one is too old.
      before = passed == 1 ? now : random.nextLong();
      now = random.nextLong();
      sinceNanos += passed * EACH.toNanos();
    }
  }
}
