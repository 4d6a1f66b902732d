package org.paceline.allocator.network;

import java.util.List;
import org.paceline.allocator.path.CheapestPaths;
import org.paceline.allocator.path.Topology;

/**
 * The bound at given prices over all loop-free paths, and the paths that it asks for.
 *
 * <p>Links are taken at the delay that they have when idle: whatever load an allocation puts on
 * them, its paths are no faster. Of tight offers whose delays do not depend on load all paths are
 * known, and the bound is over these.
 */
final class PathBound {
  private static final double WORTH_A_PATH = 1e-7;

  private final Offers offers;
  private final Topology idle;
  private final boolean complete;

  PathBound(Offers offers, Topology idle) {
    this.offers = offers;
    this.idle = idle;
    this.complete = offers.isTight() && offers.ways().topology().sameDelays(idle);
  }

  /** Billionths, rounded up by more than the arithmetic can be off. */
  long billionths(double[] prices) {
    double value = value(prices, new double[0], false) * Profile.SCALE;
    return (long) Math.ceil(value + Math.abs(value) * 1e-13) + 1;
  }

  /** In units of 1. */
  double value(double[] prices) {
    return value(prices, new double[0], false);
  }

  /** True if paths came in that improve on what the known ones are worth. */
  boolean addPaths(double[] prices) {
    int before = added;
    valueAddingPaths(prices);
    return added > before;
  }

  /** The value; paths come in that improve on what the known ones are worth. */
  double valueAddingPaths(double[] prices) {
    double[] known = new double[offers.demands().groups()];
    for (int g = 0; g < known.length; g++) {
      known[g] = ofKnownPaths(g, prices);
    }
    double value = value(prices, known, true);
    offers.refresh();
    return value;
  }

  /** The best worth on any path that is known; as a level is tried, at least nothing. */
  private double ofKnownPaths(int group, double[] prices) {
    Ways ways = offers.ways();
    int pair = offers.demands().group(group).pair;
    double best = offers.least();
    for (int j = 0; j < ways.count(pair); j++) {
      if (offers.open(group, j)) {
        double price = 0;
        for (int e : ways.path(pair, j)) {
          price += prices[e];
        }
        best = Math.max(best, offers.profile(group, j).worth(price));
      }
    }
    return best;
  }

  private int added;

  private double value(double[] prices, double[] known, boolean grow) {
    double sum = 0;
    for (int e = 0; e < prices.length; e++) {
      sum += prices[e] * idle.limit(e) / Profile.SCALE;
    }
    Demands demands = offers.demands();
    if (complete) {
      for (int g = 0; g < demands.groups(); g++) {
        sum += demands.group(g).count * ofKnownPaths(g, prices);
      }
      return sum;
    }
    CheapestPaths search = new CheapestPaths(idle);
    String source = "";
    List<List<CheapestPaths.Label>> labels = List.of();
    for (int p = 0; p < demands.pairs(); p++) {
      Demands.Pair pair = demands.pair(p);
      if (!pair.from.equals(source)) {
        source = pair.from;
        labels = search.from(idle.node(source), prices, mostDelayFrom(p));
      }
      List<CheapestPaths.Label> here = labels.get(idle.node(pair.to));
      for (int g : pair.groups) {
        double worth = offers.worth(g, here);
        sum += demands.group(g).count * worth;
        if (grow && worth > known[g] + WORTH_A_PATH) {
          grow(g, p, here, worth);
        }
      }
    }
    return sum;
  }

  private void grow(int group, int pair, List<CheapestPaths.Label> labels, double worth) {
    for (CheapestPaths.Label label : labels) {
      double here =
          offers
              .atDelay(group, label.delay())
              .map(f -> f.worth(label.price()))
              .orElse(Double.NEGATIVE_INFINITY);
      if (here >= worth - WORTH_A_PATH / 2) {
        added += offers.ways().add(pair, label.path()) ? 1 : 0;
        return;
      }
    }
  }

  /** Of the pairs with the same source, which follow each other. */
  private long mostDelayFrom(int first) {
    Demands demands = offers.demands();
    long most = 0;
    String source = demands.pair(first).from;
    for (int p = first; p < demands.pairs() && demands.pair(p).from.equals(source); p++) {
      most = Math.max(most, demands.mostDelay(p));
    }
    return most;
  }
}
