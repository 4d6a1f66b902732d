package org.paceline.allocator.exact;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.paceline.intents.utility.UtilityFunction;

/**
 * A delay budget for the shared links, the load that keeps it, and what everybody can get in it.
 */
final class Regime {
  final List<Demand> demands;
  final long limit;
  final MaxMinUtility levels;

  private Regime(List<Demand> demands, long limit) {
    this.demands = demands;
    this.limit = limit;
    this.levels = new MaxMinUtility(demands);
  }

  /**
   * Empty where somebody tolerates no such delay.
   *
   * @param known staircases per crowd and delay bin: most budgets change few of them
   */
  static Optional<Regime> of(
      List<Crowd> crowds,
      long[] ownDelays,
      long budget,
      long limit,
      @Nullable Staircase[][] known) {
    List<Demand> demands = new ArrayList<>(crowds.size());
    for (int c = 0; c < crowds.size(); c++) {
      UtilityFunction function = crowds.get(c).function();
      int bin = Staircase.firstDelayBin(function, budget + ownDelays[c]);
      if (bin == function.delayBins()) {
        return Optional.empty();
      }
      if (known[c][bin] == null) {
        known[c][bin] = Staircase.fromDelayBin(function, bin);
      }
      demands.add(new Demand(known[c][bin], crowds.get(c).count()));
    }
    return Optional.of(new Regime(demands, limit));
  }

  long leastLoad() {
    return demands.stream().mapToLong(d -> d.count() * d.staircase().rateMillibits(0)).sum();
  }

  /** The demand with the greatest least load. */
  int greediest() {
    int most = 0;
    for (int d = 1; d < demands.size(); d++) {
      if (leastLoad(d) > leastLoad(most)) {
        most = d;
      }
    }
    return most;
  }

  private long leastLoad(int demand) {
    return demands.get(demand).count() * demands.get(demand).staircase().rateMillibits(0);
  }
}
