package org.paceline.allocator.network.core;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntBinaryOperator;
import org.paceline.allocator.network.groups.Allocation;
import org.paceline.allocator.network.groups.Demands;
import org.paceline.allocator.network.groups.Offers;
import org.paceline.allocator.network.groups.Profile;

/** All that the copies of a network's groups can choose from, as a problem for a search. */
public final class Core {
  private final Offers offers;
  private final List<List<int[]>> columns = new ArrayList<>();

  private Core(Offers offers) {
    this.offers = offers;
  }

  /** Every step of every path that the path's links could carry alone. */
  public static Core of(Offers offers) {
    Core core = new Core(offers);
    Demands demands = offers.demands();
    for (int g = 0; g < demands.groups(); g++) {
      int pair = demands.group(g).pair();
      List<int[]> columns = new ArrayList<>();
      for (int j = 0; j < offers.ways().count(pair); j++) {
        long narrowest = offers.ways().narrowest(pair, j);
        Profile profile = offers.profile(g, j);
        for (int s = 0; offers.open(g, j) && s < profile.size(); s++) {
          if (profile.rate(s) <= narrowest) {
            columns.add(new int[] {j, s});
          }
        }
      }
      core.columns.add(columns);
    }
    return core;
  }

  public int size() {
    return columns.stream().mapToInt(List::size).sum();
  }

  public CoreProblem problem() {
    int links = offers.ways().topology().links();
    long[] limits = new long[links];
    for (int e = 0; e < links; e++) {
      limits[e] = offers.ways().topology().limit(e);
    }
    CoreProblem.Builder builder = CoreProblem.builder(limits);
    for (int g = 0; g < columns.size(); g++) {
      Demands.Group group = offers.demands().group(g);
      builder.group(Math.toIntExact(group.count()), CoreProblem.FREE);
      for (int[] column : columns.get(g)) {
        Profile profile = offers.profile(g, column[0]);
        builder.column(
            offers.ways().path(group.pair(), column[0]),
            profile.rate(column[1]),
            profile.utility(column[1]),
            0);
      }
    }
    return builder.build();
  }

  /** How many units of an allocation among the same offers, none in bulk, take each column. */
  public int[][] counts(Allocation allocation) {
    int[][] counts = new int[columns.size()][];
    for (int g = 0; g < counts.length; g++) {
      counts[g] = new int[columns.get(g).size()];
    }
    for (int u = 0; u < allocation.units(); u++) {
      int[] own = counts[allocation.group(u)];
      List<int[]> of = columns.get(allocation.group(u));
      for (int c = 0; c < own.length; c++) {
        boolean taken = of.get(c)[0] == allocation.path(u) && of.get(c)[1] == allocation.step(u);
        own[c] += taken ? 1 : 0;
      }
    }
    return counts;
  }

  public Allocation allocation(CoreResult result) {
    return allocation(result::count);
  }

  /**
   * @param counts of copies by group and column
   */
  public Allocation allocation(IntBinaryOperator counts) {
    Allocation allocation = Allocation.ofUnits(offers);
    int u = 0;
    for (int g = 0; g < columns.size(); g++) {
      for (int c = 0; c < columns.get(g).size(); c++) {
        for (int i = 0; i < counts.applyAsInt(g, c); i++) {
          allocation.put(u++, columns.get(g).get(c)[0], columns.get(g).get(c)[1]);
        }
      }
    }
    return allocation;
  }
}
