package org.paceline.allocator.network.packing;

import java.util.Arrays;
import org.paceline.allocator.network.groups.Offers;
import org.paceline.allocator.network.groups.Profile;

/**
 * For one group the columns that at the prices are worth nearly as much as its best, the best
 * first: what a search need look at.
 */
final class NearColumns {
  private static final int MOST = 32;

  final int[] path;
  final int[] step;

  /** What the column is worth less than the best, in units of 1. */
  final double[] loss;

  /** Millibits per second. */
  final long[] rate;

  /** The links that the column uses; the same array for the same path. */
  final int[][] hops;

  NearColumns(Offers offers, int group, double[] prices, double within) {
    int pair = offers.demands().group(group).pair();
    int paths = offers.ways().count(pair);
    int most = 0;
    for (int j = 0; j < paths; j++) {
      most += offers.open(group, j) ? offers.profile(group, j).size() : 0;
    }
    long[] packed = new long[most];
    double[] worth = new double[most];
    int found = 0;
    double best = Double.NEGATIVE_INFINITY;
    for (int j = 0; j < paths; j++) {
      if (!offers.open(group, j)) {
        continue;
      }
      double price = 0;
      for (int e : offers.ways().path(pair, j)) {
        price += prices[e];
      }
      Profile profile = offers.profile(group, j);
      for (int s = 0; s < profile.size(); s++) {
        worth[found] = (profile.utility(s) - profile.rate(s) * price) / Profile.SCALE;
        best = Math.max(best, worth[found]);
        packed[found++] = ((long) j << 32) | s;
      }
    }
    int[] kept = withLeast(nearest(worth, best - within), packed, worth, paths);
    path = new int[kept.length];
    step = new int[kept.length];
    loss = new double[kept.length];
    rate = new long[kept.length];
    hops = new int[kept.length][];
    for (int c = 0; c < kept.length; c++) {
      path[c] = (int) (packed[kept[c]] >> 32);
      step[c] = (int) packed[kept[c]];
      loss[c] = best - worth[kept[c]];
      rate[c] = offers.profile(group, path[c]).rate(step[c]);
      hops[c] = offers.ways().path(pair, path[c]);
    }
  }

  /** Also the least step of every path, however little it is worth: it may be all that fits. */
  private static int[] withLeast(int[] kept, long[] packed, double[] worth, int paths) {
    int[] all = Arrays.copyOf(kept, kept.length + paths);
    int size = kept.length;
    for (int i = 0; i < packed.length; i++) {
      int candidate = i;
      if ((int) packed[i] == 0 && Arrays.stream(kept).noneMatch(k -> k == candidate)) {
        int at = size++;
        while (at > kept.length && worth[all[at - 1]] < worth[i]) {
          all[at] = all[at - 1];
          at--;
        }
        all[at] = i;
      }
    }
    return Arrays.copyOf(all, size);
  }

  private static int[] nearest(double[] worth, double least) {
    int[] kept = new int[worth.length];
    int size = 0;
    for (int i = 0; i < worth.length; i++) {
      if (worth[i] >= least) {
        int at = size++;
        // By insertion: few are kept.
        while (at > 0 && worth[kept[at - 1]] < worth[i]) {
          kept[at] = kept[at - 1];
          at--;
        }
        kept[at] = i;
      }
    }
    return Arrays.copyOf(kept, Math.min(size, MOST));
  }

  /** How many are worth at most so much less than the best; they come first. */
  int count(double within) {
    int count = 1;
    while (count < loss.length && loss[count] <= within) {
      count++;
    }
    return count;
  }

  /** The column of this path and step; minus one if it is not near. */
  int find(int way, int at) {
    for (int c = 0; c < path.length; c++) {
      if (path[c] == way && step[c] == at) {
        return c;
      }
    }
    return -1;
  }
}
