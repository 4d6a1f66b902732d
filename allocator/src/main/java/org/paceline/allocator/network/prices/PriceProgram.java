package org.paceline.allocator.network.prices;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.paceline.allocator.network.groups.Demands;
import org.paceline.allocator.network.groups.Offers;
import org.paceline.allocator.network.groups.Profile;
import org.paceline.allocator.network.groups.Ways;

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

  final PathTable paths;

  /** By column: the number of its path in its pair. */
  final int[] path;

  /** By column: the step of its profile. */
  final int[] step;

  final double[] rate;
  final double[] utility;

  /** Only columns whose worth at the prices is at most so much below their group's best. */
  PriceProgram(Offers offers, double[] at, double within) {
    Demands demands = offers.demands();
    Ways ways = offers.ways();
    links = ways.topology().links();
    limits = new double[links];
    for (int e = 0; e < links; e++) {
      limits[e] = ways.topology().limit(e) / Profile.SCALE;
    }
    pairs = demands.pairs();
    groups = demands.groups();
    firstGroup = new int[pairs + 1];
    firstColumn = new int[groups + 1];
    count = new double[groups];
    paths = new PathTable(ways, pairs);
    for (int g = 0; g < groups; g++) {
      count[g] = demands.group(g).count();
      firstGroup[demands.group(g).pair() + 1] = g + 1;
    }
    PriceColumns[] pieces = new PriceColumns[PIECES];
    IntStream.range(0, PIECES)
        .parallel()
        .forEach(
            piece -> {
              pieces[piece] = new PriceColumns(offers, within);
              int end = piece(piece + 1);
              for (int p = piece(piece); p < end; p++) {
                double[] cost = paths.prices(p, at);
                for (int g = firstGroup[p]; g < firstGroup[p + 1]; g++) {
                  firstColumn[g + 1] = pieces[piece].add(g, cost);
                }
              }
            });
    int columns = Arrays.stream(pieces).mapToInt(piece -> piece.size).sum();
    path = new int[columns];
    step = new int[columns];
    rate = new double[columns];
    utility = new double[columns];
    for (int piece = 0, before = 0; piece < PIECES; before += pieces[piece++].size) {
      for (int g = firstGroup[piece(piece)]; g < firstGroup[piece(piece + 1)]; g++) {
        firstColumn[g + 1] += before;
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
}
