package org.paceline.control.experience;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Isotonic regression in two dimensions: of all tables that never fall with throughput nor rise
 * with delay the one with the least weighted sum of squared distances. Each of both conditions by
 * itself is met by pooling adjacent violators (Barlow et al. 1972), both together by Dykstra's
 * alternating projections (Dykstra and Robertson 1982).
 */
final class MonotoneFit {
  private static final int MOST_ROUNDS = 2_000;

  /** Of utility: far below what anybody could tell. */
  private static final double CONVERGED = 1e-7;

  private final double[][] values;

  private MonotoneFit(double[][] values) {
    this.values = values;
  }

  /**
   * @param values T rows of throughput with D columns of delay
   * @param weights of the same shape, positive
   */
  static MonotoneFit of(double[][] values, double[][] weights) {
    double[][] fit = copy(values);
    double[][] byThroughput = new double[values.length][values[0].length];
    double[][] byDelay = new double[values.length][values[0].length];
    double moved = Double.POSITIVE_INFINITY;
    for (int round = 0; round < MOST_ROUNDS && moved > CONVERGED; round++) {
      double[][] before = copy(fit);
      fit = project(fit, byThroughput, start -> risingWithThroughput(start, weights));
      fit = project(fit, byDelay, start -> fallingWithDelay(start, weights));
      moved = distance(before, fit);
    }
    return new MonotoneFit(withoutRounding(fit));
  }

  private interface Projection {
    double[][] of(double[][] start);
  }

  /**
   * @param taken what this projection took away the last time; becomes what it takes now
   */
  private static double[][] project(double[][] from, double[][] taken, Projection projection) {
    double[][] start = copy(from);
    each(start, (t, d) -> start[t][d] += taken[t][d]);
    double[][] projected = projection.of(start);
    each(taken, (t, d) -> taken[t][d] = start[t][d] - projected[t][d]);
    return projected;
  }

  private static double[][] risingWithThroughput(double[][] start, double[][] weights) {
    double[][] fit = copy(start);
    for (int d = 0; d < start[0].length; d++) {
      int column = d;
      double[] rising =
          rising(
              Arrays.stream(start).mapToDouble(row -> row[column]).toArray(),
              Arrays.stream(weights).mapToDouble(row -> row[column]).toArray());
      IntStream.range(0, rising.length).forEach(t -> fit[t][column] = rising[t]);
    }
    return fit;
  }

  private static double[][] fallingWithDelay(double[][] start, double[][] weights) {
    double[][] fit = new double[start.length][];
    for (int t = 0; t < start.length; t++) {
      fit[t] = reversed(rising(reversed(start[t]), reversed(weights[t])));
    }
    return fit;
  }

  private static double[] reversed(double[] values) {
    return IntStream.range(0, values.length)
        .mapToDouble(i -> values[values.length - 1 - i])
        .toArray();
  }

  /** Neighbours that fall share their weighted mean, until none do. O(n). */
  private static double[] rising(double[] values, double[] weights) {
    double[] means = new double[values.length];
    double[] shared = new double[values.length];
    int[] sizes = new int[values.length];
    int blocks = 0;
    for (int i = 0; i < values.length; i++) {
      means[blocks] = values[i];
      shared[blocks] = weights[i];
      sizes[blocks] = 1;
      blocks++;
      while (blocks > 1 && means[blocks - 2] > means[blocks - 1]) {
        double weight = shared[blocks - 2] + shared[blocks - 1];
        means[blocks - 2] =
            (means[blocks - 2] * shared[blocks - 2] + means[blocks - 1] * shared[blocks - 1])
                / weight;
        shared[blocks - 2] = weight;
        sizes[blocks - 2] += sizes[blocks - 1];
        blocks--;
      }
    }
    double[] rising = new double[values.length];
    int at = 0;
    for (int block = 0; block < blocks; block++) {
      Arrays.fill(rising, at, at + sizes[block], means[block]);
      at += sizes[block];
    }
    return rising;
  }

  /** What the last round left of violations is within {@link #CONVERGED}. */
  private static double[][] withoutRounding(double[][] fit) {
    for (int t = 0; t < fit.length; t++) {
      for (int d = fit[t].length - 1; d >= 0; d--) {
        if (t > 0) {
          fit[t][d] = Math.max(fit[t][d], fit[t - 1][d]);
        }
        if (d + 1 < fit[t].length) {
          fit[t][d] = Math.max(fit[t][d], fit[t][d + 1]);
        }
      }
    }
    return fit;
  }

  private static double distance(double[][] one, double[][] other) {
    double[] most = {0};
    each(one, (t, d) -> most[0] = Math.max(most[0], Math.abs(one[t][d] - other[t][d])));
    return most[0];
  }

  private interface Cell {
    void at(int throughputBin, int delayBin);
  }

  private static void each(double[][] table, Cell action) {
    for (int t = 0; t < table.length; t++) {
      for (int d = 0; d < table[t].length; d++) {
        action.at(t, d);
      }
    }
  }

  private static double[][] copy(double[][] values) {
    return Arrays.stream(values).map(double[]::clone).toArray(double[][]::new);
  }

  /** With the axes and the name of another. */
  UtilityFunction table(UtilityFunction axes) {
    List<List<Utility>> utilities = new ArrayList<>();
    for (double[] row : values) {
      utilities.add(Arrays.stream(row).mapToObj(MonotoneFit::utility).collect(Collectors.toList()));
    }
    return UtilityFunction.of(
        axes.name(),
        IntStream.range(0, axes.throughputBins())
            .mapToObj(axes::throughput)
            .collect(Collectors.toList()),
        IntStream.range(0, axes.delayBins()).mapToObj(axes::delay).collect(Collectors.toList()),
        utilities);
  }

  /** In thousandths: a table is to be read by people, too. */
  private static Utility utility(double value) {
    long thousandths = Math.round(1_000 * Math.min(5, Math.max(1, value)));
    return Utility.ofBillionths(thousandths * (Utility.SCALE / 1_000));
  }
}
