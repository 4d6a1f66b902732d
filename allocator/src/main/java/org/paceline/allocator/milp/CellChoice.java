package org.paceline.allocator.milp;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPVariable;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Equations 7 to 11: one throughput bin T, one delay bin Delta and their products, which pick the
 * utility.
 *
 * <p>The product T_t Delta_d is the variable cell_td; sum_d cell_td = T_t and sum_t cell_td =
 * Delta_d make it so, for T and Delta are binary and sum to 1.
 */
final class CellChoice {
  /** Takes a coefficient of a variable. */
  interface Terms {
    void add(MPVariable variable, double coefficient);
  }

  private final Units units;
  private final UtilityFunction function;
  private final MPVariable[] rates;
  private final MPVariable[] delays;
  private final MPVariable[][] cells;

  CellChoice(Mip mip, Units units, UtilityFunction function, String name) {
    this.units = units;
    this.function = function;
    this.rates = new MPVariable[function.throughputBins()];
    this.delays = new MPVariable[function.delayBins()];
    this.cells = new MPVariable[rates.length][delays.length];
    MPConstraint oneRate = mip.equal(1, "7 " + name);
    MPConstraint oneDelay = mip.equal(1, "8 " + name);
    for (int d = 0; d < delays.length; d++) {
      delays[d] = mip.binary("Delta " + name + " " + d);
      oneDelay.setCoefficient(delays[d], 1);
    }
    for (int t = 0; t < rates.length; t++) {
      rates[t] = mip.binary("T " + name + " " + t);
      oneRate.setCoefficient(rates[t], 1);
      MPConstraint row = mip.equal(0, "11 T " + name + " " + t);
      row.setCoefficient(rates[t], -1);
      for (int d = 0; d < delays.length; d++) {
        cells[t][d] = mip.number(0, 1, "cell " + name + " " + t + " " + d);
        row.setCoefficient(cells[t][d], 1);
      }
    }
    for (int d = 0; d < delays.length; d++) {
      MPConstraint column = mip.equal(0, "11 Delta " + name + " " + d);
      column.setCoefficient(delays[d], -1);
      for (MPVariable[] row : cells) {
        column.setCoefficient(row[d], 1);
      }
    }
  }

  /** Lambda(a), equation 11. */
  void addUtility(Terms terms, double scale) {
    for (int t = 0; t < rates.length; t++) {
      for (int d = 0; d < delays.length; d++) {
        terms.add(cells[t][d], function.utilityBillionths(t, d) * scale);
      }
    }
  }

  /** eta(a), equation 9. */
  void addRate(Terms terms, double scale) {
    for (int t = 0; t < rates.length; t++) {
      terms.add(rates[t], units.rate(function.rateMillibits(t)) * scale);
    }
  }

  /** D(a), equation 10. */
  void addDelay(Terms terms, double scale) {
    for (int d = 0; d < delays.length; d++) {
      terms.add(delays[d], Units.millis(function.delayNanos(d)) * scale);
    }
  }

  double mostRate() {
    return units.rate(function.rateMillibits(rates.length - 1));
  }

  /** Forbids the cells whose utility is from {@code least} to below {@code most}, in billionths. */
  void exclude(long least, long most) {
    for (int t = 0; t < rates.length; t++) {
      for (int d = 0; d < delays.length; d++) {
        long utility = function.utilityBillionths(t, d);
        if (utility >= least && utility < most) {
          cells[t][d].setBounds(0, 0);
        }
      }
    }
  }

  int rateBin() {
    return chosen(rates);
  }

  int delayBin() {
    return chosen(delays);
  }

  private static int chosen(MPVariable[] variables) {
    for (int i = 0; i < variables.length; i++) {
      if (variables[i].solutionValue() > 0.5) {
        return i;
      }
    }
    throw new IllegalStateException("The solver chose no bin of " + variables[0].name() + ".");
  }
}
