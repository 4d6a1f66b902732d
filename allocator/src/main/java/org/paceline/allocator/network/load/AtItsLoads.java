package org.paceline.allocator.network.load;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Grants at the delays that the links have under just these grants: whoever's path is faster than
 * was assumed takes a better cell of the same rate, which changes no load. O(grants times bins).
 */
final class AtItsLoads {
  private final Problem problem;
  private final List<Grant> grants;
  private final Map<LinkId, Long> loads = new HashMap<>();

  AtItsLoads(Problem problem, List<Grant> grants) {
    this.problem = problem;
    this.grants = grants;
    for (Grant grant : grants) {
      for (LinkId hop : grant.path().hops()) {
        loads.merge(hop, grant.rate().millibitsPerSecond() * grant.count(), Long::sum);
      }
    }
  }

  /** Millibits per second; absent links carry nothing. */
  Map<LinkId, Long> loads() {
    return loads;
  }

  /** What types share stays as it is. */
  Solution regraded(Solution solution) {
    if (problem.sharing() == Sharing.SAME_UTILITY_PER_TYPE) {
      return solution;
    }
    Map<String, UtilityFunction> functions = new HashMap<>();
    for (Application application : problem.applications()) {
      functions.put(application.id(), application.utilityFunction());
    }
    List<Grant> regraded = new ArrayList<>();
    for (Grant grant : grants) {
      UtilityFunction function = functions.get(grant.applicationId());
      regraded.add(function == null ? grant : regraded(grant, function));
    }
    Solution better = Solution.of(solution.theta1(), regraded, solution.certificate());
    Utility least = better.minimumUtility();
    return least.compareTo(better.theta1()) > 0
        ? Solution.of(least, regraded, solution.certificate())
        : better;
  }

  private Grant regraded(Grant grant, UtilityFunction function) {
    long delay = 0;
    for (LinkId hop : grant.path().hops()) {
      delay +=
          problem
              .network()
              .link(hop)
              .orElseThrow(AssertionError::new)
              .delay()
              .nanosAt(loads.getOrDefault(hop, 0L));
    }
    int row = 0;
    while (!function.throughput(row).equals(grant.rate())) {
      row++;
    }
    Grant best = grant;
    for (int d = 0; d < function.delayBins(); d++) {
      if (function.delayNanos(d) >= delay
          && function.utility(row, d).compareTo(best.utility()) > 0) {
        best =
            Grant.of(
                grant.applicationId(),
                grant.count(),
                grant.rate(),
                function.delay(d),
                function.utility(row, d),
                grant.path());
      }
    }
    return best;
  }
}
