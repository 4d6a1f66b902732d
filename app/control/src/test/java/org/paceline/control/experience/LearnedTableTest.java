package org.paceline.control.experience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

final class LearnedTableTest {
  /** By rows of throughput and columns of delay. */
  private static final UtilityFunction TABLE =
      UtilityFunction.of(
          "calls",
          List.of(
              DataRate.ofKilobitsPerSecond(100),
              DataRate.ofKilobitsPerSecond(200),
              DataRate.ofKilobitsPerSecond(400)),
          List.of(Latency.ofMillis(10), Latency.ofMillis(100)),
          List.of(
              List.of(Utility.of(2.0), Utility.of(1.5)),
              List.of(Utility.of(3.0), Utility.of(2.5)),
              List.of(Utility.of(4.0), Utility.of(3.5))));

  private static LearnedTable with(LearnedCell... cells) {
    return LearnedTable.of(TABLE, Instant.EPOCH, List.of(cells));
  }

  /** So many reports that all say the same. */
  private static LearnedCell same(int throughputBin, int delayBin, long reports, double utility) {
    return LearnedCell.of(throughputBin, delayBin, reports, utility, 0);
  }

  @Test
  void aCellHasTheMeanOfItsReportsAndTenThatSayWhatWasPromised() {
    UtilityFunction refined = with(same(1, 0, 30, 3.4)).refined();
    assertThat(refined.name()).isEqualTo("calls-learned");
    assertThat(value(refined, 1, 0)).isCloseTo((10 * 3.0 + 30 * 3.4) / 40, within(0.001));
    assertThat(value(refined, 0, 0)).isEqualTo(2.0);
    assertThat(value(refined, 2, 1)).isEqualTo(3.5);
  }

  @Test
  void whatWasLearnedOnceKeepsItsNameWhenItIsLearnedFromAgain() {
    LearnedTable again =
        LearnedTable.of(
            with(same(1, 0, 30, 3.4)).refined(), Instant.EPOCH, List.of(same(1, 0, 30, 3.4)));
    assertThat(again.refined().name()).isEqualTo("calls-learned");
  }

  /** 1.5 for more would be below 2.0 for less: they meet at the mean of all their reports. */
  @Test
  void neighboursThatWouldFallWithThroughputShareTheirMean() {
    UtilityFunction refined =
        with(same(1, 0, 1_000_000, 1.5), same(1, 1, 1_000_000, 1.5)).refined();
    assertThat(value(refined, 0, 0)).isCloseTo(1.5, within(0.002));
    assertThat(value(refined, 1, 0)).isCloseTo(1.5, within(0.002));
  }

  @Test
  void asMuchAsTheReportsVaryTheMeanMayBeAway() {
    LearnedCell cell = LearnedCell.empty(0, 0);
    for (int i = 0; i < 10; i++) {
      cell = cell.with(i % 2 == 0 ? 2.0 : 3.0);
    }
    assertThat(cell.mean()).isCloseTo(2.5, within(1e-9));
    // Student's t for nine degrees of freedom: 2.262 * 0.527 / sqrt(10).
    assertThat(cell.halfWidth()).isCloseTo(0.377, within(0.001));
    assertThat(with(cell).isAway(cell)).isFalse();
    assertThat(with(cell).isAway(same(0, 0, 9, 4.0))).as("too few").isFalse();
    assertThat(with(cell).isAway(same(0, 0, 10, 2.2))).as("near").isFalse();
    assertThat(with(cell).isAway(same(0, 0, 10, 2.3))).isTrue();
    assertThat(with(cell).isAway(same(0, 0, 10, 1.7))).as("below").isTrue();
  }

  @Test
  void aCellThatTheTableDoesNotHaveIsRefused() {
    assertThatThrownBy(() -> with(same(3, 0, 1, 2)))
        .hasMessage("The table (calls) has no cell (3, 0); it has 3 times 2.");
  }

  /** Monotone, and no step of a single block towards what is wanted would be nearer. */
  @Property(seed = "20", tries = 50)
  void aFitNeverFallsWithThroughputNorRisesWithDelayAndNoneIsNearer(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int rows) {
    Random dice = new Random(seed);
    int columns = 1 + dice.nextInt(5);
    double[][] wanted = new double[rows][columns];
    double[][] weights = new double[rows][columns];
    for (int t = 0; t < rows; t++) {
      for (int d = 0; d < columns; d++) {
        wanted[t][d] = 1 + 4 * dice.nextDouble();
        weights[t][d] = 1 + dice.nextInt(20);
      }
    }
    UtilityFunction fit = MonotoneFit.of(wanted, weights).table(axes(rows, columns));
    double best = distance(fit, wanted, weights);
    for (int t = 0; t < rows; t++) {
      for (int d = 0; d < columns; d++) {
        if (t > 0) {
          assertThat(value(fit, t, d)).isGreaterThanOrEqualTo(value(fit, t - 1, d));
        }
        if (d > 0) {
          assertThat(value(fit, t, d)).isLessThanOrEqualTo(value(fit, t, d - 1));
        }
      }
    }
    // The problem is convex: a mixture with any other monotone table must not be nearer.
    for (int other = 0; other < 20; other++) {
      double[][] monotone = someMonotone(dice, rows, columns);
      double part = 0.05;
      double mixed = 0;
      for (int t = 0; t < rows; t++) {
        for (int d = 0; d < columns; d++) {
          double value = (1 - part) * value(fit, t, d) + part * monotone[t][d];
          mixed += weights[t][d] * Math.pow(value - wanted[t][d], 2);
        }
      }
      assertThat(mixed).isGreaterThan(best - 0.05);
    }
  }

  private static double[][] someMonotone(Random dice, int rows, int columns) {
    double[][] table = new double[rows][columns];
    for (int t = 0; t < rows; t++) {
      for (int d = columns - 1; d >= 0; d--) {
        double least = t > 0 ? table[t - 1][d] : 1;
        least = d + 1 < columns ? Math.max(least, table[t][d + 1]) : least;
        table[t][d] = least + (5 - least) * dice.nextDouble() / (rows + columns);
      }
    }
    return table;
  }

  private static double distance(UtilityFunction fit, double[][] wanted, double[][] weights) {
    double sum = 0;
    for (int t = 0; t < wanted.length; t++) {
      for (int d = 0; d < wanted[t].length; d++) {
        sum += weights[t][d] * Math.pow(value(fit, t, d) - wanted[t][d], 2);
      }
    }
    return sum;
  }

  private static UtilityFunction axes(int rows, int columns) {
    return UtilityFunction.of(
        "axes",
        IntStream.range(1, rows + 1)
            .mapToObj(DataRate::ofKilobitsPerSecond)
            .collect(Collectors.toList()),
        IntStream.range(1, columns + 1).mapToObj(Latency::ofMillis).collect(Collectors.toList()),
        Collections.nCopies(rows, Collections.nCopies(columns, Utility.MIN)));
  }

  private static double value(UtilityFunction table, int throughputBin, int delayBin) {
    return (double) table.utilityBillionths(throughputBin, delayBin) / Utility.SCALE;
  }
}
