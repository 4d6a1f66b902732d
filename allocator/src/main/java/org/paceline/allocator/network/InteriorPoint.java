package org.paceline.allocator.network;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Solves a {@link PriceProgram} by a primal-dual interior-point method with Mehrotra's
 * predictor-corrector steps (SIAM J. Optim. 2, 1992).
 *
 * <p>Each group's row has only its own columns, so that it is eliminated by hand and one dense
 * links-by-links system is left for both halves of a step. Start and steps keep the duals and the
 * groups' rows feasible; only the links' rows are not to begin with. A step: O(columns + pairs x
 * (path lengths)^2 + links^3 / 6).
 */
final class InteriorPoint {
  private static final double BACK_OFF = 0.99;
  private static final double STUCK = 1e-6;
  private static final int MOST_STEPS = 60;

  private final PriceProgram program;
  private final BooleanSupplier stop;
  private final LinkSums sums;
  private final double[] linkWeight;
  private final double weights;

  /** Copies by column, with the slack of its dual; the same for the limits of links. */
  private final double[] x;

  private final double[] z;
  private final double[] slack;
  private final double[] prices;

  /** By group the sum of x / z. */
  private final double[] weight;

  private final double[] dx;
  private final double[] dz;
  private final double[] dSlack;
  private final double[] dPrices;
  private final double[] tops;
  private double mu;
  private double[] best;
  private double bound = Double.POSITIVE_INFINITY;

  /** Starts at the centre that belongs to these prices and to mu. */
  InteriorPoint(
      PriceProgram program, double[] start, double typical, double mu, BooleanSupplier stop) {
    this.program = program;
    this.stop = stop;
    this.mu = mu;
    this.sums = new LinkSums(program);
    int columns = program.columns();
    this.x = new double[columns];
    this.z = new double[columns];
    this.dx = new double[columns];
    this.dz = new double[columns];
    this.weight = new double[program.groups];
    this.slack = new double[program.links];
    this.dSlack = new double[program.links];
    this.dPrices = new double[program.links];
    this.tops = new double[program.parts()];
    this.prices = start.clone();
    this.best = start.clone();
    this.linkWeight = CentralPrices.linkWeights(program, typical);
    double total = 0;
    for (int e = 0; e < program.links; e++) {
      total += linkWeight[e];
      prices[e] = Math.max(start[e], mu * linkWeight[e] / Math.max(1e-3, program.limits[e]));
    }
    for (int g = 0; g < program.groups; g++) {
      total += program.count[g] * (program.firstColumn[g + 1] - program.firstColumn[g]);
    }
    this.weights = total;
    centre();
  }

  private void centre() {
    program.forParts(
        part -> {
          double[] load = sums.vector(part);
          for (int p = program.firstPair(part); p < program.firstPair(part + 1); p++) {
            double[] cost = program.pathPrices(p, prices);
            double[] onPath = new double[cost.length];
            for (int g = program.firstGroup[p]; g < program.firstGroup[p + 1]; g++) {
              centre(g, cost, onPath);
            }
            program.load(p, onPath, load);
          }
        });
    double[] load = sums.vector();
    for (int e = 0; e < program.links; e++) {
      slack[e] = Math.max(program.limits[e] - load[e], mu * linkWeight[e] / prices[e]);
    }
  }

  private void centre(int g, double[] cost, double[] onPath) {
    double top = Double.NEGATIVE_INFINITY;
    for (int c = program.firstColumn[g]; c < program.firstColumn[g + 1]; c++) {
      z[c] = program.utility[c] - program.rate[c] * cost[program.path[c]];
      top = Math.max(top, z[c]);
    }
    int end = program.firstColumn[g + 1];
    double v = CentralPrices.centre(z, program.firstColumn[g], end, top, mu);
    for (int c = program.firstColumn[g]; c < program.firstColumn[g + 1]; c++) {
      z[c] = v - z[c];
      x[c] = mu * program.count[g] / z[c];
      onPath[program.path[c]] += program.rate[c] * x[c];
    }
  }

