package org.paceline.allocator;

import java.util.function.BooleanSupplier;

/** A moment by which something must be done; true once it has come. */
public final class Deadline implements BooleanSupplier {
  private final long at;

  /** On the clock of {@link System#nanoTime()}. */
  public Deadline(long at) {
    this.at = at;
  }

  @Override
  public boolean getAsBoolean() {
    return nanosLeft() < 0;
  }

  public long nanosLeft() {
    return at - System.nanoTime();
  }

  /** After that share of the time that is left. */
  public Deadline after(double share) {
    return new Deadline(at - (long) ((1 - share) * Math.max(0, nanosLeft())));
  }
}
