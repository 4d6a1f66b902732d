package org.paceline.intents.check;

import java.util.Arrays;
import java.util.function.IntPredicate;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.unit.Latency;

/**
 * The cells and paths that a box still holds, and what follows for the loads of links. The rules,
 * and why they take away only what no feasible choice has, or what has an equal one that stays, are
 * in docs/algorithms/load-dependent-delay.md; their numbers are in the comments.
 */
final class OpenBox {
  private static final long NEVER = Long.MAX_VALUE;

  final BoxQuestion question;

  /** By chooser and cell of its menu. */
  final boolean[][] cells;

  /** By unit and path. */
  final boolean[][] paths;

  /** The interval of each link's load, in millibits per second. */
  final long[] least;

  final long[] most;
  private final boolean[][] mustCross;
  private boolean changed;

  private OpenBox(BoxQuestion question, boolean[][] cells, boolean[][] paths) {
    this.question = question;
    this.cells = cells;
    this.paths = paths;
    this.least = new long[question.world.links.length];
    this.most = new long[least.length];
    this.mustCross = new boolean[paths.length][least.length];
  }

  static OpenBox all(BoxQuestion question) {
    boolean[][] cells = new boolean[question.world.choosers.size()][0];
    for (int c : question.choosers) {
      cells[c] = new boolean[question.menus[c].length];
      Arrays.fill(cells[c], true);
    }
    boolean[][] paths = new boolean[question.world.units.size()][0];
    for (int u : question.units) {
      paths[u] = new boolean[question.world.units.get(u).paths.length];
      Arrays.fill(paths[u], true);
    }
    return new OpenBox(question, cells, paths);
  }

  private OpenBox copy() {
    return new OpenBox(question, copyOf(cells), copyOf(paths));
  }

  private static boolean[][] copyOf(boolean[][] all) {
    return Arrays.stream(all).map(boolean[]::clone).toArray(boolean[][]::new);
  }

  /** With those cells of the chooser only. */
  OpenBox withCells(int c, IntPredicate isKept) {
    OpenBox half = copy();
    keep(half.cells[c], isKept);
    return half;
  }

  /** With those paths of the unit only. */
  OpenBox withPaths(int u, IntPredicate isKept) {
    OpenBox half = copy();
    keep(half.paths[u], isKept);
    return half;
  }

  private static void keep(boolean[] open, IntPredicate isKept) {
    for (int i = 0; i < open.length; i++) {
      open[i] &= isKept.test(i);
    }
  }

  /**
   * Takes away what cannot be feasible, or with these prices not worth more than the bound.
   *
   * @return whether anything is left
   */
  boolean reduce(double[] prices) {
    while (settle()) {
      PricedBox free = new PricedBox(this, new double[least.length]);
      if (!free.isOpen()) {
        return false;
      }
      if (free.drop()) {
        continue;
      }
      PricedBox priced = new PricedBox(this, prices);
      if (!priced.isOpen()) {
        return false;
      }
      if (!priced.drop()) {
        return true;
      }
    }
    return false;
  }

  private boolean settle() {
    do {
      changed = false;
      if (isEmpty() || !boundLoads()) {
        return false;
      }
      question.units.forEach(this::closePaths);
      if (isEmpty()) {
        return false;
      }
      question.choosers.forEach(this::closeCells);
      if (isEmpty()) {
        return false;
      }
      orderAlike();
    } while (changed);
    return true;
  }

  private boolean isEmpty() {
    return question.choosers.stream().anyMatch(c -> first(cells[c]) < 0)
        || question.units.stream().anyMatch(u -> first(paths[u]) < 0);
  }

  /** -1 if none is open. */
  static int first(boolean[] open) {
    int i = 0;
    while (i < open.length && !open[i]) {
      i++;
    }
    return i < open.length ? i : -1;
  }

  private static int last(boolean[] open) {
    int i = open.length - 1;
    while (i >= 0 && !open[i]) {
      i--;
    }
    return i;
  }

  BoxWorld.Unit unit(int u) {
    return question.world.units.get(u);
  }

  /** Of the chooser's open cells, for one copy; menus are in the order of rates. */
  long leastRate(int c) {
    return question.menus[c][first(cells[c])].rate;
  }

  private long mostDelay(int c) {
    long longest = 0;
    for (int i = 0; i < cells[c].length; i++) {
      longest = cells[c][i] ? Math.max(longest, question.menus[c][i].delay) : longest;
    }
    return longest;
  }

