package org.paceline.allocator.network;

/** Solves a symmetric positive definite system. O(n^3 / 6), in place. */
final class Cholesky {
  private static final double LEAST_PIVOT = 1e-14;

  private Cholesky() {}

  /** Only the lower half of the matrix is read; it is overwritten. */
  static double[] solve(double[][] matrix, double[] right) {
    int n = right.length;
    for (int i = 0; i < n; i++) {
      double[] row = matrix[i];
      for (int j = 0; j < i; j++) {
        double[] other = matrix[j];
        double sum = row[j];
        for (int k = 0; k < j; k++) {
          sum -= row[k] * other[k];
        }
        row[j] = sum / other[j];
      }
      double pivot = row[i];
      for (int k = 0; k < i; k++) {
        pivot -= row[k] * row[k];
      }
      row[i] = Math.sqrt(Math.max(pivot, LEAST_PIVOT));
    }
    double[] solution = right.clone();
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < i; k++) {
        solution[i] -= matrix[i][k] * solution[k];
      }
      solution[i] /= matrix[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
      for (int k = i + 1; k < n; k++) {
        solution[i] -= matrix[k][i] * solution[k];
      }
      solution[i] /= matrix[i][i];
    }
    return solution;
  }
}
