package org.paceline.allocator.network.boxes;

import java.util.Arrays;
import org.paceline.intents.utility.UtilityFunction;

/** A cell for each chooser and a path for each unit of a question, feasible or not. */
final class Choice {
  private final Question question;

  /** By chooser of the field, a cell of its menu. */
  final int[] cells;

  /** By unit of the field. */
  final int[] paths;

  Choice(Question question, int[] cells, int[] paths) {
    this.question = question;
    this.cells = cells;
    this.paths = paths;
  }

  Choice copy() {
    return new Choice(question, cells.clone(), paths.clone());
  }

  long worth() {
    return Arrays.stream(question.choosers).mapToLong(c -> question.menus[c].worth[cells[c]]).sum();
  }

  long[] loads() {
    long[] loads = new long[question.links()];
    for (int u : question.units) {
      Field.Unit unit = question.unit(u);
      long rate = unit.copies * question.menus[unit.chooser].rate[cells[unit.chooser]];
      for (int link : unit.paths[paths[u]]) {
        loads[link] += rate;
      }
    }
    return loads;
  }

  /** Nanoseconds of the unit's path under the loads. */
  long delay(int u, long[] loads) {
    long delay = 0;
    for (int link : question.unit(u).paths[paths[u]]) {
      delay += question.delay(link, loads[link]);
    }
    return delay;
  }

  boolean isFeasible() {
    long[] loads = loads();
    for (int e = 0; e < loads.length; e++) {
      if (loads[e] > question.limit(e)) {
        return false;
      }
    }
    for (int u : question.units) {
      int c = question.unit(u).chooser;
      if (delay(u, loads) > question.menus[c].delay[cells[c]]) {
        return false;
      }
    }
    return true;
  }

  /**
   * The greatest utility, in billionths, that the chooser can have for no more than its rate at the
   * delays that there are now.
   */
  long regraded(int c) {
    long[] loads = loads();
    long needed = 0;
    for (int u : question.chooser(c).units) {
      needed = Math.max(needed, delay(u, loads));
    }
    UtilityFunction function = question.chooser(c).function;
    long rate = question.menus[c].rate[cells[c]];
    long best = 0;
    for (int t = 0; t < function.throughputBins(); t++) {
      for (int d = 0; d < function.delayBins(); d++) {
        if (function.rateMillibits(t) <= rate && function.delayNanos(d) >= needed) {
          best = Math.max(best, function.utilityBillionths(t, d));
        }
      }
    }
    return best;
  }

  /** The same for another question about the same part, whose menus hold as good cells. */
  Choice in(Question other) {
    Choice same = new Choice(other, cells.clone(), paths.clone());
    long[] loads = loads();
    for (int c : question.choosers) {
      long needed = 0;
      for (int u : question.chooser(c).units) {
        needed = Math.max(needed, delay(u, loads));
      }
      long rate = question.menus[c].rate[cells[c]];
      Menu menu = other.menus[c];
      int best = -1;
      for (int i = 0; i < menu.size() && menu.rate[i] <= rate; i++) {
        if (menu.delay[i] >= needed && (best < 0 || menu.worth[i] > menu.worth[best])) {
          best = i;
        }
      }
      same.cells[c] = best;
    }
    return same;
  }

  /**
   * Feasible, and no other cell of one chooser and no other path of one unit makes it worth more.
   * This must be feasible.
   */
  Choice improved() {
    Choice best = copy();
    boolean improving = true;
    while (improving) {
      improving = false;
      for (int c : question.choosers) {
        improving |= best.improveCell(c);
      }
      for (int u : question.units) {
        improving |= best.improvePath(u);
      }
    }
    return best;
  }

  private boolean improveCell(int c) {
    Menu menu = question.menus[c];
    int present = cells[c];
    int best = present;
    for (int i = 0; i < menu.size(); i++) {
      if (menu.worth[i] > menu.worth[best]) {
        cells[c] = i;
        best = isFeasible() ? i : best;
      }
    }
    cells[c] = best;
    return best != present;
  }

  /** Another path pays if with it the unit's chooser can have a better cell. */
  private boolean improvePath(int u) {
    int present = paths[u];
    int c = question.unit(u).chooser;
    int cell = cells[c];
    for (int p = 0; p < question.unit(u).paths.length; p++) {
      paths[u] = p;
      if (p != present && improveCell(c)) {
        return true;
      }
      cells[c] = cell;
    }
    paths[u] = present;
    return false;
  }
}
