package org.paceline.allocator.network;

import java.util.Arrays;

/** The blurred bound at one point: its value, gradient and curvature. */
final class BlurredBound {
  private final Offers offers;
  private final double softness;
  private final double blur;
  private double[] gradient = new double[0];
  private double[] curvature = new double[0];
  private int links;

  BlurredBound(Offers offers, double softness, double blur) {
    this.offers = offers;
    this.softness = softness;
    this.blur = blur;
  }

  double[] gradient() {
    return gradient;
  }

  double curvature(int link, int other) {
    return curvature[link * links + other];
  }

  double at(double[] prices, double[] limits, boolean withCurvature) {
    links = prices.length;
    gradient = limits.clone();
    curvature = withCurvature ? new double[links * links] : new double[0];
    double value = 0;
    for (int e = 0; e < links; e++) {
      value += prices[e] * limits[e];
    }
    Demands demands = offers.demands();
    Ways ways = offers.ways();
    double[] out = new double[3];
    for (int p = 0; p < demands.pairs(); p++) {
      int paths = ways.count(p);
      double[] price = new double[paths];
      for (int j = 0; j < paths; j++) {
        for (int e : ways.path(p, j)) {
          price[j] += prices[e];
        }
      }
      double[] worth = new double[paths];
      double[] rate = new double[paths];
      double[] falls = new double[paths];
      double[] load = new double[paths];
      double[] share = new double[paths];
      double[] bends = new double[paths * paths];
      for (int g : demands.pair(p).groups) {
        double best = Double.NEGATIVE_INFINITY;
        for (int j = 0; j < paths; j++) {
          if (offers.open(g, j)) {
            offers.profile(g, j).blurred(price[j], blur, out);
            worth[j] = out[0];
            rate[j] = out[1];
            falls[j] = out[2];
            best = Math.max(best, out[0]);
          } else {
            worth[j] = Double.NEGATIVE_INFINITY;
          }
        }
        double total = 0;
        for (int j = 0; j < paths; j++) {
          double exponent = (worth[j] - best) / softness;
          share[j] = exponent < -25 ? 0 : Math.exp(exponent);
          total += share[j];
        }
        long count = demands.group(g).count;
        value += count * (best + softness * Math.log(total));
        for (int j = 0; j < paths; j++) {
          share[j] /= total;
          load[j] += count * share[j] * rate[j];
        }
        for (int j = 0; withCurvature && j < paths; j++) {
          if (share[j] == 0) {
            continue;
          }
          double moving = count * share[j] * rate[j] / softness;
          bends[j * paths + j] += count * share[j] * falls[j] + moving * rate[j];
          for (int k = 0; k < paths; k++) {
            bends[j * paths + k] -= moving * share[k] * rate[k];
          }
        }
      }
      for (int j = 0; j < paths; j++) {
        for (int e : ways.path(p, j)) {
          gradient[e] -= load[j];
        }
        for (int k = 0; withCurvature && k < paths; k++) {
          double bend = bends[j * paths + k];
          if (bend != 0) {
            scatter(ways.path(p, j), ways.path(p, k), bend);
          }
        }
      }
      Arrays.fill(bends, 0);
    }
    return value;
  }

  private void scatter(int[] path, int[] other, double bend) {
    for (int e : path) {
      int row = e * links;
      for (int f : other) {
        curvature[row + f] += bend;
      }
    }
  }
}
