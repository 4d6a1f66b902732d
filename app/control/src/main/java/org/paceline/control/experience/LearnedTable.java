package org.paceline.control.experience;

import com.google.auto.value.AutoValue;
import com.google.auto.value.extension.memoized.Memoized;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * What was reported of the cells of one utility function, beside what it promises. It belongs to
 * the table as it was when the first report came: of another table under the same name it says
 * nothing.
 */
@AutoValue
public abstract class LearnedTable {
  /** So far from the promise must the whole interval be: users notice hardly less. */
  private static final double TOLERATED = 0.25;

  /** As {@link UtilityFunction#name()} has it of what is learned. */
  private static final String SUFFIX = "-learned";

  /** The table that promises. */
  public abstract UtilityFunction promised();

  public abstract Instant since();

  abstract NavigableMap<Integer, LearnedCell> byNumber();

  public static LearnedTable of(
      UtilityFunction promised, Instant since, Collection<LearnedCell> cells) {
    NavigableMap<Integer, LearnedCell> byNumber = new TreeMap<>();
    cells.forEach(
        cell -> byNumber.put(number(promised, cell.throughputBin(), cell.delayBin()), cell));
    return new AutoValue_LearnedTable(
        promised, since, Collections.unmodifiableNavigableMap(byNumber));
  }

  private static int number(UtilityFunction table, int throughputBin, int delayBin) {
    if (throughputBin < 0
        || throughputBin >= table.throughputBins()
        || delayBin < 0
        || delayBin >= table.delayBins()) {
      throw new IllegalArgumentException(
          "The table ("
              + table.name()
              + ") has no cell ("
              + throughputBin
              + ", "
              + delayBin
              + "); it has "
              + table.throughputBins()
              + " times "
              + table.delayBins()
              + ".");
    }
    return throughputBin * table.delayBins() + delayBin;
  }

  public final String name() {
    return promised().name();
  }

  /** Those of which there are reports, by throughput, then by delay. */
  public final Collection<LearnedCell> cells() {
    return byNumber().values();
  }

  /**
   * @param utility what a report says, from 1 to 5
   */
  final LearnedTable with(int throughputBin, int delayBin, double utility) {
    int number = number(promised(), throughputBin, delayBin);
    NavigableMap<Integer, LearnedCell> cells = new TreeMap<>(byNumber());
    LearnedCell before = cells.getOrDefault(number, LearnedCell.empty(throughputBin, delayBin));
    cells.put(number, before.with(utility));
    return new AutoValue_LearnedTable(
        promised(), since(), Collections.unmodifiableNavigableMap(cells));
  }

  public final Utility promise(LearnedCell cell) {
    return promised().utility(cell.throughputBin(), cell.delayBin());
  }

  private static double number(Utility utility) {
    return (double) utility.billionths() / Utility.SCALE;
  }

  /** Whether all of the cell's confidence interval is lastingly away from what is promised. */
  public final boolean isAway(LearnedCell cell) {
    return Math.abs(cell.mean() - number(promise(cell))) - cell.halfWidth() > TOLERATED;
  }

  /** Those whose promise does not hold. */
  public final List<LearnedCell> away() {
    return cells().stream().filter(this::isAway).collect(Collectors.toUnmodifiableList());
  }

  /**
   * The table with what was learned, under a name that says so: of each cell the mean of its
   * reports and of {@link LearnedCell#ENOUGH} that say what was promised, and of all cells the
   * nearest that never falls with throughput nor rises with delay.
   */
  @Memoized
  public UtilityFunction refined() {
    UtilityFunction table = promised();
    double[][] values = new double[table.throughputBins()][table.delayBins()];
    double[][] weights = new double[table.throughputBins()][table.delayBins()];
    for (int t = 0; t < table.throughputBins(); t++) {
      for (int d = 0; d < table.delayBins(); d++) {
        values[t][d] = number(table.utility(t, d));
        weights[t][d] = LearnedCell.ENOUGH;
      }
    }
    for (LearnedCell cell : cells()) {
      int t = cell.throughputBin();
      int d = cell.delayBin();
      weights[t][d] += cell.reports();
      values[t][d] += (cell.mean() - values[t][d]) * cell.reports() / weights[t][d];
    }
    String name = name().endsWith(SUFFIX) ? name() : name() + SUFFIX;
    return MonotoneFit.of(values, weights).table(table).named(name);
  }
}
