package org.paceline.allocator.network;

import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * Makes an allocation that fits better and better: annealing that may put too much on links for a
 * while, repair of what is over, annealing that may not, and what is then left goes to whom it
 * serves; then again, longer, from the best so far.
 *
 * <p>Random choices come from a fixed seed and lengths are counted, not timed, so that equal
 * problems get equal answers unless time runs out.
 */
final class Packing {
  private static final double WITHIN = 0.3;
  private static final double[] HEAT = {0.003, 0.006, 0.012, 0.002};
  private static final double COOL = 1e-4;
  private static final double LENIENT = 3;
  private static final double FORBIDDEN = 1e9;
  private static final int PROPOSALS_A_UNIT = 60;
  private static final int FEWEST_PROPOSALS = 20_000;
  private static final int MOST_DOUBLINGS = 6;

  private final Allocation allocation;
  private final double[] prices;
  private final Rounding rounding;
  private final NearColumns[] near;
  private final double typical;
  private final SplittableRandom random = new SplittableRandom(20_200_207);
  private boolean fits;
  private int[][] best = new int[0][];
  private long bestSum;

  Packing(Allocation allocation, double[] prices) {
    this.allocation = allocation;
    this.prices = prices;
    this.rounding = new Rounding(allocation, prices);
    this.typical = allocation.offers().typicalSlope();
    this.near = new NearColumns[allocation.offers().demands().groups()];
    for (int u = 0; u < allocation.units(); u++) {
      int g = allocation.group(u);
      if (near[g] == null) {
        near[g] = new NearColumns(allocation.offers(), g, prices, WITHIN);
      }
    }
    keepIfBest();
  }

  /**
   * At most so many rounds, and so many after the last that made anything better; until the sum
   * reaches the goal. The allocation is then the best that was found, if any that fits.
   */
  boolean run(int rounds, int patience, long goal, BooleanSupplier stop) {
    long proposals = Math.max(FEWEST_PROPOSALS, (long) PROPOSALS_A_UNIT * allocation.units());
    int idle = 0;
    for (int i = 0;
        i < rounds && idle < patience && !(fits && bestSum >= goal) && !stop.getAsBoolean();
        i++) {
      round(HEAT[i % HEAT.length], proposals << Math.min(MOST_DOUBLINGS, i / 2), stop);
      idle = keepIfBest() ? 0 : idle + 1;
      if (fits) {
        allocation.restore(best);
      }
    }
    return fits;
  }

  private void round(double heat, long proposals, BooleanSupplier stop) {
    anneal(LENIENT, heat, proposals, stop);
    if (!rounding.repair()) {
      return;
    }
    fill();
    if (keepIfBest()) {
      fits = true;
    }
    anneal(FORBIDDEN, heat / 3, proposals / 4, stop);
    fill();
  }

  private void anneal(double harshness, double heat, long proposals, BooleanSupplier stop) {
    new Annealing(allocation, near, prices, typical, harshness, random)
        .run(heat, COOL, proposals, stop);
  }

  private void fill() {
    for (int u = 0; u < allocation.units(); u++) {
      rounding.greedy(u, 0);
    }
  }

  private boolean keepIfBest() {
    if (!allocation.fits() || (fits && allocation.sum() <= bestSum)) {
      return false;
    }
    fits = true;
    best = allocation.choices();
    bestSum = allocation.sum();
    return true;
  }
}