  /** The prices with the least bound. */
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

  /** Copies by column. */
  double[] copies() {
    return x;
  }

  /** Until the gap is at most this, or nothing moves any more. */
  void run(double gap) {
    for (int i = 0; i < MOST_STEPS && !stop.getAsBoolean(); i++) {
      if (!step() || gap() <= gap) {
        return;
      }
    }
  }

  private boolean step() {
    int links = program.links;
    double[][] matrix = assembled();
    double[] load = sums.vector();
    double[] residual = new double[links];
    double[] right = new double[links];
    for (int e = 0; e < links; e++) {
      residual[e] = program.limits[e] - load[e] - slack[e];
      matrix[e][e] += slack[e] / prices[e];
    }
    Cholesky factor = Cholesky.of(matrix);
    // Predictor: straight at the optimum.
    Arrays.fill(dx, 0);
    Arrays.fill(dz, 0);
    double[] onLinks = right(0);
    for (int e = 0; e < links; e++) {
      right[e] = onLinks[e] - slack[e] - residual[e];
    }
    factor.solve(right, dPrices);
    direction(0);
    for (int e = 0; e < links; e++) {
      dSlack[e] = -slack[e] - slack[e] / prices[e] * dPrices[e];
    }
    double target = target(longest(x, dx, slack, dSlack), longest(z, dz, prices, dPrices));
    // Corrector: to the centre, with the predictor's second-order error taken off.
    onLinks = right(target);
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
    double primal = BACK_OFF * longest(x, dx, slack, dSlack);
    double dual = BACK_OFF * longest(z, dz, prices, dPrices);
    move(primal, dual);
    return primal > STUCK || dual > STUCK;
  }

  /** Where to aim, by how far the predictor could go. */
  private double target(double primal, double dual) {
    double now = 0;
    double ahead = 0;
    for (int e = 0; e < slack.length; e++) {
      now += slack[e] * prices[e];
      ahead += (slack[e] + primal * dSlack[e]) * (prices[e] + dual * dPrices[e]);
    }
    now += overParts(part -> products(part, 0, 0));
    ahead += overParts(part -> products(part, primal, dual));
    mu = now / weights;
    double ratio = ahead / now;
    return mu * ratio * ratio * ratio;
  }

  private double products(int part, double primal, double dual) {
    double sum = 0;
    for (int c = firstColumn(part); c < firstColumn(part + 1); c++) {
      sum += (x[c] + primal * dx[c]) * (z[c] + dual * dz[c]);
    }
    return sum;
  }

  private int firstColumn(int part) {
    return program.firstColumn[program.firstGroup[program.firstPair(part)]];
  }

  private double overParts(IntToDoubleFunction sum) {
    program.forParts(part -> tops[part] = sum.applyAsDouble(part));
    return IntStream.range(0, tops.length).mapToDouble(part -> tops[part]).sum();
  }

  /** Sums over the columns: the Schur complement of the groups' rows, and the load of links. */
  private double[][] assembled() {
    program.forParts(
        part -> {
          double[][] matrix = sums.matrix(part);
          double[] load = sums.vector(part);
          for (int p = program.firstPair(part); p < program.firstPair(part + 1); p++) {
            double[] onPath = new double[program.hops[p].length];
            program.scatter(p, bends(p, onPath), matrix);
            program.load(p, onPath, load);
          }
        });
    return sums.matrix();
  }