  /** Rules 1 and 2. False if some link must carry more than it may. */
  private boolean boundLoads() {
    Arrays.fill(least, 0);
    for (int u : question.units) {
      BoxWorld.Unit unit = unit(u);
      for (int e = 0; e < least.length; e++) {
        mustCross[u][e] = allCross(u, e);
        least[e] += mustCross[u][e] ? unit.copies * leastRate(unit.chooser) : 0;
      }
    }
    for (int e = 0; e < most.length; e++) {
      most[e] = question.world.links[e].limitMillibits();
    }
    for (int u : question.units) {
      for (int e = 0; e < most.length; e++) {
        if (mustCross[u][e]) {
          most[e] = Math.min(most[e], mostWithin(u, e));
        }
      }
    }
    for (int e = 0; e < most.length; e++) {
      if (least[e] > most[e]) {
        return false;
      }
    }
    return true;
  }

  private boolean allCross(int u, int link) {
    for (int p = 0; p < paths[u].length; p++) {
      if (paths[u][p] && !BoxWorld.has(unit(u).paths[p], link)) {
        return false;
      }
    }
    return true;
  }

  /** The greatest load of a link at which a unit that must cross it may still be in time. */
  private long mostWithin(int u, int link) {
    LinkDelay delay = question.world.links[link].delay();
    if (delay.isConstant()) {
      return NEVER;
    }
    long rest = NEVER;
    for (int p = 0; p < paths[u].length; p++) {
      if (paths[u][p]) {
        long all = Arrays.stream(unit(u).paths[p]).mapToLong(e -> delayAt(e, least[e])).sum();
        rest = Math.min(rest, all - delayAt(link, least[link]));
      }
    }
    long budget = mostDelay(unit(u).chooser) - rest;
    if (budget < delay.least().nanos()) {
      return -1;
    }
    return delay.greatestLoadWithin(Latency.ofNanos(budget)).orElseThrow().millibitsPerSecond();
  }

  private long delayAt(int link, long load) {
    return question.delay(link, load);
  }

  /** Rule 3. */
  private void closePaths(int u) {
    long rate = unit(u).copies * leastRate(unit(u).chooser);
    long budget = mostDelay(unit(u).chooser);
    for (int p = 0; p < paths[u].length; p++) {
      if (paths[u][p] && delay(u, p, rate) > budget) {
        paths[u][p] = false;
        changed = true;
      }
    }
  }

  /**
   * The least delay of the unit's path in nanoseconds, if it brings the rate to links that it might
   * avoid; the greatest long if it does not fit.
   */
  long delay(int u, int p, long rate) {
    long sum = 0;
    for (int e : unit(u).paths[p]) {
      long load = least[e] + (mustCross[u][e] ? 0 : rate);
      if (load > most[e]) {
        return NEVER;
      }
      sum += delayAt(e, load);
    }
    return sum;
  }

  /** Rule 4. */
  private void closeCells(int c) {
    long[] copies = new long[least.length];
    for (int u : question.world.choosers.get(c).units) {
      for (int e = 0; e < copies.length; e++) {
        copies[e] += mustCross[u][e] ? unit(u).copies : 0;
      }
    }
    long base = leastRate(c);
    for (int i = 0; i < cells[c].length; i++) {
      BoxQuestion.Cell cell = question.menus[c][i];
      if (cells[c][i] && !isServed(c, cell, base, copies)) {
        cells[c][i] = false;
        changed = true;
      }
    }
  }

  private boolean isServed(int c, BoxQuestion.Cell cell, long base, long[] copies) {
    for (int u : question.world.choosers.get(c).units) {
      boolean isInTime = false;
      for (int p = 0; p < paths[u].length && !isInTime; p++) {
        isInTime = paths[u][p] && isInTime(u, p, cell, base, copies);
      }
      if (!isInTime) {
        return false;
      }
    }
    return true;
  }

  private boolean isInTime(int u, int p, BoxQuestion.Cell cell, long base, long[] copies) {
    long sum = 0;
    for (int e : unit(u).paths[p]) {
      long own = mustCross[u][e] ? 0 : unit(u).copies * cell.rate;
      long load = least[e] + (cell.rate - base) * copies[e] + own;
      if (load > most[e]) {
        return false;
      }
      sum += delayAt(e, load);
    }
    return sum <= cell.delay;
  }

  /** Rule 5. */
  private void orderAlike() {
    for (int c : question.choosers) {
      int before = question.world.choosers.get(c).before;
      if (before >= 0) {
        order(cells[before], cells[c]);
      }
    }
    for (int u : question.units) {
      if (unit(u).before >= 0) {
        order(paths[unit(u).before], paths[u]);
      }
    }
  }

  private void order(boolean[] before, boolean[] after) {
    int from = first(before);
    for (int i = 0; i < from; i++) {
      changed |= after[i];
      after[i] = false;
    }
    for (int i = last(after) + 1; i < before.length; i++) {
      changed |= before[i];
      before[i] = false;
    }
  }
}
