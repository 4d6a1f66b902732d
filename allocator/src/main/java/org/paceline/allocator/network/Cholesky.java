package org.paceline.allocator.network;

/** The Cholesky factor of a symmetric positive definite matrix. O(n^3 / 6), in place. */
final class Cholesky {
  private static final double LEAST_PIVOT = 1e-14;

  private final double[][] factor;

  private Cholesky(double[][] factor) {
    this.factor = factor;
  }

  /** Only the lower half of the matrix is read; it is overwritten. */
  static Cholesky of(double[][] matrix) {
    for (int i = 0; i < matrix.length; i++) {
      double[] row = matrix[i];
      for (int j = 0; j < i; j++) {
        row[j] = (row[j] - product(row, matrix[j], j)) / matrix[j][j];
      }
      row[i] = Math.sqrt(Math.max(row[i] - product(row, row, i), LEAST_PIVOT));
    }
    return new Cholesky(matrix);
  }

  /** Four sums at a time, so that none waits for the one before. */
  private static double product(double[] a, double[] b, int length) {
    double first = 0;
    double second = 0;
    double third = 0;
    double fourth = 0;
    int k = 0;
    for (; k + 3 < length; k += 4) {
      first += a[k] * b[k];
      second += a[k + 1] * b[k + 1];
      third += a[k + 2] * b[k + 2];
      fourth += a[k + 3] * b[k + 3];
    }
    for (; k < length; k++) {
      first += a[k] * b[k];
    }
    return first + second + (third + fourth);
  }

  static double[] solve(double[][] matrix, double[] right) {
    double[] solution = new double[right.length];
    of(matrix).solve(right, solution);
    return solution;
  }

  void solve(double[] right, double[] solution) {
    int n = right.length;
    for (int i = 0; i < n; i++) {
      solution[i] = (right[i] - product(factor[i], solution, i)) / factor[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
      solution[i] /= factor[i][i];
      for (int k = 0; k < i; k++) {
        solution[k] -= factor[i][k] * solution[i];
      }
    }
  }
}
