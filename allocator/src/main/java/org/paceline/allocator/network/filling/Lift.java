package org.paceline.allocator.network.filling;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.paceline.allocator.network.core.CoreProblem;

/**
 * Lifts copies of groups that choose freely, the lowest first, each to the next better column that
 * fits, until nobody can rise while the others stay. A good start for {@link Filling}, no more.
 */
final class Lift {
  private final CoreProblem all;
  private final int[][] counts;
  private final long[] room;
  private final long above;

  /**
   * @param above only who is above this level is lifted
   */
  Lift(CoreProblem all, int[][] start, long above) {
    this.all = all;
    this.counts = Arrays.stream(start).map(int[]::clone).toArray(int[][]::new);
    this.above = above;
    this.room = new long[all.links()];
    for (int e = 0; e < room.length; e++) {
      room[e] = all.limit(e);
    }
    for (int g = 0; g < counts.length; g++) {
      for (int c = 0; c < counts[g].length; c++) {
        use(g, c, counts[g][c]);
      }
    }
  }

  int[][] run() {
    PriorityQueue<int[]> open =
        new PriorityQueue<>(
            Comparator.<int[]>comparingLong(gc -> all.utility(gc[0], gc[1]))
                .thenComparingInt(gc -> gc[0])
                .thenComparingInt(gc -> gc[1]));
    for (int g = 0; g < counts.length; g++) {
      for (int c = 0; all.type(g) == CoreProblem.FREE && c < counts[g].length; c++) {
        if (all.utility(g, c) > above) {
          for (int i = 0; i < counts[g][c]; i++) {
            open.add(new int[] {g, c});
          }
        }
      }
    }
    for (int[] copy = open.poll(); copy != null; copy = open.poll()) {
      int g = copy[0];
      use(g, copy[1], -1);
      int better = better(g, copy[1]);
      use(g, better, 1);
      if (better != copy[1]) {
        counts[g][copy[1]]--;
        counts[g][better]++;
        open.add(new int[] {g, better});
      }
    }
    return counts;
  }

  /** The least better column that fits, of equals the one with the least rate; else the same. */
  private int better(int group, int column) {
    int best = column;
    for (int c = 0; c < all.columns(group); c++) {
      long utility = all.utility(group, c);
      boolean lower =
          best == column
              || utility < all.utility(group, best)
              || (utility == all.utility(group, best)
                  && all.rate(group, c) < all.rate(group, best));
      if (utility > all.utility(group, column) && lower && fits(group, c)) {
        best = c;
      }
    }
    return best;
  }

  private boolean fits(int group, int column) {
    for (int link : all.links(group, column)) {
      if (room[link] < all.rate(group, column)) {
        return false;
      }
    }
    return true;
  }

  private void use(int group, int column, int copies) {
    for (int link : all.links(group, column)) {
      room[link] -= copies * all.rate(group, column);
    }
  }
}
