package org.paceline.allocator.network.packing;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.paceline.allocator.network.groups.Allocation;
import org.paceline.allocator.network.groups.Profile;

/**
 * From prices to an allocation that fits: every unit in turn takes its best choice at prices that
 * rise where links are too full and fall where there is room left; then what is still over is taken
 * from whom it costs least ({@link Repair}), and what is left is given to whom it serves most.
 *
 * <p>At prices lambda the sum falls short of the bound by exactly sum_e lambda_e slack_e plus what
 * each unit's choice is worth less than its best: both are kept small.
 */
public final class Rounding {
  /** Neighbours have the same ends: not one after the other, or the first would take all. */
  private static final int STRIDE = 64;

  private final Allocation allocation;
  private final double[] prices;
  private final double[] stiffness;

  public Rounding(Allocation allocation, double[] prices) {
    this.allocation = allocation;
    this.prices = prices;
    this.stiffness = new double[prices.length];
    double typical = typical(prices);
    for (int e = 0; e < prices.length; e++) {
      stiffness[e] = prices[e] > 1e-9 ? prices[e] : typical;
    }
  }

  /** The mean of the prices that are not nothing; 1 where all are. */
  static double typical(double[] prices) {
    return Arrays.stream(prices).filter(price -> price > 1e-9).average().orElse(1);
  }

  /** True if everything fits in the end; gives up where more than a share of a limit is over. */
  public boolean settleIfClose(double[] firmness, double close, BooleanSupplier stop) {
    for (double firm : firmness) {
      if (!pass(firm, stop)) {
        return false;
      }
      if (allocation.fits()) {
        return true;
      }
    }
    double over = 0;
    double limit = 0;
    for (int e = 0; e < allocation.links(); e++) {
      over += Math.max(0, allocation.over(e));
      limit += allocation.over(e) > 0 ? allocation.limit(e) : 0;
    }
    return over < close * limit && new Repair(allocation, prices).run(stop);
  }

  /** False where time was over first. */
  private boolean pass(double firm, BooleanSupplier stop) {
    for (int u = 0; u < allocation.units(); u++) {
      if ((u & 1_023) == 0 && stop.getAsBoolean()) {
        return false;
      }
      allocation.take(u);
      soft(u, firm);
    }
    return true;
  }

  /** Places a unit at prices that lean against what is over and under. */
  private void soft(int unit, double firm) {
    double best = Double.NEGATIVE_INFINITY;
    int bestWay = Allocation.NOWHERE;
    int bestStep = 0;
    for (int j = 0; j < allocation.ways(unit); j++) {
      if (!allocation.offers().open(allocation.group(unit), j)) {
        continue;
      }
      double linear = 0;
      double square = 0;
      for (int e : allocation.hops(unit, j)) {
        double over = allocation.over(e) / Profile.SCALE;
        linear += prices[e];
        if (prices[e] > 1e-9 || over > 0) {
          linear += firm * stiffness[e] * over;
          square += firm * stiffness[e] / 2;
        }
      }
      Profile profile = allocation.profile(unit, j);
      for (int s = 0; s < profile.size(); s++) {
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

  private double worth(int unit, int way, int step, double weight) {
    Profile profile = allocation.profile(unit, way);
    return profile.utility(step)
        - (weight > 0 ? weight * allocation.price(unit, way, prices) * profile.rate(step) : 0);
  }

  /**
   * Everybody to the best choice at the prices, then to the best choice, that fits beside all
   * others: quick, and far better than what only keeps a level where there is no time for more.
   */
  public void share() {
    for (double weight : new double[] {1, 0}) {
      for (int first = 0; first < STRIDE; first++) {
        for (int u = first; u < allocation.units(); u += STRIDE) {
          greedy(u, weight);
        }
      }
    }
  }

  /** As much as fits beside all others, which always leaves it where it is at worst. */
  void greedy(int unit) {
    greedy(unit, 0);
  }

  /**
   * @param weight of what the choice costs at the prices
   */
  private void greedy(int unit, double weight) {
    int way = allocation.path(unit);
    int step = allocation.step(unit);
    double best = way == Allocation.NOWHERE ? 0 : worth(unit, way, step, weight);
    allocation.take(unit);
    for (int j = 0; j < allocation.ways(unit); j++) {
      if (!allocation.offers().open(allocation.group(unit), j)) {
        continue;
      }
      long room = allocation.room(unit, j);
      Profile profile = allocation.profile(unit, j);
      for (int s = 0; s < profile.size() && profile.rate(s) <= room; s++) {
        double worth = worth(unit, j, s, weight);
        if (worth > best) {
          best = worth;
          way = j;
          step = s;
        }
      }
    }
    allocation.put(unit, way, step);
  }
}
