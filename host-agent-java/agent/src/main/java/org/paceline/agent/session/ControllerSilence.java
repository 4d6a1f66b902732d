package org.paceline.agent.session;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import org.paceline.agent.pacing.Lease;
import org.paceline.protocol.Welcome;

/**
 * How long the controller has been silent, and what that means by its own words: after three missed
 * heartbeats, or a lease, the stream is dead, and from one lease on rates go stale.
 *
 * <p>The stream's silence is all the time that passes. A lease runs only while this agent does: one
 * that has stood still, for its host was suspended or it was stopped, could hear nobody, and finds
 * its rates as they were. The clock is that of the time since the host's start, suspensions
 * included: a step of the wall clock makes no lease run out.
 */
public final class ControllerSilence {
  private static final int HEARTBEATS = 3;

  private final Supplier<Duration> clock;
  private final Duration longestPause;
  private Lease lease = new Lease(Duration.ZERO);
  private Duration heartbeat = Duration.ZERO;
  private Duration looked;
  private Duration ofStream = Duration.ZERO;
  private Duration ofLease = Duration.ZERO;
  private boolean heard;

  /**
   * @param clock {@link #sinceBoot}
   * @param longestPause between two calls of {@link #passes}; whoever does not call for longer has
   *     stood still
   */
  public ControllerSilence(Supplier<Duration> clock, Duration longestPause) {
    this.clock = clock;
    this.longestPause = longestPause;
    this.looked = clock.get();
  }

  /** Suspensions included, which Java's own clocks leave out; where there is no such, theirs. */
  public static Duration sinceBoot() {
    try {
      String uptime = Files.readString(Path.of("/proc/uptime"), StandardCharsets.US_ASCII);
      return Duration.ofMillis(Math.round(1e3 * Double.parseDouble(uptime.split(" ", 2)[0])));
    } catch (IOException | NumberFormatException e) {
      return Duration.ofNanos(System.nanoTime());
    }
  }

  void heard() {
    heard = true;
    ofStream = Duration.ZERO;
    ofLease = Duration.ZERO;
  }

  /** To be called all the time; for how long this agent has stood still, zero where it has not. */
  public Duration passes() {
    Duration now = clock.get();
    Duration pause = now.minus(looked);
    looked = now;
    boolean still = pause.compareTo(longestPause) > 0;
    // What was heard after it had stood still may have waited all the time.
    if (still || !heard) {
      ofStream = ofStream.plus(pause);
    }
    if (!still && !heard) {
      ofLease = ofLease.plus(pause);
    }
    heard = false;
    return still ? pause : Duration.ZERO;
  }

  public void agreed(Welcome welcome) {
    // The wire's numbers have no sign, Java's have.
    heartbeat = Duration.ofSeconds(Integer.toUnsignedLong(welcome.getHeartbeatSeconds()));
    lease = new Lease(Duration.ofSeconds(Integer.toUnsignedLong(welcome.getLeaseSeconds())));
  }

  /** What another agent had agreed to; this one's silence begins now. */
  public void agreed(Duration before) {
    lease = new Lease(before);
    heard();
  }

  Duration lease() {
    return lease.length();
  }

  /** Whether nothing can be expected of the stream any more. */
  boolean isDead() {
    return !heartbeat.isZero() && ofStream.compareTo(heartbeat.multipliedBy(HEARTBEATS)) > 0
        || lease.stepAfter(ofStream) > 0;
  }

  /** How far rates are to be relaxed. */
  public int step() {
    return lease.stepAfter(ofLease);
  }
}
