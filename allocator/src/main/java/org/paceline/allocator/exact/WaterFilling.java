package org.paceline.allocator.exact;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Lifts all copies together, level by level, as long as they fit; where a level does not fit for
 * all, as many as possible go on, those first that need the least more rate, and the others stay.
 *
 * <p>Each level is one pass over the groups: O(L G log G). Among copies that tie for a place, the
 * cheaper and then the earlier group goes on.
 */
final class WaterFilling {
  private WaterFilling() {}

  /** Copies per group and item; values are utilities, the capacity holds the lightest items. */
  static long[][] solve(List<Choices> groups, long capacity) {
    int n = groups.size();
    long[][] counts = new long[n][];
    int[] item = new int[n];
    long[] rising = new long[n];
    long left = capacity;
    for (int g = 0; g < n; g++) {
      counts[g] = new long[groups.get(g).size()];
      rising[g] = groups.get(g).copies;
      left -= groups.get(g).copies * groups.get(g).weights[0];
    }
    List<Integer> lowest = lowest(groups, item, rising);
    while (!lowest.isEmpty()) {
      for (int g : lowest) {
        Choices group = groups.get(g);
        boolean atTop = item[g] == group.size() - 1;
        long step = atTop ? 1 : group.weights[item[g] + 1] - group.weights[item[g]];
        long go = atTop ? 0 : Math.min(rising[g], left / step);
        counts[g][item[g]] += rising[g] - go;
        rising[g] = go;
        left -= go * (atTop ? 0 : step);
        item[g]++;
      }
      lowest = lowest(groups, item, rising);
    }
    return counts;
  }

  /** The groups whose rising copies have the least utility of all, cheapest next step first. */
  private static List<Integer> lowest(List<Choices> groups, int[] item, long[] rising) {
    long least = Long.MAX_VALUE;
    List<Integer> found = new ArrayList<>();
    for (int g = 0; g < groups.size(); g++) {
      if (rising[g] > 0) {
        long value = groups.get(g).values[item[g]];
        if (value < least) {
          least = value;
          found.clear();
        }
        if (value == least) {
          found.add(g);
        }
      }
    }
    found.sort(Comparator.comparingLong(g -> nextStep(groups.get(g), item[g])));
    return found;
  }

  private static long nextStep(Choices group, int item) {
    return item == group.size() - 1
        ? Long.MAX_VALUE
        : group.weights[item + 1] - group.weights[item];
  }
}
