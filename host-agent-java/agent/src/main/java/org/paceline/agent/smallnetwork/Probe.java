package org.paceline.agent.smallnetwork;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import org.paceline.allocator.virtualqueue.CapacityEstimate;
import org.paceline.intents.unit.DataRate;

/**
 * Asks what is just beyond a link for an answer, once a second, and tells whether a queue stands
 * there. Packets of conversations would not tell: they wait for their turn on this host, too.
 */
final class Probe implements Closeable {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  /** A queue of half a second and a long way; a later answer counts as none. */
  private static final Duration LONGEST = Duration.ofSeconds(2);

  /** What processors and the air make of a round trip is less. */
  private static final Duration LEAST_QUEUE = Duration.ofMillis(20);

  /** So many packets at once are no queue yet. */
  private static final double BURST_BITS = 4 * 1_514 * Byte.SIZE;

  private final InetAddress address;
  private final RoundTrips trips = new RoundTrips();
  private final Thread thread;

  private Probe(InetAddress address) {
    this.address = address;
    this.thread = new Thread(this::ask, "probe");
    thread.setDaemon(true);
  }

  static Probe of(InetAddress address) {
    Probe probe = new Probe(address);
    probe.thread.start();
    return probe;
  }

  private void ask() {
    while (!Thread.currentThread().isInterrupted()) {
      long begun = System.nanoTime();
      try {
        if (address.isReachable((int) LONGEST.toMillis())) {
          answered(Duration.ofNanos(System.nanoTime() - begun));
        }
      } catch (IOException e) {
        // No way there at the moment: no answer.
      }
      long left = INTERVAL.toNanos() - (System.nanoTime() - begun);
      try {
        Thread.sleep(Math.max(0, left) / 1_000_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized void answered(Duration took) {
    trips.answered(took, System.nanoTime());
  }

  /** How much longer than the shortest way it takes. */
  synchronized Optional<Duration> waiting() {
    return trips.waiting(System.nanoTime());
  }

  CapacityEstimate.Queue queue(DataRate capacity) {
    return queue(waiting(), capacity);
  }

  static CapacityEstimate.Queue queue(Optional<Duration> waiting, DataRate capacity) {
    double burst = BURST_BITS / capacity.bitsPerSecond() * 1e9;
    double most = Math.max(LEAST_QUEUE.toNanos(), burst);
    return waiting
        .map(
            time ->
                time.toNanos() > most
                    ? CapacityEstimate.Queue.STANDING
                    : CapacityEstimate.Queue.NONE)
        .orElse(CapacityEstimate.Queue.UNKNOWN);
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
