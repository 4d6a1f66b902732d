package org.paceline.allocator.network.cells;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.IntBinaryOperator;
import org.paceline.allocator.network.core.CoreProblem;
import org.paceline.allocator.network.groups.Demands;
import org.paceline.allocator.network.groups.Ways;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * What the groups of a network can choose from where types share cells: a way and a cell of their
 * function. A cell is left out where another of its function needs no more rate, bears as much
 * delay and is worth as much.
 */
final class SharedColumns {
  private static final int MOST_COLUMNS = 200_000;

  private final Demands demands;
  private final Ways ways;
  private final long level;
  private final boolean worthCounts;

  /** By group: way, rate bin, delay bin. */
  private final List<List<int[]>> columns = new ArrayList<>();

  private SharedColumns(Demands demands, Ways ways, long level, boolean worthCounts) {
    this.demands = demands;
    this.ways = ways;
    this.level = level;
    this.worthCounts = worthCounts;
  }

  /**
   * All at or above the level; empty where a group has none.
   *
   * @param worthCounts false where a cell at the level is as good as any above it
   */
  static Optional<SharedColumns> from(Demands demands, Ways ways, long level, boolean worthCounts) {
    SharedColumns found = new SharedColumns(demands, ways, level, worthCounts);
    return found.collect() ? Optional.of(found) : Optional.empty();
  }

  /** The utilities of all cells that are worth choosing. */
  static long[] levels(Demands demands) {
    TreeSet<Long> levels = new TreeSet<>();
    for (int f = 0; f < demands.functions(); f++) {
      for (int[] cell : cells(demands.function(f), Utility.SCALE, true)) {
        levels.add(demands.function(f).utilityBillionths(cell[0], cell[1]));
      }
    }
    return levels.stream().mapToLong(Long::longValue).toArray();
  }

  /**
   * The cells at or above the level that no other makes needless; where only the level counts, a
   * better one makes none needed.
   */
  private static List<int[]> cells(UtilityFunction function, long level, boolean worthCounts) {
    List<int[]> cells = new ArrayList<>();
    for (int t = 0; t < function.throughputBins(); t++) {
      for (int d = function.delayBins() - 1; d >= 0; d--) {
        long utility = function.utilityBillionths(t, d);
        int delay = d;
        boolean needless =
            cells.stream()
                .anyMatch(
                    c ->
                        c[1] >= delay
                            && (!worthCounts || function.utilityBillionths(c[0], c[1]) >= utility));
        if (utility >= level && !needless) {
          cells.add(new int[] {t, d});
        }
      }
    }
    return cells;
  }

  private boolean collect() {
    int size = 0;
    for (int g = 0; g < demands.groups(); g++) {
      Demands.Group group = demands.group(g);
      UtilityFunction function = demands.function(group.function());
      List<int[]> own = new ArrayList<>();
      for (int[] cell : cells(function, level, worthCounts)) {
        for (int way = 0; way < ways.count(group.pair()); way++) {
          if (ways.delay(group.pair(), way) <= function.delayNanos(cell[1])
              && function.rateMillibits(cell[0]) <= ways.narrowest(group.pair(), way)) {
            own.add(new int[] {way, cell[0], cell[1]});
          }
        }
      }
      size += own.size();
      if (own.isEmpty()) {
        return false;
      }
      columns.add(own);
    }
    if (size > MOST_COLUMNS) {
      throw new IllegalArgumentException(
          "The network has "
              + size
              + " choices for types that share cells, too many to search. Maybe let each"
              + " application have its own cell.");
    }
    return true;
  }

  /** Worth what the cells are worth, or nothing where only the level counts. */
  CoreProblem problem() {
    long[] limits = new long[ways.topology().links()];
    for (int e = 0; e < limits.length; e++) {
      limits[e] = ways.topology().limit(e);
    }
    CoreProblem.Builder builder = CoreProblem.builder(limits);
    for (int g = 0; g < columns.size(); g++) {
      Demands.Group group = demands.group(g);
      UtilityFunction function = demands.function(group.function());
      builder.group(Math.toIntExact(group.count()), group.function());
      for (int[] column : columns.get(g)) {
        builder.column(
            ways.path(group.pair(), column[0]),
            function.rateMillibits(column[1]),
            worthCounts ? function.utilityBillionths(column[1], column[2]) : 0,
            column[1] * function.delayBins() + column[2]);
      }
    }
    return builder.build();
  }

  /** The same choice among other columns that have all of these. */
  int[][] among(SharedColumns others, IntBinaryOperator counts) {
    int[][] same = new int[others.columns.size()][];
    for (int g = 0; g < same.length; g++) {
      same[g] = new int[others.columns.get(g).size()];
      for (int c = 0; c < columns.get(g).size(); c++) {
        int[] column = columns.get(g).get(c);
        for (int other = 0; other < same[g].length; other++) {
          if (Arrays.equals(others.columns.get(g).get(other), column)) {
            same[g][other] = counts.applyAsInt(g, c);
          }
        }
      }
    }
    return same;
  }

  /** Deals the columns out in the order of the applications' ids. */
  List<Grant> grants(IntBinaryOperator counts) {
    List<Grant> grants = new ArrayList<>();
    for (int g = 0; g < demands.groups(); g++) {
      Demands.Group group = demands.group(g);
      UtilityFunction function = demands.function(group.function());
      int c = 0;
      int left = counts.applyAsInt(g, c);
      for (Application member : group.members()) {
        int wanted = member.count();
        while (wanted > 0) {
          while (left == 0) {
            left = counts.applyAsInt(g, ++c);
          }
          int given = Math.min(wanted, left);
          int[] column = columns.get(g).get(c);
          grants.add(
              Grant.of(
                  member.id(),
                  given,
                  function.throughput(column[1]),
                  function.delay(column[2]),
                  function.utility(column[1], column[2]),
                  ways.topology().path(ways.path(group.pair(), column[0]))));
          wanted -= given;
          left -= given;
        }
      }
    }
    grants.sort(Comparator.comparing(Grant::applicationId));
    return grants;
  }
}
