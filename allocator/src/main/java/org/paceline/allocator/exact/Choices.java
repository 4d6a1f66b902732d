package org.paceline.allocator.exact;

/**
 * The items of one group of a multiple-choice knapsack: {@code copies} times one of them is to be
 * chosen. Weights and values both strictly increase.
 */
final class Choices {
  final long[] weights;
  final long[] values;
  final long copies;

  Choices(long[] weights, long[] values, long copies) {
    this.weights = weights;
    this.values = values;
    this.copies = copies;
  }

  int size() {
    return weights.length;
  }

  /** The indexes of the items on the upper concave hull, from the lightest to the heaviest. */
  int[] hull() {
    int[] hull = new int[weights.length];
    int top = 0;
    for (int item = 0; item < weights.length; item++) {
      while (top >= 2 && slope(hull[top - 2], hull[top - 1]) <= slope(hull[top - 1], item)) {
        top--;
      }
      hull[top++] = item;
    }
    return java.util.Arrays.copyOf(hull, top);
  }

  double slope(int from, int to) {
    return (double) (values[to] - values[from]) / (weights[to] - weights[from]);
  }
}
