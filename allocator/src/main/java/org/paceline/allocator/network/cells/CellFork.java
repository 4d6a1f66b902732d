package org.paceline.allocator.network.cells;

import java.util.BitSet;
import java.util.Optional;

/** A type whose cells are divided in two, so that the programme can no longer mix them. */
final class CellFork {
  private static final double SMALL = 1e-7;

  final int type;
  final BitSet one = new BitSet();
  final BitSet other = new BitSet();

  private CellFork(int type) {
    this.type = type;
  }

  /**
   * The type that gains most by its mix is divided at the mix's rate; where none mixes, one cell is
   * parted from the rest. Empty where each type has one cell left.
   *
   * @param chosen a cell of each type that is left to it
   */
  static Optional<CellFork> of(TypeCells cells, BitSet[] left, CellPrices prices, int[] chosen) {
    int type = -1;
    double most = 0;
    for (int t = 0; t < left.length; t++) {
      double gain = gain(cells, t, left[t], prices.mix(t));
      if (gain > most) {
        most = gain;
        type = t;
      }
    }
    return type < 0 ? single(left, chosen) : Optional.of(atMean(cells, type, left, prices));
  }

  private static Optional<CellFork> single(BitSet[] left, int[] chosen) {
    int type = -1;
    for (int t = 0; t < left.length; t++) {
      int size = left[t].cardinality();
      type = size > 1 && (type < 0 || size < left[type].cardinality()) ? t : type;
    }
    if (type < 0) {
      return Optional.empty();
    }
    CellFork fork = new CellFork(type);
    fork.one.set(chosen[type]);
    fork.other.or(left[type]);
    fork.other.clear(chosen[type]);
    return Optional.of(fork);
  }

  private static CellFork atMean(TypeCells cells, int type, BitSet[] left, CellPrices prices) {
    double[] mix = prices.mix(type);
    int last = lastBelow(cells, type, left[type], mean(cells, type, left[type], mix));
    if (left[type].nextSetBit(last + 1) < 0) {
      // All that are mixed have one rate: the first of them is parted from those that follow.
      last = used(left[type], mix, 0);
    }
    CellFork fork = new CellFork(type);
    for (int c = left[type].nextSetBit(0); c >= 0; c = left[type].nextSetBit(c + 1)) {
      (c <= last ? fork.one : fork.other).set(c);
    }
    return fork;
  }

  /** The next cell from there on that the mix has; minus one if there is none. */
  static int used(BitSet left, double[] mix, int from) {
    int c = left.nextSetBit(from);
    while (c >= 0 && mix[c] <= SMALL) {
      c = left.nextSetBit(c + 1);
    }
    return c;
  }

  /** What the mix is worth more than the best cell that needs no more rate. */
  private static double gain(TypeCells cells, int type, BitSet left, double[] mix) {
    int first = used(left, mix, 0);
    if (first < 0 || used(left, mix, first + 1) < 0) {
      return 0;
    }
    double utility = 0;
    double share = 0;
    for (int c = first; c >= 0; c = left.nextSetBit(c + 1)) {
      utility += mix[c] * cells.cell(type, c).utility;
      share += mix[c];
    }
    int last = lastBelow(cells, type, left, mean(cells, type, left, mix));
    long best = 0;
    for (int c = left.nextSetBit(0); c >= 0 && c <= last; c = left.nextSetBit(c + 1)) {
      best = Math.max(best, cells.cell(type, c).utility);
    }
    return Math.max(1, utility / share - best);
  }

  private static double mean(TypeCells cells, int type, BitSet left, double[] mix) {
    double rate = 0;
    double share = 0;
    for (int c = left.nextSetBit(0); c >= 0; c = left.nextSetBit(c + 1)) {
      rate += mix[c] * cells.cell(type, c).rate;
      share += mix[c];
    }
    return rate / share;
  }

  private static int lastBelow(TypeCells cells, int type, BitSet left, double rate) {
    int last = left.nextSetBit(0);
    for (int c = last; c >= 0 && cells.cell(type, c).rate <= rate; c = left.nextSetBit(c + 1)) {
      last = c;
    }
    return last;
  }
}
