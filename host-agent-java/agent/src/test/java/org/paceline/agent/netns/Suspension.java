package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * To memory, of the whole machine, this process included. Only of one that is another's process,
 * and wakes by itself: {@link UserModeLinux}.
 */
final class Suspension {
  /** The property that says where that machine is told how long; without it there is none. */
  static final String DIRECTORY = "paceline.test.suspension";

  private static final long MOST_BETWEEN_NANOS = 200_000_000;

  private Suspension() {}

  static boolean isPossible() {
    return Optional.ofNullable(System.getProperty(DIRECTORY)).isPresent();
  }

  /** Fails unless the monotonic clock stood still for as long. */
  static void last(Duration length) throws IOException {
    Files.writeString(
        Path.of(System.getProperty(DIRECTORY), "suspension"), length.toSeconds() + "\n");
    Duration before = stoodStill();
    Files.writeString(Path.of("/sys/power/state"), "mem");
    Duration suspended = stoodStill().minus(before);
    // What is between the two clocks' readings is not part of it.
    assertThat(suspended).isGreaterThan(length.minusMillis(500));
    System.out.printf("suspended for %.1f s%n", suspended.toMillis() / 1e3);
  }

  /** By how much its time since the start is ahead of its monotonic clock. */
  private static Duration stoodStill() throws IOException {
    while (true) {
      long monotonic = System.nanoTime();
      String uptime = Files.readString(Path.of("/proc/uptime")).split(" ", 2)[0];
      // A busy machine may let time pass between the two: then they are read again.
      if (System.nanoTime() - monotonic < MOST_BETWEEN_NANOS) {
        return Duration.ofMillis(Math.round(1e3 * Double.parseDouble(uptime)))
            .minusNanos(monotonic);
      }
    }
  }
}
