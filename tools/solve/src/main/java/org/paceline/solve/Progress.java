package org.paceline.solve;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Says what is going on as soon as something takes over a second, every second, later every five.
 */
final class Progress implements AutoCloseable {
  private static final long EVERY_NANOS = Duration.ofSeconds(1).toNanos();

  private final PrintStream messages;
  private final long start = System.nanoTime();
  private final AtomicReference<String> doing = new AtomicReference<>("starting");
  private final Thread reporter;

  Progress(PrintStream messages) {
    this.messages = messages;
    this.reporter = new Thread(this::report, "progress");
    reporter.setDaemon(true);
    reporter.start();
  }

  Consumer<String> sink() {
    return doing::set;
  }

  void now(String sentence) {
    doing.set(sentence);
  }

  Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private void report() {
    try {
      for (long second = 1; ; second += second < 10 ? 1 : 5) {
        long wait = start + second * EVERY_NANOS - System.nanoTime();
        // Upwards, or a second would be announced twice.
        Thread.sleep(Math.max(1, wait / 1_000_000 + 1));
        messages.printf(
            Locale.ROOT, "paceline solve: %3d s: %s%n", elapsed().toSeconds(), doing.get());
      }
    } catch (InterruptedException e) {
      // The work is done.
      return;
    }
  }

  @Override
  public void close() {
    reporter.interrupt();
    try {
      // So that no sentence comes after the summary.
      reporter.join(1_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
