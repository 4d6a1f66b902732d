package org.paceline.allocator.network;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * The linear programme whose dual prices bound the sum: how many copies x of each group take each
 * column, a path and a step of the hull, so that the links carry it. In flat arrays, for there may
 * be a million columns; groups of a pair follow each other, columns of a group likewise.
 *
 * <p>Rates are in units of 1e9 millibits per second, utilities in units of 1.
 */
final class PriceProgram {
  private static final int MOST_PARTS = 8;
  private static final int LEAST_PART = 5_000;
  private static final double MOST_NUDGE = 2e-4;

  final int links;
  final double[] limits;
  final int pairs;
  final int groups;

  /** By pair: its first group; one more than pairs. */
  final int[] firstGroup;

  /** By group: its first column; one more than groups. */
  final int[] firstColumn;

  final double[] count;

  /** By pair and path: the links. */
  final int[][][] hops;

  /** By column: the number of its path in its pair. */
  final int[] path;

  /** By column: the step of its profile. */
  final int[] step;

  final double[] rate;
  final double[] utility;

  /**
   * Only columns whose worth at the prices is at most so much below their group's best.
   *
   * @param every of how many groups one stands for all, a sample; 1 for all groups
   */
  PriceProgram(Offers offers, double[] at, double within, int every) {
    Demands demands = offers.demands();
    Ways ways = offers.ways();
    links = ways.topology().links();
    limits = new double[links];
    for (int e = 0; e < links; e++) {
      limits[e] = ways.topology().limit(e) / Profile.SCALE;
    }
    pairs = demands.pairs();
    int[] kept = IntStream.range(0, demands.groups()).filter(g -> mixed(g) % every == 0).toArray();
    groups = kept.length;
    firstGroup = new int[pairs + 1];
    firstColumn = new int[groups + 1];
    count = new double[groups];
    double copies = Arrays.stream(kept).mapToLong(g -> demands.group(g).count).sum();
    double scale = demands.copies() / copies;
    hops = new int[pairs][][];
    for (int p = 0; p < pairs; p++) {
      hops[p] = new int[ways.count(p)][];
      for (int j = 0; j < hops[p].length; j++) {
        hops[p][j] = ways.path(p, j);
      }
    }
    int most = 0;
    for (int g : kept) {
      for (int j = 0; j < ways.count(demands.group(g).pair); j++) {
        most += offers.open(g, j) ? offers.profile(g, j).hullSize() : 0;
      }
    }
    int[] paths = new int[most];
    int[] steps = new int[most];
    double[] rates = new double[most];
    double[] utilities = new double[most];
    int c = 0;
    for (int i = 0; i < groups; i++) {
      int g = kept[i];
      int pair = demands.group(g).pair;
      count[i] = demands.group(g).count * scale;
      firstGroup[pair + 1] = i + 1;
      double[] cost = pathPrices(pair, at);
      double least = offers.worth(g, cost) - within;
      long idle = Long.MIN_VALUE;
      for (int j = 0; j < cost.length; j++) {
        Profile profile = offers.profile(g, j);
        for (int k = 0; offers.open(g, j) && k < profile.hullSize(); k++) {
          paths[c] = j;
          steps[c] = profile.hullStep(k);
          rates[c] = profile.rate(profile.hullStep(k)) / Profile.SCALE;
          utilities[c] = profile.utility(profile.hullStep(k)) / Profile.SCALE + nudge(g, j, k);
          boolean wanted = k == 0 || utilities[c] - rates[c] * cost[j] >= least;
          // No rate is the same on every path.
          boolean known = rates[c] == 0 && profile.utility(profile.hullStep(k)) <= idle;
          if (wanted && !known) {
            idle = rates[c] == 0 ? profile.utility(profile.hullStep(k)) : idle;
            c++;
          }
        }
      }
      firstColumn[i + 1] = c;
    }
    for (int p = 0; p < pairs; p++) {
      firstGroup[p + 1] = Math.max(firstGroup[p], firstGroup[p + 1]);
    }
    path = Arrays.copyOf(paths, c);
    step = Arrays.copyOf(steps, c);
    rate = Arrays.copyOf(rates, c);
    utility = Arrays.copyOf(utilities, c);
  }

  /**
   * A little more or less utility, so that of equal choices one is best and the optimum has few
   * fractions. Bounds are computed without it.
   */
  private static double nudge(int group, int path, int corner) {
    return MOST_NUDGE * (mixed(group * 1_000_003L + path * 1_009L + corner) * 0x1p-53);
  }

  /** 53 bits, spread evenly. */
  private static long mixed(long number) {
    long mixed = (number + 1) * 0x9E3779B97F4A7C15L;
    mixed ^= mixed >>> 29;
    mixed *= 0xBF58476D1CE4E5B9L;
    return mixed >>> 11;
  }

  /** Pairs are dealt with in parts at a time; how many depends on the size alone. */
  int parts() {
    return (int) Math.max(1, Math.min(MOST_PARTS, columns() / LEAST_PART));
  }

  /** The first pair of a part, about equal in columns; with {@link #parts} the end of the last. */
  int firstPair(int part) {
    long before = (long) columns() * part / parts();
    int low = 0;
    int high = pairs;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (firstColumn[firstGroup[middle]] < before) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return part == parts() ? pairs : low;
  }

  /** Does something for every part, several at a time. */
  void forParts(IntConsumer work) {
    if (parts() == 1) {
      work.accept(0);
    } else {
      IntStream.range(0, parts()).parallel().forEach(work);
    }
  }

  int columns() {
    return path.length;
  }

  /** What each path of the pair costs. */
  double[] pathPrices(int pair, double[] prices) {
    double[] sums = new double[hops[pair].length];
    for (int j = 0; j < sums.length; j++) {
      for (int e : hops[pair][j]) {
        sums[j] += prices[e];
      }
    }
    return sums;
  }

  /** Adds what the paths of a pair carry to what the links carry. */
  void load(int pair, double[] onPath, double[] load) {
    for (int j = 0; j < onPath.length; j++) {
      for (int e : hops[pair][j]) {
        load[e] += onPath[j];
      }
    }
  }

  /** Adds what the paths of a pair have to do with each other to a links-by-links matrix. */
  void scatter(int pair, double[] bends, double[][] matrix) {
    int paths = hops[pair].length;
    for (int j = 0; j < paths; j++) {
      for (int k = 0; k <= j; k++) {
        double bend = bends[j * paths + k];
        if (bend != 0) {
          scatter(hops[pair][j], hops[pair][k], bend, j == k, matrix);
        }
      }
    }
  }

  private static void scatter(
      int[] path, int[] other, double bend, boolean same, double[][] matrix) {
    for (int e : path) {
      for (int f : other) {
        matrix[e][f] += bend;
        if (!same) {
          matrix[f][e] += bend;
        }
      }
    }
  }
}
