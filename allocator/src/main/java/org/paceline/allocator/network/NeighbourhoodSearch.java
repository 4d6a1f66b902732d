package org.paceline.allocator.network;

import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * Large-neighbourhood search: a few units around a link that is dear and not quite full give back
 * what they have and share it out anew; whatever is no worse stays.
 *
 * <p>Random choices come from a fixed seed and the number of rounds is fixed, so that equal
 * problems get equal answers unless time runs out.
 */
final class NeighbourhoodSearch {
  private static final double[] THRIFT = {1, 0.5, 0};

  private final Allocation allocation;
  private final Rounding rounding;
  private final double[] prices;
  private final SplittableRandom random = new SplittableRandom(20_200_207);

  NeighbourhoodSearch(Allocation allocation, Rounding rounding, double[] prices) {
    this.allocation = allocation;
    this.rounding = rounding;
    this.prices = prices;
  }

  /** Until so many rounds have passed, or the sum reaches the goal. */
  void run(long rounds, long goal, BooleanSupplier stop) {
    int[] dear = dear();
    if (dear.length == 0) {
      return;
    }
    for (long r = 0; r < rounds && allocation.sum() < goal; r++) {
      if ((r & 255) == 0 && stop.getAsBoolean()) {
        return;
      }
      round(dear[pick(dear)]);
    }
  }

  private int[] dear() {
    return java.util.stream.IntStream.range(0, prices.length)
        .filter(e -> prices[e] > 1e-9 && rounding.unitsOf(e).length > 0)
        .toArray();
  }

  /** Of three links at random the one whose slack is worth most. */
  private int pick(int[] dear) {
    int best = random.nextInt(dear.length);
    for (int i = 0; i < 2; i++) {
      int other = random.nextInt(dear.length);
      if (-allocation.over(dear[other]) * prices[dear[other]]
          > -allocation.over(dear[best]) * prices[dear[best]]) {
        best = other;
      }
    }
    return best;
  }

  private void round(int link) {
    int[] around = rounding.unitsOf(link);
    int size = Math.min(around.length, 2 + random.nextInt(7));
    int[] chosen = new int[size];
    int[][] before = new int[2][size];
    long sum = allocation.sum();
    for (int i = 0; i < size; i++) {
      int u = around[random.nextInt(around.length)];
      chosen[i] = u;
      before[0][i] = allocation.path(u);
      before[1][i] = allocation.step(u);
      allocation.take(u);
    }
    boolean placed = true;
    for (int i = 0; i < size && placed; i++) {
      placed = allocation.path(chosen[i]) != Allocation.NOWHERE || least(chosen[i]);
    }
    if (placed) {
      double lean = 0.6 + 0.8 * random.nextDouble();
      for (double thrift : THRIFT) {
        for (int u : chosen) {
          rounding.greedy(u, thrift * lean);
        }
      }
    }
    if (!placed || allocation.sum() < sum) {
      for (int u : chosen) {
        allocation.take(u);
      }
      for (int i = 0; i < size; i++) {
        // A unit drawn twice had nothing left the second time.
        if (before[0][i] != Allocation.NOWHERE) {
          allocation.put(chosen[i], before[0][i], before[1][i]);
        }
      }
    }
  }

  /** The least step on a path that has room, beginning anywhere. */
  private boolean least(int unit) {
    int ways = allocation.ways(unit);
    int first = random.nextInt(ways);
    for (int i = 0; i < ways; i++) {
      int way = (first + i) % ways;
      if (allocation.offers().open(allocation.group(unit), way)
          && allocation.profile(unit, way).rate(0) <= allocation.room(unit, way)) {
        allocation.put(unit, way, 0);
        return true;
      }
    }
    return false;
  }
}
