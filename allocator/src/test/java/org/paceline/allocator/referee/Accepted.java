package org.paceline.allocator.referee;

import static org.assertj.core.api.Assertions.assertThat;

import org.paceline.intents.check.CertificateChecker;
import org.paceline.intents.check.CertificateReport;
import org.paceline.intents.check.SolutionChecker;
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
}
