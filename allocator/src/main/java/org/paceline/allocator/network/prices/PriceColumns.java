package org.paceline.allocator.network.prices;

import java.util.Arrays;
import org.paceline.allocator.network.groups.Offers;
import org.paceline.allocator.network.groups.Profile;

/**
 * The columns of some groups that a {@link PriceProgram} needs, in their order: those whose worth
 * at the prices is near the best of their group, and the least step of every path. Worth along a
 * hull rises to its best step and then falls, so that only what is near is looked at.
 */
final class PriceColumns {
  private static final double MOST_NUDGE = 2e-4;

  int size;
  int[] path = new int[1_024];
  int[] step = new int[1_024];
  double[] rate = new double[1_024];
  double[] utility = new double[1_024];

  private final Offers offers;
  private final double within;

  PriceColumns(Offers offers, double within) {
    this.offers = offers;
    this.within = within;
  }

  /** How many there are with those of this group, whose paths cost that much. */
  int add(int group, double[] cost) {
    double least = offers.worth(group, cost) - within;
    double idle = Double.NEGATIVE_INFINITY;
    for (int j = 0; j < cost.length; j++) {
      if (!offers.open(group, j)) {
        continue;
      }
      Profile profile = offers.profile(group, j);
      // No rate is the same on every path.
      boolean known = profile.hullRate(0) == 0 && profile.hullUtility(0) <= idle;
      if (!known) {
        add(group, j, 0);
        idle = profile.hullRate(0) == 0 ? profile.hullUtility(0) : idle;
      }
      int best = profile.corner(cost[j]);
      int first = best;
      while (first > 1 && profile.hullWorth(first - 1, cost[j]) >= least) {
        first--;
      }
      for (int k = Math.max(1, first);
          k < profile.hullSize() && (k < best || profile.hullWorth(k, cost[j]) >= least);
          k++) {
        add(group, j, k);
      }
    }
    return size;
  }

  private void add(int group, int way, int corner) {
    if (size == path.length) {
      path = Arrays.copyOf(path, 2 * size);
      step = Arrays.copyOf(step, 2 * size);
      rate = Arrays.copyOf(rate, 2 * size);
      utility = Arrays.copyOf(utility, 2 * size);
    }
    Profile profile = offers.profile(group, way);
    path[size] = way;
    step[size] = profile.hullStep(corner);
    rate[size] = profile.hullRate(corner);
    utility[size++] = profile.hullUtility(corner) + nudge(group, way, corner);
  }

  /**
   * A little more or less utility, so that of equal choices one is best and the optimum has few
   * fractions. Bounds are computed without it.
   */
  private static double nudge(int group, int path, int corner) {
    return MOST_NUDGE * (PriceProgram.mixed(group * 1_000_003L + path * 1_009L + corner) * 0x1p-53);
  }
}
