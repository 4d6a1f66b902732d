package org.paceline.allocator.referee;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.paceline.intents.check.CertificateChecker;
import org.paceline.intents.check.CertificateReport;
import org.paceline.intents.check.SolutionChecker;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;

/** Asks the checkers, which share no code with any solver. */
final class Accepted {
  private Accepted() {}

  static CertificateReport assertAccepted(Problem problem, Outcome outcome) {
    assertThat(outcome.infeasible()).as("of %s", problem).isEmpty();
    Solution solution = outcome.orElseThrow();
    assertThat(SolutionChecker.violations(problem, solution)).as("of %s", problem).isEmpty();
    CertificateReport report = CertificateChecker.check(problem, solution);
    assertThat(report.violations()).as("of %s", problem).isEmpty();
    return report;
  }

  /**
   * Trying everything finds the same: proof that there is no solution where there is none, and else
   * the same two optima, each proven.
   */
  static void assertOptimal(Problem problem, Outcome outcome) {
    Optional<BruteForce.Optimum> optimum = BruteForce.solve(problem);
    assertThat(outcome.solution().isPresent()).as("of %s", problem).isEqualTo(optimum.isPresent());
    outcome
        .infeasible()
        .ifPresent(
            why ->
                assertThat(why.reason())
                    .as("of %s", problem)
                    .isNotEqualTo(Infeasible.Reason.UNDECIDED));
    optimum.ifPresent(best -> assertOptimal(problem, outcome, best.theta, best.sum));
  }

  /** Both optima are these, in billionths, and proven. */
  static void assertOptimal(Problem problem, Outcome outcome, long theta, long sum) {
    assertAccepted(problem, outcome);
    Solution solution = outcome.orElseThrow();
    assertThat(solution.theta1().billionths()).as("theta1 of %s", problem).isEqualTo(theta);
    assertThat(solution.certificate().thetaBound())
        .as("bound of theta1 of %s", problem)
        .isEqualTo(solution.theta1());
    assertThat(solution.sumBillionths()).as("sum of %s", problem).isEqualTo(sum);
    assertThat(solution.gap()).as("gap of %s", problem).isZero();
  }
}
