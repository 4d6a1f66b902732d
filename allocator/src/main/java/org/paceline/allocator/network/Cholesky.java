package org.paceline.allocator.network;

/**
 * The Cholesky factor of a symmetric positive definite matrix. O(n^3 / 6), in place.
 *
 * <p>Columns are done in turn and what lies to their right is brought up to date at once: the inner
 * loop then runs along a row and compilers make vector instructions of it.
 */
final class Cholesky {
  private static final double LEAST_PIVOT = 1e-14;

  private final double[][] factor;

  private Cholesky(double[][] factor) {
    this.factor = factor;
  }

  /** Only the lower half of the matrix is read; it is overwritten. */
  static Cholesky of(double[][] matrix) {
    int n = matrix.length;
    double[] column = new double[n];
    for (int j = 0; j < n; j++) {
      double pivot = Math.sqrt(Math.max(matrix[j][j], LEAST_PIVOT));
      matrix[j][j] = pivot;
      for (int i = j + 1; i < n; i++) {
        column[i] = matrix[i][j] / pivot;
        matrix[i][j] = column[i];
      }
      for (int i = j + 1; i < n; i++) {
        double factor = column[i];
        if (factor != 0) {
          subtract(matrix[i], factor, column, j + 1, i + 1);
        }
      }
    }
    return new Cholesky(matrix);
  }

  private static void subtract(double[] row, double factor, double[] column, int from, int to) {
    for (int k = from; k < to; k++) {
      row[k] -= factor * column[k];
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
      subtract(solution, solution[i], factor[i], 0, i);
    }
  }
}
