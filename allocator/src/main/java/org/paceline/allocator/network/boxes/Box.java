package org.paceline.allocator.network.boxes;

import java.util.Arrays;
import java.util.BitSet;

/**
 * What is still open: for each chooser some cells, for each unit some paths, and with them for each
 * link an interval of loads. {@link #settle} takes away what no feasible choice in the box has.
 *
 * <p>A link carries at least what those units bring that must cross it, at their least rates. As
 * delay never falls with load, it then takes at least its delay at that load; so a path takes at
 * least the sum, and a link may carry no more than what leaves a unit that must cross it within its
 * greatest delay. docs/algorithms/load-dependent-delay.md has the rules and why they hold.
 */
final class Box {
  private final Question question;
  final BitSet[] cells;
  final BitSet[] paths;

  /** The interval of each link's load in millibits per second; up to date when settled. */
  final long[] least;

  final long[] most;

  /** By unit and link, whether all paths that were open when loads were bounded cross it. */
  private final boolean[][] mustCross;

  private boolean changed;

  private Box(Question question, BitSet[] cells, BitSet[] paths) {
    this.question = question;
    this.cells = cells;
    this.paths = paths;
    this.least = new long[question.links()];
    this.most = new long[question.links()];
    this.mustCross = new boolean[paths.length][question.links()];
  }

  static Box all(Question question) {
    BitSet[] cells = new BitSet[question.field.choosers.size()];
    for (int c : question.choosers) {
      cells[c] = full(question.menus[c].size());
    }
    BitSet[] paths = new BitSet[question.field.units.size()];
    for (int u : question.units) {
      paths[u] = full(question.unit(u).paths.length);
    }
    return new Box(question, cells, paths);
  }

  private static BitSet full(int size) {
    BitSet all = new BitSet(size);
    all.set(0, size);
    return all;
  }

  Box copy() {
    Box copy = new Box(question, cells.clone(), paths.clone());
    for (int c : question.choosers) {
      copy.cells[c] = (BitSet) cells[c].clone();
    }
    for (int u : question.units) {
      copy.paths[u] = (BitSet) paths[u].clone();
    }
    return copy;
  }

  /** The greatest delay, in nanoseconds, that a cell still open to the chooser bears. */
  long mostDelay(int c) {
    long most = -1;
    for (int i = cells[c].nextSetBit(0); i >= 0; i = cells[c].nextSetBit(i + 1)) {
      most = Math.max(most, question.menus[c].delay[i]);
    }
    return most;
  }

  /** Menus are in the order of rates. */
  long leastRate(int c) {
    return question.menus[c].rate[cells[c].nextSetBit(0)];
  }

  /** Whether every path still open to the unit crosses the link. */
  boolean mustCross(int u, int link) {
    return mustCross[u][link];
  }

  private void findLinksToCross(int u) {
    int[][] all = question.unit(u).paths;
    int first = paths[u].nextSetBit(0);
    Arrays.fill(mustCross[u], false);
    for (int e : all[first]) {
      boolean must = true;
      for (int p = paths[u].nextSetBit(first + 1); p >= 0 && must; p = paths[u].nextSetBit(p + 1)) {
        must = has(all[p], e);
      }
      mustCross[u][e] = must;
    }
  }

  static boolean has(int[] path, int link) {
    for (int e : path) {
      if (e == link) {
        return true;
      }
    }
    return false;
  }

  private void drop(BitSet open, int index) {
    open.clear(index);
    changed = true;
  }

  /** Until nothing changes. False if nothing feasible is left in the box. */
  boolean settle() {
    do {
      changed = false;
      if (!isOpen() || !boundLoads()) {
        return false;
      }
      for (int u : question.units) {
        dropPaths(u);
        if (paths[u].isEmpty()) {
          return false;
        }
      }
      for (int c : question.choosers) {
        dropCells(c);
        if (cells[c].isEmpty()) {
          return false;
        }
      }
      orderTwins();
    } while (changed);
    return true;
  }

  private boolean isOpen() {
    return Arrays.stream(question.choosers).noneMatch(c -> cells[c].isEmpty())
        && Arrays.stream(question.units).noneMatch(u -> paths[u].isEmpty());
  }

  /** False if some link must carry more than it may. */
  private boolean boundLoads() {
    Arrays.fill(least, 0);
    for (int u : question.units) {
      Field.Unit unit = question.unit(u);
      long rate = unit.copies * leastRate(unit.chooser);
      findLinksToCross(u);
      for (int e : unit.paths[paths[u].nextSetBit(0)]) {
        if (mustCross(u, e)) {
          least[e] += rate;
        }
      }
    }
    for (int e = 0; e < most.length; e++) {
      most[e] = question.limit(e);
    }
    for (int u : question.units) {
      boundByDelay(u);
    }
    for (int e = 0; e < most.length; e++) {
      if (least[e] > most[e]) {
        return false;
      }
    }
    return true;
  }

