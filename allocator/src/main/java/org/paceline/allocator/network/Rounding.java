package org.paceline.allocator.network;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * From prices to an allocation that fits: every unit in turn takes its best choice at prices that
 * rise where links are too full and fall where there is room left; then what is still over is taken
 * from whom it costs least, and what is left is given to whom it serves most.
 *
 * <p>At prices lambda the sum falls short of the bound by exactly sum_e lambda_e slack_e plus what
 * each unit's choice is worth less than its best: both are kept small.
 */
final class Rounding {
  /** Neighbours have the same ends: not one after the other, or the first would take all. */
  private static final int STRIDE = 64;

  private final Allocation allocation;
  private final double[] prices;
  private final double[] stiffness;
  private int[][] unitsByLink;

  Rounding(Allocation allocation, double[] prices) {
    this.allocation = allocation;
    this.prices = prices;
    this.stiffness = new double[prices.length];
    double typical = typical(prices);
    for (int e = 0; e < prices.length; e++) {
      stiffness[e] = prices[e] > 1e-9 ? prices[e] : typical;
    }
    this.unitsByLink = new int[0][];
  }

  /** The mean of the prices that are not nothing; 1 where all are. */
  static double typical(double[] prices) {
    return Arrays.stream(prices).filter(price -> price > 1e-9).average().orElse(1);
  }

  private int[][] index() {
    int[] sizes = new int[prices.length];
    int[][] index = new int[prices.length][];
    for (int round = 0; round < 2; round++) {
      for (int u = 0; u < allocation.units(); u++) {
        for (int j = 0; j < allocation.ways(u); j++) {
          for (int e : allocation.hops(u, j)) {
            if (round == 0) {
              sizes[e]++;
            } else if (sizes[e] == 0 || index[e][sizes[e] - 1] != u) {
              index[e][sizes[e]++] = u;
            }
          }
        }
      }
      for (int e = 0; e < prices.length; e++) {
        index[e] = round == 0 ? new int[sizes[e]] : Arrays.copyOf(index[e], sizes[e]);
        sizes[e] = 0;
      }
    }
    return index;
  }

  /** Units that could use the link. */
  int[] unitsOf(int link) {
    if (unitsByLink.length == 0) {
      unitsByLink = index();
    }
    return unitsByLink[link];
  }

