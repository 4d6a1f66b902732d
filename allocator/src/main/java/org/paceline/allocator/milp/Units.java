package org.paceline.allocator.milp;

import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Problem;

/**
 * In which units a program's numbers are.
 *
 * <p>Mixed-integer solvers take a constraint for kept within an absolute millionth. Rates are
 * therefore in thousandths of the problem's greatest rate bin, whatever that is, and utilities in
 * thousandths, so that the millionth is a billionth of utility. Delays are in ms, so that it is a
 * nanosecond.
 */
final class Units {
  /** Thousandths of utility in a billionth. */
  static final double UTILITY = 1e-6;

  private final double millibits;

  private Units(double millibits) {
    this.millibits = millibits;
  }

  static Units of(Problem problem) {
    long most =
        problem.applications().stream()
            .map(Application::utilityFunction)
            .mapToLong(f -> f.rateMillibits(f.throughputBins() - 1))
            .max()
            .orElse(0);
    return new Units(Math.max(1, most) / 1e3);
  }

  double rate(long rateMillibits) {
    return rateMillibits / millibits;
  }

  static double millis(long nanos) {
    return nanos * 1e-6;
  }
}
