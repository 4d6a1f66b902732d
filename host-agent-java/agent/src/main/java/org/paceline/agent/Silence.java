package org.paceline.agent;

import java.time.Duration;
import org.paceline.protocol.Welcome;

/**
 * How long the controller has been silent, and what that means by its own words: after three missed
 * heartbeats the stream is dead, and from one lease on rates go stale. The clock is the monotonic
 * one: a step of the wall clock makes no lease run out.
 */
final class Silence {
  private static final int HEARTBEATS = 3;

  private Lease lease = new Lease(Duration.ZERO);
  private Duration heartbeat = Duration.ZERO;
  private long lastHeardNanos = System.nanoTime();

  void heard() {
    lastHeardNanos = System.nanoTime();
  }

  void agreed(Welcome welcome) {
    // The wire's numbers have no sign, Java's have.
    heartbeat = Duration.ofSeconds(Integer.toUnsignedLong(welcome.getHeartbeatSeconds()));
    lease = new Lease(Duration.ofSeconds(Integer.toUnsignedLong(welcome.getLeaseSeconds())));
  }

  /** What another agent had agreed to; this one's silence begins now. */
  void agreed(Duration before) {
    lease = new Lease(before);
    heard();
  }

  Duration lease() {
    return lease.length();
  }

  boolean missesHeartbeats() {
    return !heartbeat.isZero() && length().compareTo(heartbeat.multipliedBy(HEARTBEATS)) > 0;
  }

  /** How far rates are to be relaxed. */
  int step() {
    return lease.stepAfter(length());
  }

  private Duration length() {
    return Duration.ofNanos(System.nanoTime() - lastHeardNanos);
  }
}
