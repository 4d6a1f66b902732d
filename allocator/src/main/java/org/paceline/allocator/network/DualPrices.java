package org.paceline.allocator.network;

import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * Link prices lambda that make the bound sum_e lambda_e C_e + sum_g n_g max (u - w lambda(path))
 * small.
 *
 * <p>The bound is convex but has kinks. It is blurred (paths by a soft maximum, steps by ramps) and
 * minimised by a projected Newton method over lambda from 0; then the blur is narrowed. However
 * rough the prices, the bound that is computed from them without blur holds, so that nothing here
 * needs proof. One Newton step: O(groups x paths + links^3 / 6).
 */
final class DualPrices {
  private final Offers offers;
  private final BooleanSupplier stop;
  private final int links;
  private final double[] limits;
  private final double typical;

  DualPrices(Offers offers, BooleanSupplier stop) {
    this.offers = offers;
    this.stop = stop;
    this.links = offers.ways().topology().links();
    this.limits = new double[links];
    for (int e = 0; e < links; e++) {
      limits[e] = offers.ways().topology().limit(e) / Profile.SCALE;
    }
    this.typical = offers.typicalSlope();
  }

  /** At most so many Newton steps at one width of blur. */
  double[] minimise(double[] start, double softness, double blur, int steps) {
    double[] prices = start.clone();
    BlurredBound here = new BlurredBound(offers, softness, blur);
    double value = here.at(prices, limits, true);
    double ridge = 1e-6;
    boolean stale = false;
    for (int i = 0; i < steps && !stop.getAsBoolean(); i++) {
      if (stale) {
        here.at(prices, limits, true);
        stale = false;
      }
      double[] direction = direction(prices, here, ridge);
      double slope = 0;
      double before = value;
      double[] gradient = here.gradient();
      boolean moved = false;
      double length = 1;
      for (int tries = 0; tries < 6 && !moved; tries++, length *= 0.35) {
        double[] next = new double[links];
        slope = 0;
        for (int e = 0; e < links; e++) {
          next[e] = Math.max(0, prices[e] + length * direction[e]);
          slope += gradient[e] * (next[e] - prices[e]);
        }
        if (slope > -1e-9 * Math.abs(value)) {
          break;
        }
        BlurredBound there = new BlurredBound(offers, softness, blur);
        double nextValue = there.at(next, limits, false);
        if (nextValue <= value + 1e-3 * slope) {
          moved = true;
          here = there;
          stale = true;
          prices = next;
          value = nextValue;
        }
      }
      ridge = moved ? Math.max(1e-7, length > 0.3 ? ridge * 0.3 : ridge) : ridge * 30;
      boolean settled = moved && before - value < softness * 1e-4 * Math.abs(value);
      if (settled || slope > -1e-8 * Math.abs(value) || ridge > 1e3) {
        break;
      }
    }
    return prices;
  }

  /** Solves (H + ridge) d = -gradient over the links that are priced or overloaded. */
  private double[] direction(double[] prices, BlurredBound bound, double ridge) {
    double[] gradient = bound.gradient();
    int[] free = new int[links];
    int size = 0;
    for (int e = 0; e < links; e++) {
      if (prices[e] > 1e-12 || gradient[e] < 0) {
        free[size++] = e;
      }
    }
    double[][] matrix = new double[size][size];
    double[] right = new double[size];
    double trace = 1e-12;
    for (double slope : gradient) {
      trace = Math.max(trace, Math.abs(slope) / (1e3 * typical));
    }
    for (int i = 0; i < size; i++) {
      for (int j = 0; j <= i; j++) {
        matrix[i][j] = bound.curvature(free[i], free[j]);
      }
      trace = Math.max(trace, matrix[i][i]);
      right[i] = -gradient[free[i]];
    }
    for (int i = 0; i < size; i++) {
      // A link on which nothing moves at this blur takes the step of a typical one.
      matrix[i][i] += ridge * trace + 1e-3 * matrix[i][i] + (matrix[i][i] == 0 ? 0.05 * trace : 0);
    }
    double[] solved = Cholesky.solve(matrix, right);
    double[] direction = new double[links];
    for (int i = 0; i < size; i++) {
      double most = Math.max(typical, 2 * prices[free[i]]);
      direction[free[i]] = Math.max(-most, Math.min(most, solved[i]));
    }
    return direction;
  }

  /** The bound over the known paths, without blur. */
  double exact(double[] prices) {
    double sum = 0;
    for (int e = 0; e < links; e++) {
      sum += prices[e] * limits[e];
    }
    Demands demands = offers.demands();
    double[] pathPrices = new double[8];
    for (int p = 0; p < demands.pairs(); p++) {
      pathPrices = pathPrices(p, prices, pathPrices);
      for (int g : demands.pair(p).groups) {
        double best = Double.NEGATIVE_INFINITY;
        for (int j = 0; j < offers.ways().count(p); j++) {
          if (offers.open(g, j)) {
            best = Math.max(best, offers.profile(g, j).worth(pathPrices[j]));
          }
        }
        sum += demands.group(g).count * best;
      }
    }
    return sum;
  }

  private double[] pathPrices(int pair, double[] prices, double[] reuse) {
    int count = offers.ways().count(pair);
    double[] sums = reuse.length < count ? new double[count] : reuse;
    Arrays.fill(sums, 0);
    for (int j = 0; j < count; j++) {
      for (int e : offers.ways().path(pair, j)) {
        sums[j] += prices[e];
      }
    }
    return sums;
  }
}
