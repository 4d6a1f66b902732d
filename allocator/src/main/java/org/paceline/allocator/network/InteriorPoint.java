package org.paceline.allocator.network;

import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * Solves a {@link PriceProgram} by a primal-dual interior-point method with Mehrotra's
 * predictor-corrector steps (SIAM J. Optim. 2, 1992).
 *
 * <p>Each group's row has only its own columns, so that it is eliminated by hand and one dense
 * links-by-links system is left for both steps of an iteration. Start and iteration keep the duals
 * and the groups' rows feasible; only the links' rows are not to begin with. An iteration:
 * O(columns + pairs x (path lengths)^2 + links^3 / 6).
 */
final class InteriorPoint {
  private static final double LINK_WEIGHT = 0.1;
  private static final double BACK_OFF = 0.9995;
  private static final int MOST_ROUNDS = 60;

  private final PriceProgram program;
  private final BooleanSupplier stop;
  private final double[] x;
  private final double[] z;
  private final double[] dx;
  private final double[] dz;
  private final double[] v;
  private final double[] weight;
  private final double[] prices;
  private final double[] slack;
  private final double[] dPrices;
  private final double[] dSlack;
  private final double[] dv;
  private final double[] linkWeight;
  private final double weights;
  private double mu;
  private double[] best;
  private double bound = Double.POSITIVE_INFINITY;

  /** Starts at the centre that belongs to these prices and to mu. */
  InteriorPoint(
      PriceProgram program, double[] start, double typical, double mu, BooleanSupplier stop) {
    this.program = program;
    this.stop = stop;
    int columns = program.columns();
    this.x = new double[columns];
    this.z = new double[columns];
    this.dx = new double[columns];
    this.dz = new double[columns];
    this.v = new double[program.groups];
    this.dv = new double[program.groups];
    this.weight = new double[program.groups];
    this.prices = new double[program.links];
    this.slack = new double[program.links];
    this.dPrices = new double[program.links];
    this.dSlack = new double[program.links];
    this.mu = mu;
    this.linkWeight = new double[program.links];
    double total = 0;
    for (int e = 0; e < program.links; e++) {
      linkWeight[e] = LINK_WEIGHT * typical * Math.max(1e-3, program.limits[e]);
      total += linkWeight[e];
      prices[e] = Math.max(start[e], mu * LINK_WEIGHT * typical);
    }
    for (int g = 0; g < program.groups; g++) {
      total += program.count[g] * (program.firstColumn[g + 1] - program.firstColumn[g]);
    }
    this.weights = total;
    this.best = prices.clone();
    centre();
  }

  /** By group the one v at which copies mu / z add up to the count. */
  private void centre() {
    double[] load = new double[program.links];
    for (int p = 0; p < program.pairs; p++) {
      double[] cost = program.pathPrices(p, prices);
      double[] onPath = new double[cost.length];
      for (int g = program.firstGroup[p]; g < program.firstGroup[p + 1]; g++) {
        double top = Double.NEGATIVE_INFINITY;
        for (int c = program.firstColumn[g]; c < program.firstColumn[g + 1]; c++) {
          z[c] = program.utility[c] - program.rate[c] * cost[program.path[c]];
          top = Math.max(top, z[c]);
        }
        double at = top + mu;
        double each = mu * program.count[g];
        for (int i = 0; i < 50; i++) {
          double sum = -program.count[g];
          double slope = 0;
          for (int c = program.firstColumn[g]; c < program.firstColumn[g + 1]; c++) {
            double copies = each / (at - z[c]);
            sum += copies;
            slope += copies / (at - z[c]);
          }
          double step = sum / slope;
          at += step;
          if (step <= 1e-14 * Math.abs(at)) {
            break;
          }
        }
        v[g] = at;
        for (int c = program.firstColumn[g]; c < program.firstColumn[g + 1]; c++) {
          z[c] = at - z[c];
          x[c] = each / z[c];
          onPath[program.path[c]] += program.rate[c] * x[c];
        }
      }
      for (int j = 0; j < onPath.length; j++) {
        for (int e : program.hops[p][j]) {
          load[e] += onPath[j];
        }
      }
    }
    for (int e = 0; e < program.links; e++) {
      slack[e] = Math.max(program.limits[e] - load[e], mu * linkWeight[e] / prices[e]);
    }
  }

