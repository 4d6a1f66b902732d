package org.paceline.allocator.network.packing;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.paceline.allocator.Deadline;
import org.paceline.allocator.network.groups.Allocation;
import org.paceline.allocator.network.groups.Profile;

/**
 * Makes links carry nearly what they can: every unit in turn takes its best choice at prices that
 * rise where links are too full and fall where there is room left, pass after pass.
 *
 * <p>At first what is over and under hardly counts and leads only those to move who are nearly
 * undecided; from pass to pass it counts more, while less is left of it. Begun firmly, whoever
 * comes first would make up for all, at any loss. O(units x paths x (length + log corners)) a pass.
 */
public final class Levelling {
  /** Units that a pass moves one after the other: their paths are the same part of memory. */
  private static final int TOGETHER = 4;

  private static final double[] FIRMNESS = {
    1e-4, 3e-4, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30
  };

  /**
   * Of a limit, what passes leave free: less is lost so than where something must be taken back.
   */
  private static final double MARGIN = 5e-5;

  private final Allocation allocation;
  private final double[] prices;

  /** What excess costs, by link. */
  private final double[] stiffness;

  Levelling(Allocation allocation, double[] prices) {
    this.allocation = allocation;
    this.prices = prices;
    double typical = Rounding.typical(prices);
    this.stiffness = Arrays.stream(prices).map(price -> Math.max(price, typical)).toArray();
  }

  /**
   * Until all fits or all passes are done; of those for which there is no time some are left out.
   */
  void run(Deadline end) {
    for (int i = 0; i < FIRMNESS.length && !allocation.fits() && !end.getAsBoolean(); ) {
      long start = System.nanoTime();
      pass(FIRMNESS[i], end);
      long took = System.nanoTime() - start + 1;
      long possible = Math.max(1, end.nanosLeft() / took);
      i += (int) Math.max(1, (FIRMNESS.length - 1 - i + possible - 1) / possible);
    }
  }

  /** False where time was over first. */
  boolean pass(double firm, BooleanSupplier stop) {
    int units = allocation.units();
    int blocks = (units + TOGETHER - 1) / TOGETHER;
    int stride = stride(blocks);
    double[] leaning = new double[prices.length];
    double[] rising = new double[prices.length];
    for (int e = 0; e < prices.length; e++) {
      lean(e, firm, leaning, rising);
    }
    for (int i = 0, block = 0; i < blocks; i++, block = (block + stride) % blocks) {
      if ((i & 255) == 0 && stop.getAsBoolean()) {
        return false;
      }
      int end = Math.min(units, (block + 1) * TOGETHER);
      for (int u = block * TOGETHER; u < end; u++) {
        if (allocation.path(u) != Allocation.NOWHERE) {
          int[] left = allocation.hops(u, allocation.path(u));
          allocation.take(u);
          for (int e : left) {
            lean(e, firm, leaning, rising);
          }
        }
        soft(u, leaning, rising);
        for (int e : allocation.hops(u, allocation.path(u))) {
          lean(e, firm, leaning, rising);
        }
      }
    }
    return true;
  }

  /** What a link costs for the first of a unit's rate, and how it rises with it. */
  private void lean(int e, double firm, double[] leaning, double[] rising) {
    double over = (allocation.over(e) + MARGIN * allocation.limit(e)) / Profile.SCALE;
    // Room on a cheap link is worth little, but what is over is over on any link.
    double stiff = firm * (over > 0 ? stiffness[e] : prices[e]);
    leaning[e] = prices[e] + stiff * over;
    rising[e] = stiff / 2;
  }

  /** Neighbours have the same ends: with such a stride all are visited, but none after another. */
  private static int stride(int blocks) {
    int stride = (int) (blocks * 0.38) + 1;
    while (BigInteger.valueOf(stride).gcd(BigInteger.valueOf(blocks)).intValue() > 1) {
      stride++;
    }
    return stride;
  }

  /** Places a unit at prices that lean against what is over and under. */
  private void soft(int unit, double[] leaning, double[] rising) {
    double best = Double.NEGATIVE_INFINITY;
    int bestWay = Allocation.NOWHERE;
    int bestStep = 0;
    for (int j = 0; j < allocation.ways(unit); j++) {
      Profile profile = allocation.profile(unit, j);
      if (profile.isNone()) {
        continue;
      }
      double linear = 0;
      double square = 0;
      for (int e : allocation.hops(unit, j)) {
        linear += leaning[e];
        square += rising[e];
      }
      // What no step of the hull reaches none does.
      int steps = profile.worth(linear) > best ? profile.size() : 0;
      for (int s = 0; s < steps; s++) {
        double rate = profile.rate(s) / Profile.SCALE;
        double score = profile.utility(s) / Profile.SCALE - rate * (linear + rate * square);
        if (score > best) {
          best = score;
          bestWay = j;
          bestStep = s;
        }
      }
    }
    allocation.put(unit, bestWay, bestStep);
  }
}