  private double[] bends(int pair, double[] onPath) {
    int paths = onPath.length;
    double[] bends = new double[paths * paths];
    double[] own = new double[paths];
    for (int g = program.firstGroup[pair]; g < program.firstGroup[pair + 1]; g++) {
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
    return bends;
  }

  /** What the columns add to the right side, where x z is to become target - dx dz. */
  private double[] right(double target) {
    program.forParts(
        part -> {
          double[] onLinks = sums.vector(part);
          for (int p = program.firstPair(part); p < program.firstPair(part + 1); p++) {
            double[] onPath = new double[program.hops[p].length];
            double[] own = new double[onPath.length];
            for (int g = program.firstGroup[p]; g < program.firstGroup[p + 1]; g++) {
              double sum = 0;
              Arrays.fill(own, 0);
              for (int c = program.firstColumn[g]; c < program.firstColumn[g + 1]; c++) {
                double goal = goal(g, c, target);
                sum += goal;
                int j = program.path[c];
                own[j] += program.rate[c] * x[c] / z[c];
                onPath[j] += program.rate[c] * goal;
              }
              for (int j = 0; j < own.length; j++) {
                onPath[j] -= own[j] * sum / weight[g];
              }
            }
            program.load(p, onPath, onLinks);
          }
        });
    return sums.vector();
  }

  private double goal(int group, int column, double target) {
    return (target * program.count[group] - dx[column] * dz[column]) / z[column] - x[column];
  }

  private void direction(double target) {
    program.forParts(
        part -> {
          for (int p = program.firstPair(part); p < program.firstPair(part + 1); p++) {
            double[] cost = program.pathPrices(p, dPrices);
            for (int g = program.firstGroup[p]; g < program.firstGroup[p + 1]; g++) {
              direction(g, cost, target);
            }
          }
        });
  }

  private void direction(int g, double[] cost, double target) {
    double sum = 0;
    for (int c = program.firstColumn[g]; c < program.firstColumn[g + 1]; c++) {
      double goal = goal(g, c, target);
      dx[c] = goal;
      sum += goal - x[c] / z[c] * program.rate[c] * cost[program.path[c]];
    }
    double dv = sum / weight[g];
    for (int c = program.firstColumn[g]; c < program.firstColumn[g + 1]; c++) {
      dz[c] = dv + program.rate[c] * cost[program.path[c]];
      dx[c] -= x[c] / z[c] * dz[c];
    }
  }

  /** How far, at most 1, until something is no longer positive. */
  private double longest(double[] at, double[] direction, double[] also, double[] alsoDirection) {
    program.forParts(
        part -> tops[part] = longest(at, direction, firstColumn(part), firstColumn(part + 1)));
    return Math.min(
        Arrays.stream(tops).min().orElse(1), longest(also, alsoDirection, 0, also.length));
  }

  private static double longest(double[] at, double[] direction, int from, int to) {
    double longest = 1;
    for (int i = from; i < to; i++) {
      if (at[i] + longest * direction[i] < 0) {
        longest = -at[i] / direction[i];
      }
    }
    return longest;
  }

  private void move(double primal, double dual) {
    for (int e = 0; e < slack.length; e++) {
      slack[e] += primal * dSlack[e];
      prices[e] += dual * dPrices[e];
    }
    double here = overParts(part -> move(part, primal, dual));
    for (int e = 0; e < slack.length; e++) {
      here += prices[e] * program.limits[e];
    }
    if (here < bound) {
      bound = here;
      best = prices.clone();
    }
  }

  /** What the part's groups add to the bound where they then are. */
  private double move(int part, double primal, double dual) {
    double sum = 0;
    for (int p = program.firstPair(part); p < program.firstPair(part + 1); p++) {
      double[] cost = program.pathPrices(p, prices);
      for (int g = program.firstGroup[p]; g < program.firstGroup[p + 1]; g++) {
        double top = Double.NEGATIVE_INFINITY;
        for (int c = program.firstColumn[g]; c < program.firstColumn[g + 1]; c++) {
          x[c] += primal * dx[c];
          z[c] += dual * dz[c];
          top = Math.max(top, program.utility[c] - program.rate[c] * cost[program.path[c]]);
        }
        sum += program.count[g] * top;
      }
    }
    return sum;
  }
}
