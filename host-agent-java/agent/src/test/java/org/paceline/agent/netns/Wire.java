package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * What arrives at the receiver, all the time: its counter, read every 20 ms. Nothing is started for
 * it: on a busy machine that would take longer than what is to be seen.
 */
final class Wire implements AutoCloseable {
  private static final long EVERY_MILLIS = 20;

  private final Process there;
  private final Path counters;
  private final List<Reading> readings = new ArrayList<>();
  private final ExecutorService watching = Executors.newSingleThreadExecutor();
  private final Future<?> watched;

  /** The counter at a moment between these two. */
  private record Reading(long afterNanos, long beforeNanos, long bytes) {}

  /** Since when is asked. */
  record Begin(int reading) {}

  /**
   * @param bytes that have arrived
   * @param mostBeyondBytes the most that any time has brought beyond what the rate allows in it
   * @param longestMillis that passed between two readings
   */
  record Seen(long bytes, long mostBeyondBytes, long longestMillis) {}

  Wire(TwoHosts hosts) throws IOException, InterruptedException {
    there = new ProcessBuilder(Sh.inside(hosts.receiver, "sleep", "infinity")).start();
    counters = Path.of("/proc", Long.toString(there.pid()), "net/dev");
    try {
      // Before it is in its network it has another one's counters.
      for (int i = 0;
          i < 600 && !Files.readString(counters).contains(TwoHosts.RECEIVER_DEVICE);
          i++) {
        Thread.sleep(100);
      }
      readings.add(read());
    } catch (IOException | InterruptedException | RuntimeException ended) {
      there.destroyForcibly();
      throw ended;
    }
    watched = watching.submit(this::watch);
  }

  private Void watch() throws Exception {
    while (!Thread.currentThread().isInterrupted()) {
      Thread.sleep(EVERY_MILLIS);
      Reading next = read();
      synchronized (readings) {
        readings.add(next);
      }
    }
    return null;
  }

  private Reading read() throws IOException {
    long after = System.nanoTime();
    List<String> lines = Files.readAllLines(counters);
    long before = System.nanoTime();
    for (String line : lines) {
      if (line.trim().startsWith(TwoHosts.RECEIVER_DEVICE + ":")) {
        return new Reading(after, before, Long.parseLong(line.trim().split("\\s+")[1]));
      }
    }
    throw new IOException("the receiver has no " + TwoHosts.RECEIVER_DEVICE);
  }

  Begin begin() {
    synchronized (readings) {
      return new Begin(readings.size() - 1);
    }
  }

  /**
   * Of all times since then, however short or long. O(n): a time's excess is what a token bucket of
   * this rate would have to hold at its end.
   */
  Seen since(Begin begin, long bitsPerSecond) {
    assertThat(watched.isDone()).as("whether it is watched no more").isFalse();
    List<Reading> seen;
    synchronized (readings) {
      seen = List.copyOf(readings.subList(begin.reading, readings.size()));
    }
    Reading first = seen.get(0);
    double bytesPerNano = bitsPerSecond / 8e9;
    double least = Double.MAX_VALUE;
    double most = 0;
    long longest = 0;
    Reading former = first;
    for (Reading one : seen) {
      // The counter may be of any moment of its reading: the longest time counts.
      double bytes = one.bytes - first.bytes;
      most = Math.max(most, bytes - bytesPerNano * (one.beforeNanos - first.afterNanos) - least);
      least = Math.min(least, bytes - bytesPerNano * (one.afterNanos - first.afterNanos));
      longest = Math.max(longest, one.beforeNanos - former.afterNanos);
      former = one;
    }
    return new Seen(
        former.bytes - first.bytes, Math.round(most), TimeUnit.NANOSECONDS.toMillis(longest));
  }

  @Override
  public void close() throws InterruptedException {
    watching.shutdownNow();
    assertThat(watching.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    there.destroyForcibly().waitFor();
  }
}
