package org.paceline.allocator.exact;

import java.util.List;

/**
 * Step 2 on one link: the greatest sum of values within the capacity when every copy of every group
 * takes one item. Linear relaxation first, then a search of the choices near it with a growing
 * budget of loss, which ends as soon as the best choice found loses no more than what was searched.
 */
final class MultipleChoiceKnapsack {
  /** A first budget this much smaller than the gap: most problems end in one or two rounds. */
  private static final double FIRST_ROUND = 1.0 / 4096;

  private static final double GROWTH = 8;

  /** States of the search before it settles for the bound that it has: some 20 ms. */
  private static final int MOST_STATES = 1 << 18;

  /** A choice and how good it is proved to be. */
  static final class Result {
    /** Copies per group and item. */
    final long[][] counts;

    final long value;

    /** No choice has a greater value. */
    final long bound;

    /** Value per unit of weight at the margin. */
    final double price;

    /** Whether the bound is better than what the price alone shows. */
    final boolean searched;

    Result(long[][] counts, long value, long bound, double price, boolean searched) {
      this.counts = counts;
      this.value = value;
      this.bound = bound;
      this.price = price;
      this.searched = searched;
    }
  }

  private MultipleChoiceKnapsack() {}

  /**
   * @param capacity at least the sum of the lightest items
   * @param targetGap relative gap at which to stop; 0 for the optimum
   */
  static Result solve(List<Choices> groups, long capacity, double targetGap) {
    HullGreedy linear = new HullGreedy(groups, capacity);
    if (linear.breakGroup < 0) {
      return new Result(linear.counts, linear.value, linear.value, 0, false);
    }
    double slack = linear.price * (capacity - linear.baseWeight);
    long priceBound = linear.baseValue + ceil(slack);
    Deviations deviations = new Deviations(groups, linear, capacity, MOST_STATES);
    double searched = 0;
    double budget = deviations.gap() * FIRST_ROUND;
    while (deviations.gap() > Math.max(searched, 0.999)
        && deviations.gap() > targetGap * deviations.value()) {
      budget = Math.min(budget, deviations.gap());
      if (!deviations.search(budget)) {
        break;
      }
      searched = budget;
      budget *= GROWTH;
    }
    // Values are whole: less than one below the bound is the optimum. Whatever was not looked at
    // loses more than the budget that was.
    boolean optimal = deviations.gap() <= Math.max(searched, 0.999);
    long bound =
        optimal
            ? deviations.value()
            : Math.max(deviations.value(), priceBound - (long) Math.floor(searched));
    return new Result(
        deviations.counts(), deviations.value(), bound, linear.price, bound < priceBound);
  }

  /** Rounded up by more than the arithmetic can be off. */
  private static long ceil(double value) {
    return (long) Math.ceil(value * (1 + 1e-12)) + 1;
  }

  static long priceBound(List<Choices> groups, long capacity) {
    HullGreedy linear = new HullGreedy(groups, capacity);
    return linear.baseValue + ceil(linear.price * (capacity - linear.baseWeight));
  }
}
