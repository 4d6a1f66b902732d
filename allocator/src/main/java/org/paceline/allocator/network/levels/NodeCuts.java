package org.paceline.allocator.network.levels;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.paceline.allocator.exact.Staircase;
import org.paceline.allocator.network.groups.Demands;
import org.paceline.allocator.path.Topology;

/**
 * The plainest refutation: all that leaves a node must leave by its links, all that enters must
 * enter by them. Prices of 1 on these links and 0 elsewhere. O(groups + links).
 */
final class NodeCuts {
  private final Demands demands;
  private final Topology idle;

  /** By group: what it may have on the fastest path. */
  private final List<Optional<Staircase>> stairs = new ArrayList<>();

  private final int[] from;
  private final int[] to;

  /** With the delay of the fastest path of each pair. */
  NodeCuts(Demands demands, Topology idle, long[] fastest) {
    this.demands = demands;
    this.idle = idle;
    this.from = new int[demands.pairs()];
    this.to = new int[demands.pairs()];
    for (int p = 0; p < from.length; p++) {
      from[p] = idle.node(demands.pair(p).from());
      to[p] = idle.node(demands.pair(p).to());
    }
    for (int g = 0; g < demands.groups(); g++) {
      Demands.Group group = demands.group(g);
      stairs.add(
          demands.staircase(
              group.function(), demands.delayBin(group.function(), fastest[group.pair()])));
    }
  }

  /** Prices that refute the level for all, if a node does. */
  Optional<double[]> refute(long level) {
    double[] out = new double[idle.nodes()];
    double[] in = new double[idle.nodes()];
    for (int g = 0; g < demands.groups(); g++) {
      Demands.Group group = demands.group(g);
      double need =
          stairs
              .get(g)
              .map(
                  s ->
                      s.firstAtLeast(level) < s.size()
                          ? (double) s.rateMillibits(s.firstAtLeast(level))
                          : Double.POSITIVE_INFINITY)
              .orElse(Double.POSITIVE_INFINITY);
      out[from[group.pair()]] += group.count() * need;
      in[to[group.pair()]] += group.count() * need;
    }
    for (int e = 0; e < idle.links(); e++) {
      out[idle.from(e)] -= idle.limit(e);
      in[idle.to(e)] -= idle.limit(e);
    }
    for (int n = 0; n < idle.nodes(); n++) {
      // Sums of doubles this great are off by less than a bit per second.
      if (out[n] > 1_000 || in[n] > 1_000) {
        double[] prices = new double[idle.links()];
        for (int e = 0; e < prices.length; e++) {
          boolean cut = out[n] > 1_000 ? idle.from(e) == n : idle.to(e) == n;
          prices[e] = cut ? 1 : 0;
        }
        return Optional.of(prices);
      }
    }
    return Optional.empty();
  }
}