  /** True if everything fits in the end; gives up where more than a share of a limit is over. */
  boolean settleIfClose(double[] firmness, double close, BooleanSupplier stop) {
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
    return over < close * limit && repair(stop);
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

  /** Takes what is over from whom it costs least; gives up when told to stop. */
  boolean repair(BooleanSupplier stop) {
    for (int round = 0; round < 12; round++) {
      boolean over = false;
      for (int e = 0; e < allocation.links(); e++) {
        if (allocation.over(e) > 0) {
          if (stop.getAsBoolean()) {
            return false;
          }
          over = true;
          relieve(e);
          if (allocation.over(e) > 0) {
            divert(e);
          }
        }
      }
      if (!over) {
        return allocation.fits();
      }
    }
    return allocation.fits();
  }

  private void relieve(int link) {
    List<double[]> offers = new ArrayList<>();
    for (int u : unitsOf(link)) {
      int way = allocation.path(u);
      if (way == Allocation.NOWHERE || !uses(u, way, link)) {
        continue;
      }
      int step = allocation.step(u);
      long rate = allocation.profile(u, way).rate(step);
      double before = score(u, way, step);
      allocation.take(u);
      int[] other = bestWithin(u, way, rate, link, 0);
      allocation.put(u, way, step);
      if (other[0] != Allocation.NOWHERE) {
        double relief =
            uses(u, other[0], link) ? rate - allocation.profile(u, other[0]).rate(other[1]) : rate;
        offers.add(new double[] {(before - score(u, other[0], other[1])) / relief, u});
      }
    }
    offers.sort(Comparator.<double[]>comparingDouble(o -> o[0]).thenComparingDouble(o -> o[1]));
    for (double[] offer : offers) {
      long over = allocation.over(link);
      if (over <= 0) {
        return;
      }
      int u = (int) offer[1];
      int way = allocation.path(u);
      int step = allocation.step(u);
      long rate = allocation.profile(u, way).rate(step);
      allocation.take(u);
      int[] other = bestWithin(u, way, rate, link, over);
      if (other[0] == Allocation.NOWHERE) {
        other = bestWithin(u, way, rate, link, 0);
      }
      if (other[0] == Allocation.NOWHERE) {
        allocation.put(u, way, step);
      } else {
        allocation.put(u, other[0], other[1]);
      }
    }
  }

  /**
   * Where all other ways are full, too, whoever loses least goes there all the same: others may be
   * able to give way on those links, which are relieved next.
   */
  private void divert(int link) {
    List<int[]> elsewhere = new ArrayList<>();
    List<double[]> offers = new ArrayList<>();
    for (int u : unitsOf(link)) {
      int way = allocation.path(u);
      if (way == Allocation.NOWHERE || !uses(u, way, link)) {
        continue;
      }
      int step = allocation.step(u);
      long rate = allocation.profile(u, way).rate(step);
      int[] other = bestBeside(u, rate, link);
      if (other[0] != Allocation.NOWHERE && rate > 0) {
        double loss = score(u, way, step) - score(u, other[0], other[1]);
        offers.add(new double[] {loss / rate, u, elsewhere.size()});
        elsewhere.add(other);
      }
    }
    offers.sort(Comparator.<double[]>comparingDouble(o -> o[0]).thenComparingDouble(o -> o[1]));
    for (double[] offer : offers) {
      if (allocation.over(link) <= 0) {
        return;
      }
      int[] other = elsewhere.get((int) offer[2]);
      allocation.take((int) offer[1]);
      allocation.put((int) offer[1], other[0], other[1]);
    }
  }

  /** The best choice without the link and with no more rate, whether or not there is room. */
  private int[] bestBeside(int unit, long rate, int link) {
    int[] found = {Allocation.NOWHERE, 0};
    double best = Double.NEGATIVE_INFINITY;
    for (int j = 0; j < allocation.ways(unit); j++) {
      if (!allocation.offers().open(allocation.group(unit), j) || uses(unit, j, link)) {
        continue;
      }
      Profile profile = allocation.profile(unit, j);
      for (int s = 0; s < profile.size() && profile.rate(s) <= rate; s++) {
        double score = score(unit, j, s);
        if (score > best) {
          best = score;
          found[0] = j;
          found[1] = s;
        }
      }
    }
    return found;
  }

  /** The best choice that takes less of the link by at least the relief and adds to no excess. */
  private int[] bestWithin(int unit, int from, long rate, int link, long relief) {
    int[] found = {Allocation.NOWHERE, 0};
    double best = Double.NEGATIVE_INFINITY;
    for (int j = 0; j < allocation.ways(unit); j++) {
      if (!allocation.offers().open(allocation.group(unit), j)) {
        continue;
      }
      boolean same = uses(unit, j, link);
      long room = Long.MAX_VALUE;
      for (int e : allocation.hops(unit, j)) {
        // The link itself may stay over for now, so long as it is less so.
        // Nor is more on a link that it was on than before.
        long before = uses(unit, from, e) ? rate : Long.MIN_VALUE;
        long free = e == link ? rate - Math.max(1, relief) : Math.max(before, -allocation.over(e));
        room = Math.min(room, free);
      }
      if (!same && relief > rate) {
        continue;
      }
      Profile profile = allocation.profile(unit, j);
      for (int s = 0; s < profile.size() && profile.rate(s) <= room; s++) {
        double score = score(unit, j, s);
        if (score > best) {
          best = score;
          found[0] = j;
          found[1] = s;
        }
      }
    }
    return found;
  }

  private boolean uses(int unit, int way, int link) {
    for (int e : allocation.hops(unit, way)) {
      if (e == link) {
        return true;
      }
    }
    return false;
  }

  private double score(int unit, int way, int step) {
    Profile profile = allocation.profile(unit, way);
    return profile.utility(step) / Profile.SCALE
        - price(unit, way) * profile.rate(step) / Profile.SCALE;
  }

  private double worth(int unit, int way, int step, double weight) {
    Profile profile = allocation.profile(unit, way);
    return profile.utility(step)
        - (weight > 0 ? weight * price(unit, way) * profile.rate(step) : 0);
  }

  private double price(int unit, int way) {
    double sum = 0;
    for (int e : allocation.hops(unit, way)) {
      sum += prices[e];
    }
    return sum;
  }

  /**
   * Everybody to the best choice at the prices, then to the best choice, that fits beside all
   * others: quick, and far better than what only keeps a level where there is no time for more.
   */
  void share() {
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
