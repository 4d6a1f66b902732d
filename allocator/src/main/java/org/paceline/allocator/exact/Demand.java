package org.paceline.allocator.exact;

/** A number of applications that want the same: each is to get one step of the staircase. */
final class Demand {
  private final Staircase staircase;
  private final long count;

  Demand(Staircase staircase, long count) {
    this.staircase = staircase;
    this.count = count;
  }

  Staircase staircase() {
    return staircase;
  }

  long count() {
    return count;
  }
}
