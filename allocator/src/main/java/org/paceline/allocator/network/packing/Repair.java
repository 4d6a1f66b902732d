package org.paceline.allocator.network.packing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.paceline.allocator.network.groups.Allocation;
import org.paceline.allocator.network.groups.Profile;

/**
 * Makes fit what is a little too much: takes what is over on a link from whom it costs least at the
 * prices, in rounds over the links.
 */
final class Repair {
  private static final int ROUNDS = 12;

  private final Allocation allocation;
  private final double[] prices;
  private int[][] unitsByLink = new int[0][];

  Repair(Allocation allocation, double[] prices) {
    this.allocation = allocation;
    this.prices = prices;
  }

  /** Takes what is over from whom it costs least; gives up when told to stop. */
  boolean run(BooleanSupplier stop) {
    for (int round = 0; round < ROUNDS; round++) {
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
      Best other = bestWithin(u, way, rate, link, 0);
      allocation.put(u, way, step);
      if (other.isFound()) {
        double relief =
            uses(u, other.way, link)
                ? rate - allocation.profile(u, other.way).rate(other.step)
                : rate;
        offers.add(new double[] {(before - score(u, other.way, other.step)) / relief, u});
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
      Best other = bestWithin(u, way, rate, link, over);
      if (!other.isFound()) {
        other = bestWithin(u, way, rate, link, 0);
      }
      if (other.isFound()) {
        other.put();
      } else {
        allocation.put(u, way, step);
      }
    }
  }

  /**
   * Where all other ways are full, too, whoever loses least goes there all the same: others may be
   * able to give way on those links, which are relieved next.
   */
  private void divert(int link) {
    List<Best> elsewhere = new ArrayList<>();
    List<double[]> offers = new ArrayList<>();
    for (int u : unitsOf(link)) {
      int way = allocation.path(u);
      if (way == Allocation.NOWHERE || !uses(u, way, link)) {
        continue;
      }
      int step = allocation.step(u);
      long rate = allocation.profile(u, way).rate(step);
      Best other = bestBeside(u, rate, link);
      if (other.isFound() && rate > 0) {
        double loss = score(u, way, step) - score(u, other.way, other.step);
        offers.add(new double[] {loss / rate, u, elsewhere.size()});
        elsewhere.add(other);
      }
    }
    offers.sort(Comparator.<double[]>comparingDouble(o -> o[0]).thenComparingDouble(o -> o[1]));
    for (double[] offer : offers) {
      if (allocation.over(link) <= 0) {
        return;
      }
      Best other = elsewhere.get((int) offer[2]);
      allocation.take((int) offer[1]);
      other.put();
    }
  }

  /** The best choice without the link and with no more rate, whether or not there is room. */
  private Best bestBeside(int unit, long rate, int link) {
    Best best = new Best(unit);
    for (int j = 0; j < allocation.ways(unit); j++) {
      if (allocation.offers().open(allocation.group(unit), j) && !uses(unit, j, link)) {
        best.onWay(j, rate);
      }
    }
    return best;
  }

  /** The best choice that takes less of the link by at least the relief and adds to no excess. */
  private Best bestWithin(int unit, int from, long rate, int link, long relief) {
    Best best = new Best(unit);
    for (int j = 0; j < allocation.ways(unit); j++) {
      if (!allocation.offers().open(allocation.group(unit), j)
          || (relief > rate && !uses(unit, j, link))) {
        continue;
      }
      long room = Long.MAX_VALUE;
      for (int e : allocation.hops(unit, j)) {
        // The link itself may stay over for now, so long as it is less so.
        // Nor is more on a link that it was on than before.
        long before = uses(unit, from, e) ? rate : Long.MIN_VALUE;
        long free = e == link ? rate - Math.max(1, relief) : Math.max(before, -allocation.over(e));
        room = Math.min(room, free);
      }
      best.onWay(j, room);
    }
    return best;
  }

  /** What is worth most of one unit's choices that were looked at; the first of equals. */
  private final class Best {
    private final int unit;
    private double score = Double.NEGATIVE_INFINITY;
    private int way = Allocation.NOWHERE;
    private int step;

    Best(int unit) {
      this.unit = unit;
    }

    /** Looks at a way's rates up to the most. */
    void onWay(int candidate, long most) {
      Profile profile = allocation.profile(unit, candidate);
      for (int s = 0; s < profile.size() && profile.rate(s) <= most; s++) {
        double its = score(unit, candidate, s);
        if (its > score) {
          score = its;
          way = candidate;
          step = s;
        }
      }
    }

    boolean isFound() {
      return way != Allocation.NOWHERE;
    }

    void put() {
      allocation.put(unit, way, step);
    }
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
        - allocation.price(unit, way, prices) * profile.rate(step) / Profile.SCALE;
  }

  /** Units that could use the link. */
  private int[] unitsOf(int link) {
    if (unitsByLink.length == 0) {
      unitsByLink = index();
    }
    return unitsByLink[link];
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
}
