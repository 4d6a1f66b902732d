package org.paceline.allocator.network.prices;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The prices on the central path of a {@link PriceProgram}: they minimise its bound with a
 * logarithmic barrier of weight mu in front of every column and every link, a smooth and strictly
 * convex function of the link prices alone, by Newton's method.
 *
 * <p>A step: O(columns + pairs x (path lengths)^2 + links^3 / 6).
 */
final class CentralPrices {
  /** Of links, against that of columns, for a limit of one at a typical price. */
  private static final double LINK_WEIGHT = 0.1;

  private static final double AT_REST = 0.01;
  private static final int MOST_TRIES = 12;

  /** Of a link's limit, what more may be on it where the loads matter and not only the prices. */
  private static final double LITTLE_OVER = 5e-4;

  private final PriceProgram program;
  private final double mu;
  private final double[] linkWeight;
  private final double[] z;
  private final LinkSums sums;
  private final double[] values;
  private final double[] bounds;
  private double[] load = new double[0];
  private double value;
  private double bound;
  private boolean centred;

  CentralPrices(PriceProgram program, double typical, double mu) {
    this.program = program;
    this.mu = mu;
    this.z = new double[program.columns()];
    this.sums = new LinkSums(program.links, program.parts());
    this.values = new double[program.parts()];
    this.bounds = new double[program.parts()];
    this.linkWeight = linkWeights(program, typical);
  }

  private static double[] linkWeights(PriceProgram program, double typical) {
    double[] weights = new double[program.links];
    for (int e = 0; e < weights.length; e++) {
      weights[e] = LINK_WEIGHT * typical * Math.max(1e-3, program.limits[e]);
    }
    return weights;
  }

  /** The bound without barrier over the programme's columns. */
  double bound() {
    return bound;
  }

  /** Whether Newton's method came to rest. */
  boolean centred() {
    return centred;
  }

  /** How far the central point is from the optimum. */
  double gap() {
    double weights = Arrays.stream(linkWeight).sum();
    for (int g = 0; g < program.groups; g++) {
      weights += program.count[g] * (program.firstColumn[g + 1] - program.firstColumn[g]);
    }
    return mu * weights;
  }

  /** By column, what the centre gives it. */
  double[] copies() {
    double[] copies = new double[z.length];
    for (int g = 0; g < program.groups; g++) {
      for (int c = program.firstColumn[g]; c < program.firstColumn[g + 1]; c++) {
        copies[c] = program.count[g] * mu / z[c];
      }
    }
    return copies;
  }

  /** At most so many Newton steps. */
  double[] minimise(double[] start, int steps, BooleanSupplier stop) {
    double[] prices = begin(start);
    for (int i = 0; i < steps && !centred && !stop.getAsBoolean(); i++) {
      prices = step(prices, stop);
    }
    return prices;
  }

  /**
   * Goes on until hardly any link carries too much, as none does in the centre: what is over on a
   * cheap link makes no difference to the bound, but much to whoever must find room for it.
   */
  void settle(double[] start, int steps, BooleanSupplier stop) {
    double[] prices = begin(start);
    for (int i = 0; i < steps && !nearlyFits() && !stop.getAsBoolean(); i++) {
      prices = step(prices, stop);
    }
  }

  private boolean nearlyFits() {
    for (int e = 0; e < program.links; e++) {
      if (load[e] > program.limits[e] * (1 + LITTLE_OVER)) {
        return false;
      }
    }
    return true;
  }

  private double[] begin(double[] start) {
    double[] prices = start.clone();
    for (int e = 0; e < prices.length; e++) {
      prices[e] = Math.max(prices[e], mu * linkWeight[e] / Math.max(1e-3, program.limits[e]));
    }
    evaluate(prices);
    return prices;
  }

  private double[] step(double[] prices, BooleanSupplier stop) {
    double[] gradient = new double[program.links];
    double[] right = new double[program.links];
    double[] direction = new double[program.links];
    double[][] matrix = assembled();
    for (int e = 0; e < program.links; e++) {
      double barrier = mu * linkWeight[e] / prices[e];
      gradient[e] = program.limits[e] - load[e] - barrier;
      right[e] = -gradient[e];
      matrix[e][e] += barrier / prices[e];
    }
    Optional<Cholesky> factor = Cholesky.of(matrix, stop);
    if (factor.isEmpty()) {
      return prices;
    }
    factor.get().solve(right, direction);
    double before = value;
    double slope = 0;
    double length = 1;
    double[] next = new double[program.links];
    for (int tries = 0; tries < MOST_TRIES; tries++) {
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
    centred = -slope < AT_REST * gap();
    return next;
  }

  /** The barrier's value, with copies and loads. */
  private void evaluate(double[] prices) {
    program.forParts(
        part -> {
          double[] onLinks = sums.vector(part);
          values[part] = 0;
          bounds[part] = 0;
          for (int p = program.firstPair(part); p < program.firstPair(part + 1); p++) {
            double[] cost = program.paths.prices(p, prices);
            double[] onPath = new double[cost.length];
            for (int g = program.firstGroup[p]; g < program.firstGroup[p + 1]; g++) {
              group(g, cost, onPath, part);
            }
            program.paths.load(p, onPath, onLinks);
          }
        });
    load = sums.vector();
    value = Arrays.stream(values).sum();
    bound = Arrays.stream(bounds).sum();
    for (int e = 0; e < program.links; e++) {
      bound += prices[e] * program.limits[e];
      value += prices[e] * program.limits[e] - mu * linkWeight[e] * Math.log(prices[e]);
    }
  }

  private void group(int g, double[] cost, double[] onPath, int part) {
    int first = program.firstColumn[g];
    int end = program.firstColumn[g + 1];
    double top = Double.NEGATIVE_INFINITY;
    for (int c = first; c < end; c++) {
      z[c] = program.utility[c] - program.rate[c] * cost[program.path[c]];
      top = Math.max(top, z[c]);
    }
    double v = centre(z, first, end, top, mu);
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
    values[part] += count * (v - mu * logarithms);
    bounds[part] += count * top;
  }

  /** The v above all worths at which the shares mu / (v - worth) add up to 1. */
  private static double centre(double[] worth, int first, int end, double top, double mu) {
    double v = top + mu;
    for (int i = 0; i < 50; i++) {
      double sum = 0;
      double slope = 0;
      for (int c = first; c < end; c++) {
        double share = mu / (v - worth[c]);
        sum += share;
        slope += share * share;
      }
      // Newton's method on 1 / sum, which is nearly a straight line.
      double step = (sum - 1) * sum * mu / slope;
      v += step;
      if (step <= 1e-10 * mu) {
        break;
      }
    }
    return v;
  }

  private double[][] assembled() {
    program.forParts(
        part -> {
          double[][] matrix = sums.matrix(part);
          for (int p = program.firstPair(part); p < program.firstPair(part + 1); p++) {
            program.paths.scatter(p, bends(p), 0, matrix);
          }
        });
    return sums.matrix();
  }

  private double[] bends(int pair) {
    int paths = program.paths.paths(pair);
    double[] bends = new double[paths * paths];
    double[] own = new double[paths];
    for (int g = program.firstGroup[pair]; g < program.firstGroup[pair + 1]; g++) {
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
    return bends;
  }
}