  double[] best() {
    return best;
  }

  double bound() {
    return bound;
  }

  double mu() {
    return mu;
  }

  /** How far primal and dual are apart, relative to the bound. */
  double gap() {
    return mu * weights / Math.max(1e-9, Math.abs(bound));
  }

  double[] x() {
    return x;
  }

  /** Until the gap is at most this, or nothing moves any more. */
  void run(double gap) {
    for (int i = 0; i < MOST_ROUNDS && !stop.getAsBoolean(); i++) {
      if (!step() || gap() <= gap) {
        return;
      }
    }
  }

  private boolean step() {
    int links = program.links;
    double[][] matrix = new double[links][links];
    double[] residual = new double[links];
    assemble(matrix, residual);
    double[] right = new double[links];
    for (int e = 0; e < links; e++) {
      residual[e] = program.limits[e] - residual[e] - slack[e];
      matrix[e][e] += slack[e] / prices[e];
    }
    Cholesky factor = Cholesky.of(matrix);
    // Predictor: straight at the optimum.
    Arrays.fill(dx, 0);
    Arrays.fill(dz, 0);
    double[] onLinks = new double[links];
    right(onLinks, 0);
    for (int e = 0; e < links; e++) {
      right[e] = onLinks[e] - slack[e] - residual[e];
    }
    factor.solve(right, dPrices);
    direction(0);
    for (int e = 0; e < links; e++) {
      dSlack[e] = -slack[e] - slack[e] / prices[e] * dPrices[e];
    }
    double primal = primalStep();
    double dual = dualStep();
    double ahead = 0;
    double now = 0;
    for (int c = 0; c < x.length; c++) {
      now += x[c] * z[c];
      ahead += (x[c] + primal * dx[c]) * (z[c] + dual * dz[c]);
    }
    for (int e = 0; e < links; e++) {
      now += slack[e] * prices[e];
      ahead += (slack[e] + primal * dSlack[e]) * (prices[e] + dual * dPrices[e]);
    }
    mu = now / weights;
    double ratio = ahead / now;
    double target = mu * ratio * ratio * ratio;
    // Corrector: to the centre, with the predictor's second-order error taken off.
    onLinks = new double[links];
    right(onLinks, target);
    double[] onSlack = new double[links];
    for (int e = 0; e < links; e++) {
      onSlack[e] = target * linkWeight[e] - slack[e] * prices[e] - dSlack[e] * dPrices[e];
      right[e] = onLinks[e] + onSlack[e] / prices[e] - residual[e];
    }
    factor.solve(right, dPrices);
    direction(target);
    for (int e = 0; e < links; e++) {
      dSlack[e] = (onSlack[e] - slack[e] * dPrices[e]) / prices[e];
    }
    primal = Math.min(1, BACK_OFF * primalStep());
    dual = Math.min(1, BACK_OFF * dualStep());
    move(primal, dual);
    double here = program.bound(prices);
    if (here < bound) {
      bound = here;
      best = prices.clone();
    }
    return primal > 1e-6 || dual > 1e-6;
  }

