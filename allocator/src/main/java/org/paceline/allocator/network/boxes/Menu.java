package org.paceline.allocator.network.boxes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.paceline.intents.utility.UtilityFunction;

/**
 * The cells that a chooser may have: those at or above a floor that no other one makes needless.
 *
 * <p>A cell is needless if another one asks for no more rate, bears at least its delay and is worth
 * at least as much: whatever is feasible with the cell is feasible with the other.
 */
final class Menu {
  /** Millibits per second of one copy, never falling. */
  final long[] rate;

  /** Nanoseconds. */
  final long[] delay;

  /** Billionths of utility of all the chooser's copies; 0 where only feasibility is asked. */
  final long[] worth;

  /** Row and column of the table. */
  final int[][] cell;

  private Menu(List<long[]> cells) {
    int size = cells.size();
    rate = new long[size];
    delay = new long[size];
    worth = new long[size];
    cell = new int[size][];
    for (int i = 0; i < size; i++) {
      long[] from = cells.get(i);
      rate[i] = from[0];
      delay[i] = from[1];
      worth[i] = from[2];
      cell[i] = new int[] {(int) from[3], (int) from[4]};
    }
  }

  /**
   * @param floor billionths of utility
   * @param copies how many take the cell; 0 if only feasibility is asked
   */
  static Menu of(UtilityFunction function, long floor, long copies) {
    List<long[]> cells = new ArrayList<>();
    for (int t = 0; t < function.throughputBins(); t++) {
      for (int d = 0; d < function.delayBins(); d++) {
        long utility = function.utilityBillionths(t, d);
        if (utility >= floor) {
          cells.add(
              new long[] {
                function.rateMillibits(t), function.delayNanos(d), copies * utility, t, d
              });
        }
      }
    }
    // With the least rate first, then the greatest delay and worth, only an earlier cell can make
    // one needless.
    long[][] sorted = cells.toArray(new long[0][]);
    Arrays.sort(
        sorted,
        (a, b) ->
            a[0] != b[0]
                ? Long.compare(a[0], b[0])
                : a[1] != b[1] ? Long.compare(b[1], a[1]) : Long.compare(b[2], a[2]));
    List<long[]> kept = new ArrayList<>();
    for (long[] one : sorted) {
      if (kept.stream().noneMatch(k -> k[1] >= one[1] && k[2] >= one[2])) {
        kept.add(one);
      }
    }
    return new Menu(kept);
  }

  int size() {
    return rate.length;
  }
}
