package org.paceline.allocator.exact;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * Maximises the least utility of all applications on one link.
 *
 * <p>A higher level never needs less rate, so feasibility is monotone and a binary search over the
 * tables' own levels is exact: O(L log L + G log L log T) for L levels and G demands. Sieber et al.
 * 2020, appendix A.2, equations 1 to 3.
 */
final class MaxMinUtility {
  private final List<Demand> demands;

  MaxMinUtility(List<Demand> demands) {
    this.demands = demands;
  }

  private long[] levels() {
    return demands.stream()
        .map(Demand::staircase)
        .flatMapToLong(
            s -> java.util.stream.IntStream.range(0, s.size()).mapToLong(s::utilityBillionths))
        .sorted()
        .distinct()
        .toArray();
  }

  /** The highest level that fits; empty if not even the lowest does. */
  OptionalLong solve(long limitMillibits) {
    long[] levels = levels();
    // Invariant: all levels before feasible fit, none from infeasible on does.
    int feasible = 0;
    int infeasible = levels.length;
    while (feasible < infeasible) {
      int middle = (feasible + infeasible) >>> 1;
      if (loadAt(levels[middle]) <= limitMillibits) {
        feasible = middle + 1;
      } else {
        infeasible = middle;
      }
    }
    return feasible == 0 ? OptionalLong.empty() : OptionalLong.of(levels[feasible - 1]);
  }

  /** The least level above; empty if there is none. */
  OptionalLong levelAbove(long level) {
    long[] levels = levels();
    int at = Arrays.binarySearch(levels, level);
    int next = at >= 0 ? at + 1 : -at - 1;
    return next < levels.length ? OptionalLong.of(levels[next]) : OptionalLong.empty();
  }

  /** The least load that gives everybody the level; the greatest long where somebody cannot. */
  long loadAt(long level) {
    long load = 0;
    for (Demand demand : demands) {
      Staircase staircase = demand.staircase();
      int step = staircase.firstAtLeast(level);
      if (step == staircase.size()) {
        return Long.MAX_VALUE;
      }
      load = Math.addExact(load, Math.multiplyExact(demand.count(), staircase.rateMillibits(step)));
    }
    return load;
  }
}
