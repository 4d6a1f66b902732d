package org.paceline.elephants;

import java.io.PrintStream;
import java.util.Locale;

/** Says every few seconds how far a long analysis has come. */
final class Progress {
  /** How many records pass between two looks at the clock. */
  private static final int LOOK = 1 << 16;

  private static final long EVERY_NANOS = 2_000_000_000L;

  private final PrintStream messages;
  private final long start = System.nanoTime();
  private long next = start + EVERY_NANOS;
  private long records;
  private String doing = "starting";

  Progress(PrintStream messages) {
    this.messages = messages;
  }

  void now(String sentence) {
    doing = sentence;
  }

  void record() {
    records++;
    if ((records & LOOK - 1) == 0 && System.nanoTime() - next >= 0) {
      messages.printf(
          Locale.ROOT, "paceline elephants: %3.0f s: %s, %,d records%n", seconds(), doing, records);
      next = System.nanoTime() + EVERY_NANOS;
    }
  }

  double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }
}
