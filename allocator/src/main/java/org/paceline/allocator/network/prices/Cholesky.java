package org.paceline.allocator.network.prices;

import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The Cholesky factor of a symmetric positive definite matrix. O(n^3 / 6), in place.
 *
 * <p>Columns are done four at a time and what lies to their right is brought up to date at once:
 * the inner loop then runs along a row, compilers make vector instructions of it, and the matrix is
 * read a quarter as often.
 */
final class Cholesky {
  private static final double LEAST_PIVOT = 1e-14;
  private static final int TOGETHER = 4;

  private final double[][] factor;

  private Cholesky(double[][] factor) {
    this.factor = factor;
  }

  /** Only the lower half of the matrix is read; it is overwritten. */
  static Cholesky of(double[][] matrix) {
    return of(matrix, () -> false).orElseThrow(AssertionError::new);
  }

  /** The same; empty where it was told to stop first. Thousands of links take seconds. */
  static Optional<Cholesky> of(double[][] matrix, BooleanSupplier stop) {
    int n = matrix.length;
    double[][] columns = new double[TOGETHER][n];
    for (int first = 0; first < n; first += TOGETHER) {
      int end = Math.min(n, first + TOGETHER);
      if (stop.getAsBoolean()) {
        return Optional.empty();
      }
      for (int j = first; j < end; j++) {
        column(matrix, first, j, columns[j - first]);
      }
      for (int i = end; i < n; i++) {
        subtract(matrix[i], columns, i, end);
      }
    }
    return Optional.of(new Cholesky(matrix));
  }

  /** A column, from which those before the first have been taken; copied for the rows to come. */
  private static void column(double[][] matrix, int first, int j, double[] column) {
    for (int i = j; i < matrix.length; i++) {
      for (int before = first; before < j; before++) {
        matrix[i][j] -= matrix[i][before] * matrix[j][before];
      }
      if (i == j) {
        matrix[j][j] = Math.sqrt(Math.max(matrix[j][j], LEAST_PIVOT));
      } else {
        matrix[i][j] /= matrix[j][j];
      }
      column[i] = matrix[i][j];
    }
  }

  private static void subtract(double[] row, double[][] columns, int i, int from) {
    double[] a = columns[0];
    double[] b = columns[1];
    double[] c = columns[2];
    double[] d = columns[3];
    double ofA = a[i];
    double ofB = b[i];
    double ofC = c[i];
    double ofD = d[i];
    for (int k = from; k <= i; k++) {
      row[k] -= ofA * a[k] + ofB * b[k] + ofC * c[k] + ofD * d[k];
    }
  }

  void solve(double[] right, double[] solution) {
    int n = right.length;
    for (int i = 0; i < n; i++) {
      double sum = right[i];
      double[] row = factor[i];
      for (int k = 0; k < i; k++) {
        sum -= row[k] * solution[k];
      }
      solution[i] = sum / row[i];
    }
    for (int i = n - 1; i >= 0; i--) {
      solution[i] /= factor[i][i];
      double known = solution[i];
      double[] row = factor[i];
      for (int k = 0; k < i; k++) {
        solution[k] -= known * row[k];
      }
    }
  }
}
