package org.paceline.allocator;

import java.util.HashMap;
import java.util.Map;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.utility.UtilityFunction;

/**
 * The bound that needs no search: nobody has more than the best cell of its table. It is what
 * prices of nothing prove.
 */
public final class BestCells {
  private BestCells() {}

  /** Of all applications together, in billionths. */
  public static long sum(Problem problem) {
    Map<String, Long> best = new HashMap<>();
    long sum = 0;
    for (Application a : problem.applications()) {
      sum +=
          a.count()
              * best.computeIfAbsent(a.utilityFunction().name(), name -> best(a.utilityFunction()));
    }
    return sum;
  }

  private static long best(UtilityFunction function) {
    long best = 0;
    for (int t = 0; t < function.throughputBins(); t++) {
      for (int d = 0; d < function.delayBins(); d++) {
        best = Math.max(best, function.utilityBillionths(t, d));
      }
    }
    return best;
  }

  /**
   * The same outcome, its sum bounded by the best cells where nothing better was proved: prices
   * that had no time may prove less than none at all.
   */
  public static Outcome bounding(Problem problem, Outcome outcome) {
    long most = sum(problem);
    return outcome
        .solution()
        .filter(solution -> solution.certificate().sumBound() > most)
        .map(
            solution ->
                Outcome.solved(
                    Solution.of(
                        solution.theta1(),
                        solution.grants(),
                        solution.certificate().withSum(most, Certificate.Proof.PRICES, Map.of()))))
        .orElse(outcome);
  }
}
