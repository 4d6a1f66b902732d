package org.paceline.allocator.network.boxes;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Bounds what is feasible in a box by prices of links, from 0: no choice is worth more than what
 * the links earn at their greatest loads, and for each chooser the most that a cell is worth above
 * the price of its cheapest paths.
 *
 * <p>What a cell lacks to the best of its chooser is lacking to the bound if the cell is taken; if
 * that is too much, {@link #drop} takes the cell from the box. The same with paths.
 */
final class PriceBound {
  /** Sums of doubles are off by less than this share of the sum of their magnitudes. */
  private static final double ROUND_OFF = 1e-12;

  private final Question question;
  private final Box box;
  private final double[] prices;
  private final double[][] values;
  private final double[][] pathPrices;
  private final long[][] pathDelays;
  private double value;
  private double magnitude;

  /** The best cells and their cheapest paths. */
  final Choice choice;

  /**
   * @param box settled
   * @param prices billionths of utility per millibit per second
   */
  PriceBound(Question question, Box box, double[] prices) {
    this.question = question;
    this.box = box;
    this.prices = prices;
    this.values = new double[box.cells.length][];
    this.pathPrices = new double[box.paths.length][];
    this.pathDelays = new long[box.paths.length][];
    this.choice = box.first();
    for (int e = 0; e < prices.length; e++) {
      value += prices[e] * box.most[e];
    }
    magnitude = value;
    for (int c : question.choosers) {
      addBest(c);
    }
  }

  private void addBest(int c) {
    Menu menu = question.menus[c];
    Field.Chooser chooser = question.chooser(c);
    double[] worth = new double[menu.size()];
    for (int i = box.cells[c].nextSetBit(0); i >= 0; i = box.cells[c].nextSetBit(i + 1)) {
      worth[i] = menu.worth[i];
    }
    for (int u : chooser.units) {
      pricePaths(u);
      for (int i = box.cells[c].nextSetBit(0); i >= 0; i = box.cells[c].nextSetBit(i + 1)) {
        int path = cheapest(u, menu.delay[i]);
        double price = path < 0 ? 0 : pathPrices[u][path];
        worth[i] -= question.unit(u).copies * (double) menu.rate[i] * price;
      }
    }
    int best = -1;
    for (int i = box.cells[c].nextSetBit(0); i >= 0; i = box.cells[c].nextSetBit(i + 1)) {
      best = best < 0 || worth[i] > worth[best] ? i : best;
    }
    values[c] = worth;
    value += worth[best];
    magnitude += menu.worth[best] + Math.abs(worth[best] - menu.worth[best]);
    choice.cells[c] = best;
    for (int u : chooser.units) {
      int path = cheapest(u, menu.delay[best]);
      choice.paths[u] = path < 0 ? box.paths[u].nextSetBit(0) : path;
    }
  }

  private void pricePaths(int u) {
    Field.Unit unit = question.unit(u);
    long least = unit.copies * box.leastRate(unit.chooser);
    pathDelays[u] = new long[unit.paths.length];
    pathPrices[u] = new double[unit.paths.length];
    for (int p = box.paths[u].nextSetBit(0); p >= 0; p = box.paths[u].nextSetBit(p + 1)) {
      pathDelays[u][p] = box.delay(u, p, least);
      for (int e : unit.paths[p]) {
        pathPrices[u][p] += prices[e];
      }
    }
  }

  /** Of the open paths that may be within the delay; -1 if there is none. */
  private int cheapest(int u, long delay) {
    BitSet open = box.paths[u];
    int best = -1;
    for (int p = open.nextSetBit(0); p >= 0; p = open.nextSetBit(p + 1)) {
      if (pathDelays[u][p] <= delay && (best < 0 || pathPrices[u][p] < pathPrices[u][best])) {
        best = p;
      }
    }
    return best;
  }

  double value() {
    return value;
  }

  /** Nothing in the box is worth more: billionths. */
  long bound() {
    return (long) Math.floor(value + ROUND_OFF * magnitude);
  }

  /** How much room each link has beside the choice, in millibits per second; below 0 if none. */
  double[] room() {
    long[] loads = choice.loads();
    double[] room = new double[loads.length];
    for (int e = 0; e < room.length; e++) {
      room[e] = box.most[e] - loads[e];
    }
    return room;
  }

  /** Takes cells and paths with which nothing is worth more than what is known. */
  boolean drop(long known) {
    double slack = value + ROUND_OFF * magnitude - known - 1;
    boolean dropped = false;
    for (int c : question.choosers) {
      double best = values[c][choice.cells[c]];
      for (int i = box.cells[c].nextSetBit(0); i >= 0; i = box.cells[c].nextSetBit(i + 1)) {
        if (slack - best + values[c][i] < 0) {
          box.cells[c].clear(i);
          dropped = true;
        }
      }
    }
    for (int u : question.units) {
      dropped |= box.paths[u].cardinality() > 1 && dropPaths(u, slack);
    }
    return dropped;
  }

  /** Those that are not worth it with any cell of the unit's chooser that they may serve. */
  private boolean dropPaths(int u, double slack) {
    int c = question.unit(u).chooser;
    double others = slack - values[c][choice.cells[c]];
    double[] over = bestOver(u);
    boolean dropped = false;
    for (int p = box.paths[u].nextSetBit(0); p >= 0; p = box.paths[u].nextSetBit(p + 1)) {
      if (others + over[p] < 0) {
        box.paths[u].clear(p);
        dropped = true;
      }
    }
    return dropped;
  }

  /**
   * By path, the most that a cell of the unit's chooser is worth if the unit takes it. What a path
   * costs more than the cheapest is lost to a cell that may take that, not to one that bears no
   * other.
   */
  private double[] bestOver(int u) {
    Field.Unit unit = question.unit(u);
    int c = unit.chooser;
    Menu menu = question.menus[c];
    double[] best = new double[unit.paths.length];
    Arrays.fill(best, Double.NEGATIVE_INFINITY);
    for (int i = box.cells[c].nextSetBit(0); i >= 0; i = box.cells[c].nextSetBit(i + 1)) {
      int cheapest = cheapest(u, menu.delay[i]);
      for (int p = box.paths[u].nextSetBit(0); p >= 0; p = box.paths[u].nextSetBit(p + 1)) {
        if (pathDelays[u][p] <= menu.delay[i]) {
          double dearer = pathPrices[u][p] - pathPrices[u][cheapest];
          best[p] = Math.max(best[p], values[c][i] - unit.copies * (double) menu.rate[i] * dearer);
        }
      }
    }
    return best;
  }
}
