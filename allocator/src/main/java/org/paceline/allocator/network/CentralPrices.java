package org.paceline.allocator.network;

import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * The prices on the central path of a {@link PriceProgram}: they minimise its bound with a
 * logarithmic barrier of weight mu in front of every column and every link, a smooth and strictly
 * convex function of the link prices alone, by Newton's method.
 */
final class CentralPrices {
  private static final double LINK_WEIGHT = 0.1;

  private final PriceProgram program;
  private final double mu;
  private final double[] linkWeight;
  private final double[] z;
  private final double[] load;
  private double value;
  private double bound;
  private boolean centred;

  CentralPrices(PriceProgram program, double typical, double mu) {
    this.program = program;
    this.mu = mu;
    this.z = new double[program.columns()];
    this.load = new double[program.links];
    this.linkWeight = new double[program.links];
    for (int e = 0; e < program.links; e++) {
      linkWeight[e] = LINK_WEIGHT * typical * Math.max(1e-3, program.limits[e]);
    }
  }

  double least(int link) {
    return mu * linkWeight[link] / Math.max(1e-3, program.limits[link]);
  }

  double bound() {
    return bound;
  }

  /** Whether Newton's method came to rest. */
  boolean centred() {
    return centred;
  }

  /** How far the central point is from the optimum at most. */
  double gap() {
    double weights = Arrays.stream(linkWeight).sum();
    for (int g = 0; g < program.groups; g++) {
      weights += program.count[g] * (program.firstColumn[g + 1] - program.firstColumn[g]);
    }
    return mu * weights;
  }

  /** At most so many Newton steps. */
  double[] minimise(double[] start, int steps, BooleanSupplier stop) {
    double[] prices = start.clone();
    for (int e = 0; e < prices.length; e++) {
      prices[e] = Math.max(prices[e], least(e));
    }
    evaluate(prices);
    for (int i = 0; i < steps && !stop.getAsBoolean(); i++) {
      double[] gradient = new double[program.links];
      double[] right = new double[program.links];
      double[][] matrix = new double[program.links][program.links];
      assemble(matrix);
      for (int e = 0; e < program.links; e++) {
        double barrier = mu * linkWeight[e] / prices[e];
        gradient[e] = program.limits[e] - load[e] - barrier;
        right[e] = -gradient[e];
        matrix[e][e] += barrier / prices[e];
      }
      double[] direction = Cholesky.solve(matrix, right);
      double slope = 0;
      double length = 1;
      double before = value;
      double[] next = new double[program.links];
      int tries = 0;
      for (; tries < 12; tries++) {
        slope = 0;
        for (int e = 0; e < program.links; e++) {
          next[e] = Math.max(prices[e] + length * direction[e], 0.05 * prices[e]);
          slope += gradient[e] * (next[e] - prices[e]);
        }
        evaluate(next);
        if (slope < 0 && value <= before + 0.1 * slope + 1e-12 * Math.abs(before)) {
          break;
        }
        length *= 0.4;
      }
      prices = next;
      if (-slope < 0.01 * gap()) {
        centred = true;
        break;
      }
    }
    return prices;
  }

  /** The barrier's value, with copies and loads. */
  private void evaluate(double[] prices) {
    value = 0;
    bound = 0;
    Arrays.fill(load, 0);
    for (int e = 0; e < program.links; e++) {
      bound += prices[e] * program.limits[e];
      value += prices[e] * program.limits[e] - mu * linkWeight[e] * Math.log(prices[e]);
    }
    for (int p = 0; p < program.pairs; p++) {
      double[] cost = program.pathPrices(p, prices);
      double[] onPath = new double[cost.length];
      for (int g = program.firstGroup[p]; g < program.firstGroup[p + 1]; g++) {
        group(g, cost, onPath);
      }
      for (int j = 0; j < onPath.length; j++) {
        for (int e : program.hops[p][j]) {
          load[e] += onPath[j];
        }
      }
    }
  }

  /** Finds the one v at which the copies n mu / (v - worth) add up to n. */
  private void group(int g, double[] cost, double[] onPath) {
    int first = program.firstColumn[g];
    int end = program.firstColumn[g + 1];
    double top = Double.NEGATIVE_INFINITY;
    for (int c = first; c < end; c++) {
      z[c] = program.utility[c] - program.rate[c] * cost[program.path[c]];
      top = Math.max(top, z[c]);
    }
    // Below the root, from where Newton's steps on a convex function never overshoot.
    double v = top + mu;
    for (int i = 0; i < 50; i++) {
      double sum = 0;
      double slope = 0;
      for (int c = first; c < end; c++) {
        double share = mu / (v - z[c]);
        sum += share;
        slope += share * share;
      }
      // Newton on 1 / sum, which is nearly a straight line.
      double step = (sum - 1) * sum * mu / slope;
      v += step;
      if (step <= 1e-9 * mu) {
        break;
      }
    }
    double logarithms = 0;
    double product = 1;
    double count = program.count[g];
    for (int c = first; c < end; c++) {
      z[c] = v - z[c];
      product *= z[c];
      if (product < 1e-200 || product > 1e200) {
        logarithms += Math.log(product);
        product = 1;
      }
      onPath[program.path[c]] += program.rate[c] * count * mu / z[c];
    }
    logarithms += Math.log(product);
    value += count * (v - mu * logarithms);
    bound += count * top;
  }

  private void assemble(double[][] matrix) {
    for (int p = 0; p < program.pairs; p++) {
      int paths = program.hops[p].length;
      double[] bends = new double[paths * paths];
      double[] own = new double[paths];
      for (int g = program.firstGroup[p]; g < program.firstGroup[p + 1]; g++) {
        double total = 0;
        Arrays.fill(own, 0);
        for (int c = program.firstColumn[g]; c < program.firstColumn[g + 1]; c++) {
          int j = program.path[c];
          double ratio = program.count[g] * mu / (z[c] * z[c]);
          total += ratio;
          double moved = ratio * program.rate[c];
          own[j] += moved;
          bends[j * paths + j] += moved * program.rate[c];
        }
        for (int j = 0; j < paths; j++) {
          double share = own[j] / total;
          for (int k = 0; k <= j; k++) {
            bends[j * paths + k] -= share * own[k];
          }
        }
      }
      for (int j = 0; j < paths; j++) {
        for (int k = 0; k <= j; k++) {
          double bend = bends[j * paths + k];
          if (bend != 0) {
            scatter(matrix, program.hops[p][j], program.hops[p][k], bend, j == k);
          }
        }
      }
    }
  }

  private static void scatter(
      double[][] matrix, int[] path, int[] other, double bend, boolean same) {
    for (int e : path) {
      for (int f : other) {
        matrix[e][f] += bend;
        if (!same) {
          matrix[f][e] += bend;
        }
      }
    }
  }
}
