package org.paceline.allocator.network.prices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class CholeskyTest {
  @Property(tries = 50, seed = "20")
  void whatItSolvesComesOutWhenMultipliedAgain(
      @ForAll @IntRange(min = 1, max = 14) int size, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[][] root = new double[size][size];
    for (double[] row : root) {
      for (int k = 0; k < size; k++) {
        row[k] = random.nextDouble() - 0.5;
      }
    }
    double[][] matrix = new double[size][size];
    double[] wanted = new double[size];
    for (int i = 0; i < size; i++) {
      wanted[i] = random.nextDouble();
      matrix[i][i] = 1;
      for (int j = 0; j < size; j++) {
        for (int k = 0; k < size; k++) {
          matrix[i][j] += root[i][k] * root[j][k];
        }
      }
    }
    double[] right = new double[size];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        right[i] += matrix[i][j] * wanted[j];
      }
    }
    double[] found = new double[size];
    Cholesky.of(matrix).solve(right, found);
    for (int i = 0; i < size; i++) {
      assertThat(found[i]).isCloseTo(wanted[i], within(1e-9));
    }
  }
}