  private void boundByDelay(int u) {
    Field.Unit unit = question.unit(u);
    long budget = mostDelay(unit.chooser);
    for (int e : unit.paths[paths[u].nextSetBit(0)]) {
      if (question.field.delay(e).isConstant() || !mustCross(u, e)) {
        continue;
      }
      long rest = Long.MAX_VALUE;
      for (int p = paths[u].nextSetBit(0); p >= 0; p = paths[u].nextSetBit(p + 1)) {
        rest = Math.min(rest, leastDelay(unit.paths[p]) - question.delay(e, least[e]));
      }
      if (question.delay(e, most[e]) > budget - rest) {
        most[e] = Math.min(most[e], question.greatestLoad(e, budget - rest));
      }
    }
  }

  /** Of the path in nanoseconds, at the least loads of its links. */
  private long leastDelay(int[] path) {
    long sum = 0;
    for (int e : path) {
      sum += question.delay(e, least[e]);
    }
    return sum;
  }

  private void dropPaths(int u) {
    Field.Unit unit = question.unit(u);
    if (paths[u].cardinality() == 1) {
      return;
    }
    long rate = unit.copies * leastRate(unit.chooser);
    long budget = mostDelay(unit.chooser);
    for (int p = paths[u].nextSetBit(0); p >= 0; p = paths[u].nextSetBit(p + 1)) {
      if (delay(u, p, rate) > budget) {
        drop(paths[u], p);
      }
    }
  }

  /**
   * The least delay of the unit's path in nanoseconds if it brings the rate to links that it might
   * avoid; {@code Long.MAX_VALUE} if it does not fit.
   */
  long delay(int u, int p, long rate) {
    long sum = 0;
    for (int e : question.unit(u).paths[p]) {
      long load = least[e] + (mustCross(u, e) ? 0 : rate);
      if (load > most[e]) {
        return Long.MAX_VALUE;
      }
      sum += question.delay(e, load);
    }
    return sum;
  }

  /** Cells of which a unit has no path left at their rate and delay. */
  private void dropCells(int c) {
    Menu menu = question.menus[c];
    long[] copies = copiesThatMustCross(c);
    long base = leastRate(c);
    long rate = -1;
    long delay = 0;
    for (int i = cells[c].nextSetBit(0); i >= 0; i = cells[c].nextSetBit(i + 1)) {
      if (menu.rate[i] != rate) {
        rate = menu.rate[i];
        delay = leastDelay(c, rate, base, copies);
      }
      if (menu.delay[i] < delay) {
        drop(cells[c], i);
      }
    }
  }

  private long[] copiesThatMustCross(int c) {
    long[] copies = new long[least.length];
    for (int u : question.chooser(c).units) {
      for (int e = 0; e < copies.length; e++) {
        copies[e] += mustCross(u, e) ? question.unit(u).copies : 0;
      }
    }
    return copies;
  }

  /** The delay that all units of the chooser need at least at the rate. */
  private long leastDelay(int c, long rate, long base, long[] copies) {
    long needed = 0;
    for (int u : question.chooser(c).units) {
      Field.Unit unit = question.unit(u);
      long fastest = Long.MAX_VALUE;
      for (int p = paths[u].nextSetBit(0); p >= 0; p = paths[u].nextSetBit(p + 1)) {
        long sum = 0;
        for (int e : unit.paths[p]) {
          long load =
              least[e] + (rate - base) * copies[e] + (mustCross(u, e) ? 0 : unit.copies * rate);
          if (load > most[e]) {
            sum = Long.MAX_VALUE;
            break;
          }
          sum += question.delay(e, load);
        }
        fastest = Math.min(fastest, sum);
      }
      needed = Math.max(needed, fastest);
    }
    return needed;
  }

  /** Twins may be exchanged, so that only choices in their order need to be looked at. */
  private void orderTwins() {
    for (int c : question.choosers) {
      if (question.chooser(c).twin >= 0) {
        order(cells[question.chooser(c).twin], cells[c]);
      }
    }
    for (int u : question.units) {
      if (question.unit(u).twin >= 0) {
        order(paths[question.unit(u).twin], paths[u]);
      }
    }
  }

  private void order(BitSet first, BitSet second) {
    int from = first.nextSetBit(0);
    for (int i = second.nextSetBit(0); i >= 0 && i < from; i = second.nextSetBit(i + 1)) {
      drop(second, i);
    }
    int to = second.length();
    for (int i = first.nextSetBit(to); i >= 0; i = first.nextSetBit(i + 1)) {
      drop(first, i);
    }
  }

  Choice first() {
    int[] cell = new int[cells.length];
    int[] path = new int[paths.length];
    for (int c : question.choosers) {
      cell[c] = cells[c].nextSetBit(0);
    }
    for (int u : question.units) {
      path[u] = paths[u].nextSetBit(0);
    }
    return new Choice(question, cell, path);
  }
}
