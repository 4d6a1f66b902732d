package org.paceline.allocator.referee;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.paceline.intents.network.Link;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.utility.UtilityFunction;

/**
 * The optimum of one link by integer dynamic programming over its whole capacity, in units of 50/29
 * kbit/s: slow, exact, and with no idea in common with the solvers but the problem. Only for tables
 * on that lattice.
 */
final class LinkOracle {
  private static final double UNIT = 50e6 / 29;
  private static final long NEVER = Long.MIN_VALUE / 2;

  private final Problem problem;
  private final Link link;
  private final Map<UtilityFunction, Integer> counts = new LinkedHashMap<>();
  private final TreeSet<Long> delays = new TreeSet<>();

  /** For each delay the most units with which the link is no slower; -1 if it always is. */
  private final Map<Long, Integer> capacities = new HashMap<>();

  LinkOracle(Problem problem) {
    this.problem = problem;
    this.link = problem.network().links().iterator().next();
    for (Application application : problem.applications()) {
      UtilityFunction function = application.utilityFunction();
      counts.merge(function, application.count(), Integer::sum);
      for (int d = 0; d < function.delayBins(); d++) {
        delays.add(function.delayNanos(d));
      }
    }
    // Once each, since every level asks for all of them.
    int most = units(link.limitMillibits());
    for (long delay : delays) {
      capacities.put(delay, capacityAt(delay, most));
    }
  }

  BruteForce.Optimum solve() {
    long theta = -1;
    for (long level : levels()) {
      if (level > theta && reachable(level)) {
        theta = level;
      }
    }
    long sum = NEVER;
    int before = -1;
    for (long delay : delays) {
      int capacity = capacities.getOrDefault(delay, -1);
      // More delay for no more load is worse.
      if (capacity > before) {
        before = capacity;
        sum = Math.max(sum, best(delay, capacity, theta - problem.epsilonBillionths()));
      }
    }
    return new BruteForce.Optimum(theta, sum);
  }

  private int capacityAt(long delay, int most) {
    int units = most;
    while (units >= 0 && link.delay().nanosAt(Math.round(units * UNIT)) > delay) {
      units--;
    }
    return units;
  }

  private TreeSet<Long> levels() {
    TreeSet<Long> levels = new TreeSet<>();
    for (UtilityFunction function : counts.keySet()) {
      for (int t = 0; t < function.throughputBins(); t++) {
        for (int d = 0; d < function.delayBins(); d++) {
          levels.add(function.utilityBillionths(t, d));
        }
      }
    }
    return levels;
  }

  private boolean reachable(long level) {
    for (long delay : delays) {
      long load = 0;
      for (Map.Entry<UtilityFunction, Integer> entry : counts.entrySet()) {
        load += (long) entry.getValue() * leastUnits(entry.getKey(), delay, level);
      }
      if (load <= capacities.getOrDefault(delay, -1)) {
        return true;
      }
    }
    return false;
  }

  private static int leastUnits(UtilityFunction function, long delay, long level) {
    for (int t = 0; t < function.throughputBins(); t++) {
      if (utility(function, t, delay) >= level) {
        return units(function.rateMillibits(t));
      }
    }
    return Integer.MAX_VALUE / 1000;
  }

  private static long utility(UtilityFunction function, int rateBin, long delay) {
    long best = NEVER;
    for (int d = 0; d < function.delayBins(); d++) {
      if (function.delayNanos(d) >= delay) {
        best = Math.max(best, function.utilityBillionths(rateBin, d));
      }
    }
    return best;
  }

  private long best(long delay, int capacity, long floor) {
    long[] best = new long[capacity + 1];
    for (Map.Entry<UtilityFunction, Integer> entry : counts.entrySet()) {
      boolean free = problem.sharing() == Sharing.FREE;
      int rounds = free ? entry.getValue() : 1;
      int each = free ? 1 : entry.getValue();
      List<long[]> options = new ArrayList<>();
      for (int t = 0; t < entry.getKey().throughputBins(); t++) {
        long utility = utility(entry.getKey(), t, delay);
        boolean dominated =
            !options.isEmpty() && options.get(options.size() - 1)[1] >= each * utility;
        if (utility >= floor && !dominated) {
          long units = (long) each * units(entry.getKey().rateMillibits(t));
          options.add(new long[] {units, each * utility});
        }
      }
      for (int round = 0; round < rounds; round++) {
        long[] next = new long[capacity + 1];
        Arrays.fill(next, NEVER);
        for (long[] option : options) {
          for (int used = (int) Math.min(option[0], capacity + 1L); used <= capacity; used++) {
            next[used] = Math.max(next[used], best[used - (int) option[0]] + option[1]);
          }
        }
        best = next;
      }
    }
    return best[capacity];
  }

  private static int units(long millibits) {
    double units = millibits / UNIT;
    double whole = Math.rint(units);
    return (int) (Math.abs(units - whole) < 1e-2 ? whole : Math.floor(units));
  }
}
