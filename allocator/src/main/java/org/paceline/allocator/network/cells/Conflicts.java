package org.paceline.allocator.network.cells;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * What was found out not to fit: for each type some cells, such that no choice of one of them for
 * every type has room.
 */
final class Conflicts {
  private static final int NOBODY = -1;
  private static final int SEVERAL = -2;

  private final List<BitSet[]> known = new ArrayList<>();

  /**
   * @param cells by type
   */
  void add(BitSet[] cells) {
    known.add(cells);
  }

  boolean forbid(int[] chosen) {
    return known.stream().anyMatch(conflict -> isIn(chosen, conflict));
  }

  private static boolean isIn(int[] chosen, BitSet[] conflict) {
    for (int t = 0; t < chosen.length; t++) {
      if (!conflict[t].get(chosen[t])) {
        return false;
      }
    }
    return true;
  }

  /**
   * Leaves out the cells that the others, whichever they are, forbid; false if a type has none left
   * then.
   */
  boolean narrow(BitSet[] left) {
    for (boolean changed = true; changed; ) {
      changed = false;
      for (BitSet[] conflict : known) {
        int free = free(left, conflict);
        if (free == NOBODY) {
          return false;
        }
        if (free != SEVERAL && left[free].intersects(conflict[free])) {
          left[free].andNot(conflict[free]);
          changed = true;
        }
      }
    }
    return true;
  }

  /** The only type that can still take a cell which is not the conflict's. */
  private static int free(BitSet[] left, BitSet[] conflict) {
    int free = NOBODY;
    for (int t = 0; t < left.length; t++) {
      if (!isWithin(left[t], conflict[t])) {
        if (free != NOBODY) {
          return SEVERAL;
        }
        free = t;
      }
    }
    return free;
  }

  private static boolean isWithin(BitSet cells, BitSet of) {
    for (int c = cells.nextSetBit(0); c >= 0; c = cells.nextSetBit(c + 1)) {
      if (!of.get(c)) {
        return false;
      }
    }
    return true;
  }
}
