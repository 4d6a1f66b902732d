package org.paceline.allocator.network;

import java.util.ArrayList;
import java.util.List;

/**
 * What the prices leave open: a column whose worth at the prices is below its group's best by more
 * than the gap is in no better solution, since whoever took it would pull the bound below the known
 * sum. Reduced-cost fixing.
 */
final class Core {
  private final Offers offers;
  private final List<List<int[]>> columns = new ArrayList<>();

  private Core(Offers offers) {
    this.offers = offers;
  }

  /** The gap in units of utility. */
  static Core of(Offers offers, double[] prices, double gap) {
    Core core = new Core(offers);
    Demands demands = offers.demands();
    for (int g = 0; g < demands.groups(); g++) {
      int pair = demands.group(g).pair;
      List<int[]> kept = new ArrayList<>();
      double best = Double.NEGATIVE_INFINITY;
      for (int round = 0; round < 2; round++) {
        for (int j = 0; j < offers.ways().count(pair); j++) {
          if (!offers.open(g, j)) {
            continue;
          }
          double price = 0;
          long narrowest = Long.MAX_VALUE;
          for (int e : offers.ways().path(pair, j)) {
            price += prices[e];
            narrowest = Math.min(narrowest, offers.ways().topology().limit(e));
          }
          Profile profile = offers.profile(g, j);
          for (int s = 0; s < profile.size(); s++) {
            double worth = (profile.utility(s) - profile.rate(s) * price) / Profile.SCALE;
            if (round == 0) {
              best = Math.max(best, worth);
            } else if (worth >= best - gap - 1e-9 && profile.rate(s) <= narrowest) {
              kept.add(new int[] {j, s});
            }
          }
        }
      }
      core.columns.add(kept);
    }
    return core;
  }

  int size() {
    return columns.stream().mapToInt(List::size).sum();
  }

  CoreProblem problem(long known, long bound) {
    int links = offers.ways().topology().links();
    long[] limits = new long[links];
    for (int e = 0; e < links; e++) {
      limits[e] = offers.ways().topology().limit(e);
    }
    CoreProblem.Builder builder = CoreProblem.builder(limits).known(known).bound(bound);
    for (int g = 0; g < columns.size(); g++) {
      Demands.Group group = offers.demands().group(g);
      builder.group(Math.toIntExact(group.count), CoreProblem.FREE);
      for (int[] column : columns.get(g)) {
        Profile profile = offers.profile(g, column[0]);
        builder.column(
            offers.ways().path(group.pair, column[0]),
            profile.rate(column[1]),
            profile.utility(column[1]),
            0);
      }
    }
    return builder.build();
  }

  Allocation allocation(CoreResult result) {
    Allocation allocation = Allocation.ofUnits(offers);
    int u = 0;
    for (int g = 0; g < columns.size(); g++) {
      for (int c = 0; c < columns.get(g).size(); c++) {
        for (int i = 0; i < result.count(g, c); i++) {
          allocation.put(u++, columns.get(g).get(c)[0], columns.get(g).get(c)[1]);
        }
      }
    }
    return allocation;
  }
}
