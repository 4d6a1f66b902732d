package org.paceline.allocator.network.prices;

import org.paceline.allocator.network.groups.Ways;

/**
 * The paths that are known between the pairs, in flat arrays: there may be fifty thousand, and a
 * Newton step looks at each of them. Those added to the {@link Ways} later are not in it.
 */
final class PathTable {
  /** By pair: its first path; one more than pairs. */
  private final int[] firstPath;

  /** By path: its first hop; one more than paths. */
  private final int[] firstHop;

  /** The links of all paths, one path after the other. */
  private final int[] hops;

  PathTable(Ways ways, int pairs) {
    firstPath = new int[pairs + 1];
    firstHop = new int[ways.total() + 1];
    for (int p = 0; p < pairs; p++) {
      firstPath[p + 1] = firstPath[p] + ways.count(p);
      for (int j = 0; j < ways.count(p); j++) {
        int way = firstPath[p] + j;
        firstHop[way + 1] = firstHop[way] + ways.path(p, j).length;
      }
    }
    hops = new int[firstHop[firstPath[pairs]]];
    for (int p = 0; p < pairs; p++) {
      for (int j = 0; j < ways.count(p); j++) {
        int[] links = ways.path(p, j);
        System.arraycopy(links, 0, hops, firstHop[firstPath[p] + j], links.length);
      }
    }
  }

  int paths(int pair) {
    return firstPath[pair + 1] - firstPath[pair];
  }

  /** The most that any pair has. */
  int mostPaths() {
    int most = 0;
    for (int p = 0; p < firstPath.length - 1; p++) {
      most = Math.max(most, paths(p));
    }
    return most;
  }

  /** What each path of the pair costs. */
  double[] prices(int pair, double[] prices) {
    double[] sums = new double[paths(pair)];
    prices(pair, prices, sums);
    return sums;
  }

  /** The same into the first places of an array. */
  void prices(int pair, double[] prices, double[] sums) {
    int first = firstPath[pair];
    for (int way = first; way < firstPath[pair + 1]; way++) {
      double sum = 0;
      for (int h = firstHop[way]; h < firstHop[way + 1]; h++) {
        sum += prices[hops[h]];
      }
      sums[way - first] = sum;
    }
  }

  /** Adds what the paths of a pair carry to what the links carry. */
  void load(int pair, double[] onPath, double[] load) {
    int first = firstPath[pair];
    for (int way = first; way < firstPath[pair + 1]; way++) {
      double carried = onPath[way - first];
      if (carried != 0) {
        for (int h = firstHop[way]; h < firstHop[way + 1]; h++) {
          load[hops[h]] += carried;
        }
      }
    }
  }

  /**
   * Adds what the paths of a pair have to do with each other to the lower half of a links-by-links
   * matrix.
   *
   * @param bends paths by paths, row by row from {@code at}; only the lower half is read
   */
  void scatter(int pair, double[] bends, int at, double[][] matrix) {
    int paths = paths(pair);
    for (int j = 0; j < paths; j++) {
      for (int k = 0; k <= j; k++) {
        double bend = bends[at + j * paths + k];
        if (bend != 0) {
          scatter(firstPath[pair] + j, firstPath[pair] + k, bend, matrix);
        }
      }
    }
  }

  private void scatter(int path, int other, double bend, double[][] matrix) {
    int end = firstHop[other + 1];
    for (int h = firstHop[path]; h < firstHop[path + 1]; h++) {
      int e = hops[h];
      double[] row = matrix[e];
      for (int i = firstHop[other]; i < end; i++) {
        int f = hops[i];
        if (f < e) {
          row[f] += bend;
        } else if (f == e) {
          row[e] += path == other ? bend : 2 * bend;
        } else if (path != other) {
          matrix[f][e] += bend;
        }
      }
    }
  }
}
