package org.paceline.allocator.network.prices;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.paceline.allocator.network.groups.Allocation;
import org.paceline.allocator.network.groups.Demands;
import org.paceline.allocator.network.groups.Offers;

/**
 * The allocations that a search begins with; they need not fit. An object deals the groups out one
 * after the other, in whole copies of what are fractions.
 */
public final class Dealing {
  /** Groups of at most so many copies have no bulk. */
  private static final int FEW = 24;

  private static final double GOLDEN = 0.618_033_988_749_895;
  private static final int MOST_UNITS = 400_000;

  private final Offers offers;
  private final boolean all;
  private int[] groups = new int[1_024];
  private int[] paths = new int[1_024];
  private int[] steps = new int[1_024];
  private final List<long[]> bulk = new ArrayList<>();
  private int units;
  private int group;
  private int path;
  private int step;
  private long left;
  private double owed;

  /** Where there are many copies, most of each choice are placed in bulk. */
  Dealing(Offers offers) {
    this.offers = offers;
    this.all = offers.demands().copies() <= MOST_UNITS;
  }

  /** The next group, to which nothing is given yet. */
  void begin(int next) {
    group = next;
    left = offers.demands().group(next).count();
    // Elsewhere for each group, so that what is rounded up and down evens out.
    owed = next * GOLDEN % 1 - 0.5;
  }

  /** So many of its copies to this choice. */
  void give(int way, int at, double copies) {
    path = way;
    step = at;
    owed += copies;
    long given = Math.max(0, Math.min(left, Math.round(owed)));
    owed -= given;
    place(given);
  }

  /** Whoever is left has the last choice. */
  void end() {
    place(left);
  }

  private void place(long given) {
    left -= given;
    long still = all ? 0 : Math.max(0, given - 1 - given / 16);
    if (still > 0) {
      bulk.add(new long[] {group, path, step, still});
    }
    for (long i = still; i < given; i++) {
      if (units == groups.length) {
        groups = Arrays.copyOf(groups, 2 * units);
        paths = Arrays.copyOf(paths, 2 * units);
        steps = Arrays.copyOf(steps, 2 * units);
      }
      groups[units] = group;
      paths[units] = path;
      steps[units++] = step;
    }
  }

  Allocation dealt() {
    Allocation allocation = new Allocation(offers, Arrays.copyOf(groups, units));
    for (long[] part : bulk) {
      allocation.placeBulk((int) part[0], (int) part[1], (int) part[2], part[3]);
    }
    for (int u = 0; u < units; u++) {
      allocation.put(u, paths[u], steps[u]);
    }
    return allocation;
  }

  /** Everybody at the first step of the first path that is open. */
  public static Allocation onFastest(Offers offers) {
    boolean all = offers.demands().copies() <= MOST_UNITS;
    Allocation allocation = all ? Allocation.ofUnits(offers) : new Allocation(offers, new int[0]);
    for (int u = 0; u < allocation.units(); u++) {
      allocation.put(u, firstOpen(offers, allocation.group(u)), 0);
    }
    for (int g = 0; g < offers.demands().groups() && !all; g++) {
      allocation.placeBulk(g, firstOpen(offers, g), 0, offers.demands().group(g).count());
    }
    return allocation;
  }

  private static int firstOpen(Offers offers, int group) {
    int way = 0;
    while (!offers.open(group, way)) {
      way++;
    }
    return way;
  }

  /** Nobody has anything yet but the bulk of great groups. */
  public static Allocation bulk(Offers offers, double[] prices, double softness, double blur) {
    Demands demands = offers.demands();
    List<long[]> bulk = new ArrayList<>();
    int[] units = new int[demands.groups()];
    int total = 0;
    for (int g = 0; g < demands.groups(); g++) {
      long count = demands.group(g).count();
      if (count > FEW) {
        for (long[] part : new FractionalChoice(offers, prices, softness, blur).of(g)) {
          long most = (long) (part[2] * 0.95) - 1;
          if (most > 0) {
            bulk.add(new long[] {g, part[0], part[1], most});
            count -= most;
          }
        }
      }
      units[g] = Math.toIntExact(count);
      total = Math.addExact(total, units[g]);
    }
    int[] group = new int[total];
    int u = 0;
    for (int g = 0; g < units.length; g++) {
      Arrays.fill(group, u, u + units[g], g);
      u += units[g];
    }
    Allocation allocation = new Allocation(offers, group);
    for (long[] part : bulk) {
      allocation.placeBulk((int) part[0], (int) part[1], (int) part[2], part[3]);
    }
    return allocation;
  }

  /** As many copies in each column as a programme says, rounded. */
  static Allocation divided(Offers offers, PriceProgram program, double[] copies) {
    Dealing dealing = new Dealing(offers);
    for (int g = 0; g < program.groups; g++) {
      dealing.begin(g);
      for (int c = program.firstColumn[g]; c < program.firstColumn[g + 1]; c++) {
        dealing.give(program.path[c], program.step[c], copies[c]);
      }
      dealing.end();
    }
    return dealing.dealt();
  }
}
