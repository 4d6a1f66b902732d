package org.paceline.control.explain;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.util.Optional;
import org.paceline.control.settings.SolverMethod;
import org.paceline.intents.check.CertificateReport;
import org.paceline.intents.problem.Solution;

/** What a method makes of a problem, beside the plan in force. */
@AutoValue
public abstract class SolverTrial {
  /** How it ended. */
  public enum Outcome {
    SOLVED,
    /** Not even the least rates of all fit, or somebody has no path. */
    INFEASIBLE,
    /** The method cannot say, or not in that time. */
    UNDECIDED
  }

  public abstract SolverMethod method();

  public abstract Outcome outcome();

  /** Why there is no solution, for a person; empty where there is one. */
  public abstract String why();

  public abstract Optional<Solution> solution();

  /** What the checker, which shares no code with a solver, says of the solution's certificate. */
  public abstract Optional<CertificateReport> report();

  public abstract Duration elapsed();

  static SolverTrial solved(
      SolverMethod method, Solution solution, CertificateReport report, Duration elapsed) {
    return new AutoValue_SolverTrial(
        method, Outcome.SOLVED, "", Optional.of(solution), Optional.of(report), elapsed);
  }

  static SolverTrial none(SolverMethod method, Outcome outcome, String why, Duration elapsed) {
    return new AutoValue_SolverTrial(
        method, outcome, why, Optional.empty(), Optional.empty(), elapsed);
  }
}
