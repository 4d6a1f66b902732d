package org.paceline.allocator.network.boxes;

import java.util.BitSet;
import java.util.function.LongPredicate;
import org.paceline.intents.problem.BoxSplit;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;

/**
 * Parts a box in two that together hold all of it: by the rate or the delay of a chooser's cell, or
 * by whether a unit's path crosses a link.
 *
 * <p>Where to part is told by a choice that is best if links only have prices. It overloads a link,
 * or a path takes longer under its loads than a cell bears; the chooser or unit that adds most
 * beyond the least it must is parted. If the choice is feasible but not good enough for the bound,
 * the chooser whose cells differ most in worth is.
 */
final class Parting {
  /** All of a box, in two. */
  static final class Halves {
    /** For those who go after it. */
    final BoxSplit split;

    final Box first;
    final Box second;

    private Halves(BoxSplit split, Box first, Box second) {
      this.split = split;
      this.first = first;
      this.second = second;
    }
  }

  private final Question question;
  private final Box box;
  private final Choice choice;
  private final long[] loads;

  private Parting(Question question, Box box, Choice choice) {
    this.question = question;
    this.box = box;
    this.choice = choice;
    this.loads = choice.loads();
  }

  /**
   * @param box settled, with more than one choice
   */
  static Halves of(Question question, Box box, Choice choice) {
    return new Parting(question, box, choice).halves();
  }

  private Halves halves() {
    int link = mostOverloaded();
    if (link >= 0) {
      return byLink(link);
    }
    for (int u : question.units) {
      long delay = choice.delay(u, loads);
      int c = question.unit(u).chooser;
      if (delay > question.menus[c].delay[choice.cells[c]]) {
        return box.mostDelay(c) >= delay ? byDelay(c, delay) : byLink(slowedMost(u));
      }
    }
    return byWorth();
  }

  /** By share of what it may carry; -1 if none is. */
  private int mostOverloaded() {
    int most = -1;
    double worst = 0;
    for (int e = 0; e < loads.length; e++) {
      double over = (loads[e] - box.most[e]) / (box.most[e] + 1.0);
      if (over > worst) {
        worst = over;
        most = e;
      }
    }
    return most;
  }

  /** The link of the unit's path that the loads slow down most beyond the least ones. */
  private int slowedMost(int u) {
    int slowest = -1;
    long most = -1;
    for (int e : question.unit(u).paths[choice.paths[u]]) {
      long slower = question.delay(e, loads[e]) - question.delay(e, box.least[e]);
      if (slower > most) {
        most = slower;
        slowest = e;
      }
    }
    return slowest;
  }

  /** By whoever adds most to the link beyond the least; somebody does. */
  private Halves byLink(int link) {
    long[] added = new long[question.menus.length];
    int avoider = -1;
    long most = 0;
    for (int u : question.units) {
      Field.Unit unit = question.unit(u);
      if (Box.has(unit.paths[choice.paths[u]], link)) {
        long rate = question.menus[unit.chooser].rate[choice.cells[unit.chooser]];
        added[unit.chooser] += unit.copies * (rate - box.leastRate(unit.chooser));
        if (!box.mustCross(u, link) && unit.copies * rate > most) {
          most = unit.copies * rate;
          avoider = u;
        }
      }
    }
    int chooser = -1;
    for (int c : question.choosers) {
      if (added[c] > most) {
        most = added[c];
        chooser = c;
      }
    }
    if (chooser >= 0) {
      long least = box.leastRate(chooser);
      long rate = question.menus[chooser].rate[choice.cells[chooser]];
      long middle = least + (rate - least) / 2;
      return byRate(chooser, middle);
    }
    return byPath(avoider, link);
  }

  private Halves byWorth() {
    int widest = -1;
    long most = -1;
    for (int c : question.choosers) {
      if (box.cells[c].cardinality() > 1) {
        long worth = question.menus[c].worth[choice.cells[c]];
        long lacking = 0;
        BitSet cells = box.cells[c];
        for (int i = cells.nextSetBit(0); i >= 0; i = cells.nextSetBit(i + 1)) {
          lacking = Math.max(lacking, Math.abs(question.menus[c].worth[i] - worth));
        }
        if (lacking > most) {
          most = lacking;
          widest = c;
        }
      }
    }
    Menu menu = question.menus[widest];
    BitSet cells = box.cells[widest];
    long first = menu.rate[cells.nextSetBit(0)];
    long last = menu.rate[cells.length() - 1];
    if (first < last) {
      long chosen = menu.rate[choice.cells[widest]];
      long limit = chosen < last ? chosen : first + (last - first - 1) / 2;
      return byRate(widest, limit);
    }
    return byDelay(widest, box.mostDelay(widest));
  }

  /** Cells of at most the rate, in millibits per second, and those above. */
  private Halves byRate(int c, long most) {
    Box[] halves = byCell(c, question.menus[c].rate, rate -> rate <= most);
    Field.Name who = question.field.name(question.chooser(c).units.get(0));
    return new Halves(
        BoxSplit.byRate(who.application, who.copy, DataRate.ofMillibitsPerSecond(most)),
        halves[0],
        halves[1]);
  }

  /** Cells of at least the delay, in nanoseconds, and those below. */
  private Halves byDelay(int c, long least) {
    Box[] halves = byCell(c, question.menus[c].delay, delay -> delay >= least);
    Field.Name who = question.field.name(question.chooser(c).units.get(0));
    return new Halves(
        BoxSplit.byDelay(who.application, who.copy, Latency.ofNanos(least)), halves[0], halves[1]);
  }

  private Box[] byCell(int c, long[] axis, LongPredicate isFirst) {
    Box first = box.copy();
    Box second = box.copy();
    for (int i = box.cells[c].nextSetBit(0); i >= 0; i = box.cells[c].nextSetBit(i + 1)) {
      (isFirst.test(axis[i]) ? second : first).cells[c].clear(i);
    }
    return new Box[] {first, second};
  }

  /** Paths without the link, and those with it. */
  private Halves byPath(int u, int link) {
    Box with = box.copy();
    Box without = box.copy();
    int[][] paths = question.unit(u).paths;
    for (int p = box.paths[u].nextSetBit(0); p >= 0; p = box.paths[u].nextSetBit(p + 1)) {
      (Box.has(paths[p], link) ? without : with).paths[u].clear(p);
    }
    Field.Name who = question.field.name(u);
    return new Halves(
        BoxSplit.byLink(who.application, who.copy, question.field.topology.id(link)),
        without,
        with);
  }
}
