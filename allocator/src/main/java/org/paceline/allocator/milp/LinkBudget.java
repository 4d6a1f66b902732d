package org.paceline.allocator.milp;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.paceline.intents.network.Link;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/** A delay that a link may have, and the greatest load at which it has no more. */
final class LinkBudget {
  /** A cell worth taking. */
  static final class Step {
    final int rateBin;
    final int delayBin;
    final long rate;
    final long utility;

    private Step(int rateBin, int delayBin, long rate, long utility) {
      this.rateBin = rateBin;
      this.delayBin = delayBin;
      this.rate = rate;
      this.utility = utility;
    }
  }

  private final Map<UtilityFunction, Integer> counts;
  private final long nanos;
  final long limit;

  private LinkBudget(Map<UtilityFunction, Integer> counts, long nanos, long limit) {
    this.counts = counts;
    this.nanos = nanos;
    this.limit = limit;
  }

  /** One for each delay bin of the functions; just one where the delay is constant. */
  static List<LinkBudget> of(Link link, Map<UtilityFunction, Integer> counts) {
    TreeSet<Long> delays = new TreeSet<>();
    for (UtilityFunction function : counts.keySet()) {
      for (int d = 0; d < function.delayBins(); d++) {
        delays.add(function.delayNanos(d));
      }
    }
    List<LinkBudget> budgets = new ArrayList<>();
    if (link.delay().isConstant()) {
      budgets.add(new LinkBudget(counts, link.delay().least().nanos(), link.limitMillibits()));
      return budgets;
    }
    for (long delay : delays) {
      link.delay()
          .greatestLoadWithin(Latency.ofNanos(delay))
          .map(load -> Math.min(load.millibitsPerSecond(), link.limitMillibits()))
          .ifPresent(load -> budgets.add(new LinkBudget(counts, delay, load)));
    }
    return budgets;
  }

  /** Rates with the best utility within the delay, each above that of every lesser rate. */
  List<Step> steps(UtilityFunction function, long floor) {
    List<Step> steps = new ArrayList<>();
    long best = floor - 1;
    for (int t = 0; t < function.throughputBins(); t++) {
      for (int d = 0; d < function.delayBins(); d++) {
        long utility = function.utilityBillionths(t, d);
        if (function.delayNanos(d) >= nanos && utility > best) {
          Step step = new Step(t, d, function.rateMillibits(t), utility);
          if (!steps.isEmpty() && steps.get(steps.size() - 1).rateBin == t) {
            steps.remove(steps.size() - 1);
          }
          steps.add(step);
          best = utility;
        }
      }
    }
    return steps;
  }

  /** What all need at the floor; infinite, as it were, where a function has no cell there. */
  long leastLoad(long floor) {
    long load = 0;
    for (Map.Entry<UtilityFunction, Integer> entry : counts.entrySet()) {
      List<Step> steps = steps(entry.getKey(), floor);
      if (steps.isEmpty()) {
        return Long.MAX_VALUE;
      }
      load = Math.addExact(load, Math.multiplyExact(steps.get(0).rate, (long) entry.getValue()));
    }
    return load;
  }

  /** The greatest level that all can have within the budget; 0 where there is none. */
  long theta() {
    TreeSet<Long> levels = new TreeSet<>();
    for (UtilityFunction function : counts.keySet()) {
      steps(function, Utility.SCALE).forEach(step -> levels.add(step.utility));
    }
    for (long level : levels.descendingSet()) {
      if (leastLoad(level) <= limit) {
        return level;
      }
    }
    return 0;
  }
}
