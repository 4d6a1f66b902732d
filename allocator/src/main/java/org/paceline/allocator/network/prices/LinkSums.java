package org.paceline.allocator.network.prices;

import java.util.Arrays;

/**
 * Sums over pairs that parts of them make each for itself, so that they can work at the same time,
 * and that are added up in the order of the parts: how many processors there are changes nothing.
 */
final class LinkSums {
  private final int links;
  private final double[][] vectors;
  private final double[][][] matrices;

  LinkSums(int links, int parts) {
    this.links = links;
    this.vectors = new double[parts][links];
    this.matrices = new double[parts][0][];
  }

  /** A part's own, all zero. */
  double[] vector(int part) {
    Arrays.fill(vectors[part], 0);
    return vectors[part];
  }

  /** A part's own, all zero. */
  double[][] matrix(int part) {
    if (matrices[part].length < links) {
      // Only now: of a great network each is a hundred megabytes.
      matrices[part] = new double[links][links];
      return matrices[part];
    }
    for (double[] row : matrices[part]) {
      Arrays.fill(row, 0);
    }
    return matrices[part];
  }

  double[] vector() {
    double[] sum = new double[links];
    for (double[] vector : vectors) {
      for (int e = 0; e < links; e++) {
        sum[e] += vector[e];
      }
    }
    return sum;
  }

  /** That of the first part, with the others added. */
  double[][] matrix() {
    for (int part = 1; part < matrices.length; part++) {
      for (int e = 0; e < links; e++) {
        double[] to = matrices[0][e];
        double[] from = matrices[part][e];
        for (int f = 0; f < links; f++) {
          to[f] += from[f];
        }
      }
    }
    return matrices[0];
  }
}
