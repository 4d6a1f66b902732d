package org.paceline.intents.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.paceline.intents.utility.UtilityFunction;

/** Whether some choosers can be worth more than a bound together, with cells from a floor. */
final class BoxQuestion {
  /** A cell that is worth taking. */
  static final class Cell {
    /** Millibits per second of one copy. */
    final long rate;

    /** Nanoseconds. */
    final long delay;

    /** Billionths of utility of all the chooser's copies; 0 where only feasibility is asked. */
    final long worth;

    Cell(long rate, long delay, long worth) {
      this.rate = rate;
      this.delay = delay;
      this.worth = worth;
    }

    /** Whatever is feasible with the other one is so with this, and worth no less. */
    private boolean isAsGoodAs(Cell other) {
      return rate <= other.rate && delay >= other.delay && worth >= other.worth;
    }
  }

  final BoxWorld world;
  final List<Integer> choosers;
  final List<Integer> units = new ArrayList<>();
  final long bound;

  /** By chooser of the world; null for those who are not asked. */
  final Cell[][] menus;

  /**
   * @param floor billionths of utility
   * @param isValued whether cells are worth their utility, and not nothing
   */
  BoxQuestion(BoxWorld world, List<Integer> choosers, long floor, boolean isValued, long bound) {
    this.world = world;
    this.choosers = choosers;
    this.bound = bound;
    this.menus = new Cell[world.choosers.size()][];
    for (int c : choosers) {
      BoxWorld.Chooser chooser = world.choosers.get(c);
      menus[c] = menu(chooser.function, floor, isValued ? chooser.copies : 0);
      units.addAll(chooser.units);
    }
  }

  private static Cell[] menu(UtilityFunction function, long floor, long copies) {
    List<Cell> all = new ArrayList<>();
    for (int t = 0; t < function.throughputBins(); t++) {
      for (int d = 0; d < function.delayBins(); d++) {
        long utility = function.utilityBillionths(t, d);
        if (utility >= floor) {
          all.add(new Cell(function.rateMillibits(t), function.delayNanos(d), copies * utility));
        }
      }
    }
    all.sort(
        Comparator.<Cell>comparingLong(cell -> cell.rate)
            .thenComparing(cell -> -cell.delay)
            .thenComparing(cell -> -cell.worth));
    List<Cell> kept = new ArrayList<>();
    for (Cell cell : all) {
      if (kept.stream().noneMatch(other -> other.isAsGoodAs(cell))) {
        kept.add(cell);
      }
    }
    return kept.toArray(new Cell[0]);
  }

  /** Nanoseconds that a link takes under a load in millibits per second. */
  long delay(int link, long load) {
    return world.links[link].delay().nanosAt(load);
  }
}
