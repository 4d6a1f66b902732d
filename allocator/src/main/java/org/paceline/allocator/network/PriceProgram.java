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
  private static final int PIECES = 16;

  final int links;
  final double[] limits;
  final int pairs;
  final int groups;

  /** By pair: its first group; one more than pairs. */
  final int[] firstGroup;

  /** By group: its first column; one more than groups. */
  final int[] firstColumn;

  final double[] count;

  /** By pair: its first path; one more than pairs. */
  private final int[] firstPath;

  /** By path: its first hop; one more than paths. */
  private final int[] firstHop;

  /** The links of all paths, one path after the other. */
  private final int[] hops;

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
    for (int i = 0; i < groups; i++) {
      count[i] = demands.group(kept[i]).count * scale;
      firstGroup[demands.group(kept[i]).pair + 1] = i + 1;
    }
    for (int p = 0; p < pairs; p++) {
      firstGroup[p + 1] = Math.max(firstGroup[p], firstGroup[p + 1]);
    }
    PriceColumns[] pieces = new PriceColumns[PIECES];
    IntStream.range(0, PIECES)
        .parallel()
        .forEach(
            piece -> {
              pieces[piece] = new PriceColumns(offers, within);
              int end = piece(piece + 1);
              for (int p = piece(piece); p < end; p++) {
                double[] cost = pathPrices(p, at);
                for (int i = firstGroup[p]; i < firstGroup[p + 1]; i++) {
                  firstColumn[i + 1] = pieces[piece].add(kept[i], cost);
                }
              }
            });
    int columns = Arrays.stream(pieces).mapToInt(piece -> piece.size).sum();
    path = new int[columns];
    step = new int[columns];
    rate = new double[columns];
    utility = new double[columns];
    for (int piece = 0, before = 0; piece < PIECES; before += pieces[piece++].size) {
      for (int i = firstGroup[piece(piece)]; i < firstGroup[piece(piece + 1)]; i++) {
        firstColumn[i + 1] += before;
      }
      int size = pieces[piece].size;
      System.arraycopy(pieces[piece].path, 0, path, before, size);
      System.arraycopy(pieces[piece].step, 0, step, before, size);
      System.arraycopy(pieces[piece].rate, 0, rate, before, size);
      System.arraycopy(pieces[piece].utility, 0, utility, before, size);
    }
  }

  /** The first pair of a piece of the work of making columns. */
  private int piece(int piece) {
    return (int) ((long) pairs * piece / PIECES);
  }

  /** 53 bits, spread evenly. */
  static long mixed(long number) {
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

  int paths(int pair) {
    return firstPath[pair + 1] - firstPath[pair];
  }

  /** What each path of the pair costs. */
  double[] pathPrices(int pair, double[] prices) {
    double[] sums = new double[paths(pair)];
    int way = firstPath[pair];
    for (int j = 0; j < sums.length; j++, way++) {
      double sum = 0;
      for (int h = firstHop[way]; h < firstHop[way + 1]; h++) {
        sum += prices[hops[h]];
      }
      sums[j] = sum;
    }
    return sums;
  }

  /** Adds what the paths of a pair carry to what the links carry. */
  void load(int pair, double[] onPath, double[] load) {
    int way = firstPath[pair];
    for (int j = 0; j < onPath.length; j++, way++) {
      for (int h = firstHop[way]; h < firstHop[way + 1]; h++) {
        load[hops[h]] += onPath[j];
      }
    }
  }

  /**
   * Adds what the paths of a pair have to do with each other to the lower half of a links-by-links
   * matrix.
   */
  void scatter(int pair, double[] bends, double[][] matrix) {
    int paths = paths(pair);
    for (int j = 0; j < paths; j++) {
      for (int k = 0; k <= j; k++) {
        double bend = bends[j * paths + k];
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