  /** Sums over the columns: the Schur complement of the groups' rows, and the load of links. */
  private void assemble(double[][] matrix, double[] load) {
    for (int p = 0; p < program.pairs; p++) {
      int paths = program.hops[p].length;
      double[] onPath = new double[paths];
      double[] bends = new double[paths * paths];
      double[] own = new double[paths];
      for (int g = program.firstGroup[p]; g < program.firstGroup[p + 1]; g++) {
        double total = 0;
        Arrays.fill(own, 0);
        for (int c = program.firstColumn[g]; c < program.firstColumn[g + 1]; c++) {
          int j = program.path[c];
          double ratio = x[c] / z[c];
          total += ratio;
          double moved = ratio * program.rate[c];
          own[j] += moved;
          bends[j * paths + j] += moved * program.rate[c];
          onPath[j] += x[c] * program.rate[c];
        }
        weight[g] = total;
        for (int j = 0; j < paths; j++) {
          double share = own[j] / total;
          for (int k = 0; k <= j; k++) {
            bends[j * paths + k] -= share * own[k];
          }
        }
      }
      for (int j = 0; j < paths; j++) {
        int[] path = program.hops[p][j];
        for (int e : path) {
          load[e] += onPath[j];
        }
        for (int k = 0; k <= j; k++) {
          double bend = bends[j * paths + k];
          if (bend != 0) {
            scatter(matrix, path, program.hops[p][k], bend, j == k);
          }
        }
      }
    }
  }

  private static void scatter(
      double[][] matrix, int[] path, int[] other, double bend, boolean same) {
    for (int e : path) {
      for (int f : other) {
        if (same) {
          matrix[e][f] += bend;
        } else {
          matrix[e][f] += bend;
          matrix[f][e] += bend;
        }
      }
    }
  }

  /** What the columns add to the right side, where x z is to become target - dx dz. */
  private void right(double[] onLinks, double target) {
    for (int p = 0; p < program.pairs; p++) {
      double[] onPath = new double[program.hops[p].length];
      double[] own = new double[onPath.length];
      for (int g = program.firstGroup[p]; g < program.firstGroup[p + 1]; g++) {
        double sum = 0;
        Arrays.fill(own, 0);
        for (int c = program.firstColumn[g]; c < program.firstColumn[g + 1]; c++) {
          double goal = (target * program.count[g] - dx[c] * dz[c]) / z[c] - x[c];
          sum += goal;
          int j = program.path[c];
          own[j] += program.rate[c] * x[c] / z[c];
          onPath[j] += program.rate[c] * goal;
        }
        for (int j = 0; j < own.length; j++) {
          onPath[j] -= own[j] * sum / weight[g];
        }
      }
      for (int j = 0; j < onPath.length; j++) {
        for (int e : program.hops[p][j]) {
          onLinks[e] += onPath[j];
        }
      }
    }
  }

  private void direction(double target) {
    for (int p = 0; p < program.pairs; p++) {
      double[] cost = program.pathPrices(p, dPrices);
      for (int g = program.firstGroup[p]; g < program.firstGroup[p + 1]; g++) {
        double sum = 0;
        for (int c = program.firstColumn[g]; c < program.firstColumn[g + 1]; c++) {
          double goal = (target * program.count[g] - dx[c] * dz[c]) / z[c] - x[c];
          // Kept for the second half.
          dx[c] = goal;
          sum += goal - x[c] / z[c] * program.rate[c] * cost[program.path[c]];
        }
        dv[g] = sum / weight[g];
        for (int c = program.firstColumn[g]; c < program.firstColumn[g + 1]; c++) {
          dz[c] = dv[g] + program.rate[c] * cost[program.path[c]];
          dx[c] -= x[c] / z[c] * dz[c];
        }
      }
    }
  }

  private double primalStep() {
    return Math.min(longest(x, dx), longest(slack, dSlack));
  }

  private double dualStep() {
    return Math.min(longest(z, dz), longest(prices, dPrices));
  }

  private static double longest(double[] at, double[] direction) {
    double longest = 1;
    for (int i = 0; i < at.length; i++) {
      if (at[i] + longest * direction[i] < 0) {
        longest = -at[i] / direction[i];
      }
    }
    return longest;
  }

  private void move(double primal, double dual) {
    for (int c = 0; c < x.length; c++) {
      x[c] += primal * dx[c];
      z[c] += dual * dz[c];
    }
    for (int g = 0; g < v.length; g++) {
      v[g] += dual * dv[g];
    }
    for (int e = 0; e < slack.length; e++) {
      slack[e] += primal * dSlack[e];
      prices[e] += dual * dPrices[e];
    }
  }
}
