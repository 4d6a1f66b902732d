package org.paceline.allocator.incremental;

/**
 * One path of a menu: what it offers, what it costs, and which step is worth most at that price.
 */
final class Way {
  final int[] path;
  final Steps steps;

  /** Billionths of utility for a millibit per second. */
  final double price;

  /** The step that is worth most at the price, if there is room for it. */
  final int wanted;

  Way(int[] path, Steps steps, double price) {
    this.path = path;
    this.steps = steps;
    this.price = price;
    this.wanted = steps.wanted(price);
  }
}
