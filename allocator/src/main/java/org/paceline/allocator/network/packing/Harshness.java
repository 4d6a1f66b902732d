package org.paceline.allocator.network.packing;

/** How dear it is to put more on a link than it carries, in times the link's price. */
final class Harshness {
  /** So dear that it never happens. */
  static final Harshness FORBIDDEN = new Harshness(1e9, 1);

  final double first;

  /** How many times as dear it has become in the end. */
  final double rise;

  private Harshness(double first, double rise) {
    this.first = first;
    this.rise = rise;
  }

  /** Allowed at first, and hardly in the end. */
  static Harshness rising(double first) {
    return new Harshness(first, 100);
  }
}
