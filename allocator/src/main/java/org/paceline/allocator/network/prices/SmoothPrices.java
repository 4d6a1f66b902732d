package org.paceline.allocator.network.prices;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The prices at which a {@link SmoothProgram} is least, by Newton's method with a line search; a
 * small logarithmic barrier keeps every link's price above zero.
 *
 * <p>A step: a few evaluations, one curvature and links^3 / 6.
 */
final class SmoothPrices {
  /** Of links, for a limit of one at a typical price. */
  private static final double LINK_WEIGHT = 0.005;

  private static final int MOST_TRIES = 12;
  private static final double SHORTER = 0.4;

  /** So small against the diagonal that it matters only where nobody is undecided. */
  private static final double RIDGE = 1e-9;

  private final SmoothProgram program;
  private final double mu;
  private final double[] weight;
  private double length = 1;

  /** What the last step would have brought, were the curvature the same everywhere. */
  private double promised;

  SmoothPrices(SmoothProgram program, double typical, double mu) {
    this.program = program;
    this.mu = mu;
    this.weight = new double[program.links];
    Arrays.setAll(weight, e -> mu * LINK_WEIGHT * typical * limit(e));
  }

  private double limit(int link) {
    return Math.max(1e-3, program.limits[link]);
  }

  /**
   * At most so many Newton steps.
   *
   * @param rest of the value, what the last step is to bring at most
   */
  SmoothProgram.Point minimise(double[] start, int steps, double rest, BooleanSupplier stop) {
    double[] prices = start.clone();
    for (int e = 0; e < prices.length; e++) {
      prices[e] = Math.max(prices[e], weight[e] / limit(e));
    }
    SmoothProgram.Point point = program.at(prices, mu);
    promised = Double.POSITIVE_INFINITY;
    for (int i = 0; i < steps && promised > rest * Math.abs(point.value); i++) {
      SmoothProgram.Point next = stop.getAsBoolean() ? point : step(point, stop);
      if (value(next) >= value(point)) {
        break;
      }
      point = next;
    }
    return point;
  }

  /** The smooth bound with the barrier. */
  private double value(SmoothProgram.Point point) {
    double value = point.value;
    for (int e = 0; e < weight.length; e++) {
      value -= weight[e] * Math.log(point.prices[e]);
    }
    return value;
  }

  /** From where the programme was evaluated last, and evaluated again; may bring nothing. */
  private SmoothProgram.Point step(SmoothProgram.Point point, BooleanSupplier stop) {
    double[] gradient = new double[weight.length];
    double[] right = new double[weight.length];
    double[] direction = new double[weight.length];
    double[][] matrix = program.curvature();
    for (int e = 0; e < weight.length; e++) {
      double barrier = weight[e] / point.prices[e];
      gradient[e] = program.limits[e] - point.load[e] - barrier;
      right[e] = -gradient[e];
      matrix[e][e] = (matrix[e][e] + barrier / point.prices[e]) * (1 + RIDGE);
    }
    Optional<Cholesky> factor = Cholesky.of(matrix, stop);
    if (factor.isEmpty()) {
      return point;
    }
    factor.get().solve(right, direction);
    promised = 0;
    for (int e = 0; e < weight.length; e++) {
      promised += right[e] * direction[e] / 2;
    }
    double before = value(point);
    SmoothProgram.Point next = point;
    // What the last step could not go this one hardly can.
    length = Math.min(1, length / SHORTER);
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      double[] prices = new double[weight.length];
      double slope = 0;
      for (int e = 0; e < prices.length; e++) {
        prices[e] = Math.max(point.prices[e] + length * direction[e], 0.05 * point.prices[e]);
        slope += gradient[e] * (prices[e] - point.prices[e]);
      }
      next = program.at(prices, mu);
      if (slope < 0 && value(next) <= before + 0.1 * slope) {
        break;
      }
      length *= SHORTER;
    }
    return next;
  }
}
