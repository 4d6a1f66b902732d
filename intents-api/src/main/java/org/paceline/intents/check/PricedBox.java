package org.paceline.intents.check;

import java.util.Arrays;

/**
 * What a settled box is worth at most by prices of its links: what these earn at their greatest
 * loads and, for each chooser, the most that an open cell is worth above its cheapest open paths
 * that may be in time.
 */
final class PricedBox {
  /** Doubles' sums of thousands of terms are off by less than this share of their magnitudes. */
  private static final double ROUND_OFF = 1e-12;

  private final OpenBox box;
  private final BoxQuestion question;

  /** By chooser and cell, what it is worth above its paths. */
  private final double[][] worth;

  /** By unit and cell of its chooser, the price of the cheapest path. */
  private final double[][] cheapest;

  /** By unit and path. */
  private final double[][] prices;

  private final long[][] delays;
  private final double value;

  /**
   * @param linkPrices billionths of utility per millibit per second
   */
  PricedBox(OpenBox box, double[] linkPrices) {
    this.box = box;
    this.question = box.question;
    this.worth = new double[box.cells.length][];
    this.cheapest = new double[box.paths.length][];
    this.prices = new double[box.paths.length][];
    this.delays = new long[box.paths.length][];
    double sum = 0;
    double magnitude = 0;
    for (int e = 0; e < linkPrices.length; e++) {
      sum += linkPrices[e] * box.most[e];
    }
    magnitude += sum;
    for (int u : question.units) {
      pricePaths(u, linkPrices);
    }
    for (int c : question.choosers) {
      priceCells(c);
      double best = Arrays.stream(worth[c]).max().orElse(Double.NEGATIVE_INFINITY);
      if (best > Double.NEGATIVE_INFINITY) {
        magnitude += Arrays.stream(question.menus[c]).mapToLong(i -> i.worth).max().orElse(0);
        magnitude += Math.abs(best);
      }
      sum += best;
    }
    this.value = sum + ROUND_OFF * magnitude;
  }

  private void pricePaths(int u, double[] linkPrices) {
    BoxWorld.Unit unit = box.unit(u);
    long rate = unit.copies * box.leastRate(unit.chooser);
    prices[u] = new double[unit.paths.length];
    delays[u] = new long[unit.paths.length];
    for (int p = 0; p < unit.paths.length; p++) {
      delays[u][p] = box.delay(u, p, rate);
      prices[u][p] = Arrays.stream(unit.paths[p]).mapToDouble(e -> linkPrices[e]).sum();
    }
    BoxQuestion.Cell[] menu = question.menus[unit.chooser];
    cheapest[u] = new double[menu.length];
    for (int i = 0; i < menu.length; i++) {
      cheapest[u][i] = Double.POSITIVE_INFINITY;
      for (int p = 0; p < unit.paths.length; p++) {
        if (box.paths[u][p] && delays[u][p] <= menu[i].delay) {
          cheapest[u][i] = Math.min(cheapest[u][i], prices[u][p]);
        }
      }
    }
  }

  private void priceCells(int c) {
    BoxQuestion.Cell[] menu = question.menus[c];
    worth[c] = new double[menu.length];
    Arrays.fill(worth[c], Double.NEGATIVE_INFINITY);
    for (int i = 0; i < menu.length; i++) {
      double price = 0;
      boolean isServed = box.cells[c][i];
      for (int u : question.world.choosers.get(c).units) {
        isServed &= cheapest[u][i] < Double.POSITIVE_INFINITY;
        price += isServed ? box.unit(u).copies * cheapest[u][i] : 0;
      }
      if (isServed) {
        worth[c][i] = menu[i].worth - menu[i].rate * price;
      }
    }
  }

  /** Whether something in it may be worth more than the bound. */
  boolean isOpen() {
    return isAbove(value);
  }

  /** What is worth anything is so in whole billionths. */
  private boolean isAbove(double most) {
    return most >= question.bound + 1.0;
  }

  /** Takes cells and paths with which nothing is; whether there were any. */
  boolean drop() {
    boolean dropped = false;
    for (int c : question.choosers) {
      double best = Arrays.stream(worth[c]).max().orElseThrow();
      for (int i = 0; i < worth[c].length; i++) {
        if (box.cells[c][i] && !isAbove(value - best + worth[c][i])) {
          box.cells[c][i] = false;
          dropped = true;
        }
      }
      for (int u : question.world.choosers.get(c).units) {
        dropped |= dropPaths(u, value - best);
      }
    }
    return dropped;
  }

  private boolean dropPaths(int u, double others) {
    boolean dropped = false;
    for (int p = 0; p < prices[u].length; p++) {
      if (box.paths[u][p] && !isAbove(others + bestOver(u, p))) {
        box.paths[u][p] = false;
        dropped = true;
      }
    }
    return dropped;
  }

  /** What the unit's chooser is worth at most if the unit takes the path. */
  private double bestOver(int u, int p) {
    BoxWorld.Unit unit = box.unit(u);
    BoxQuestion.Cell[] menu = question.menus[unit.chooser];
    double best = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < menu.length; i++) {
      if (worth[unit.chooser][i] > Double.NEGATIVE_INFINITY && delays[u][p] <= menu[i].delay) {
        double dearer = unit.copies * (double) menu[i].rate * (prices[u][p] - cheapest[u][i]);
        best = Math.max(best, worth[unit.chooser][i] - dearer);
      }
    }
    return best;
  }
}
