package org.paceline.control.explain;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.paceline.allocator.Guarded;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.auto.AutoAllocator;
import org.paceline.allocator.exact.OneBottleneck;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.control.scheme.Attempt;
import org.paceline.control.scheme.utility.CheckedMilp;
import org.paceline.control.settings.SolverMethod;
import org.paceline.intents.check.CertificateChecker;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;

/**
 * Solves a problem by the method that is asked for and no other, beside the plan in force and
 * without touching it. Its callers wait for their turns, which bound how many solve at once.
 */
public final class TrialSolver {
  public static final Duration USUAL_LIMIT = Duration.ofSeconds(10);
  public static final Duration GREATEST_LIMIT = Duration.ofMinutes(5);

  /** What is larger is for a machine that does not control a network meanwhile. */
  private static final long MOST_APPLICATIONS = 10_000;

  private TrialSolver() {}

  /**
   * @throws IllegalArgumentException if the problem is too large
   */
  public static SolverTrial solve(Problem problem, SolverMethod method, Duration limit) {
    if (problem.size() > MOST_APPLICATIONS) {
      throw new IllegalArgumentException(
          "The problem has "
              + problem.size()
              + " applications, and "
              + MOST_APPLICATIONS
              + " are the most that a controller solves beside its plan. Maybe \"tools/paceline"
              + " solve\" on another machine.");
    }
    SolveOptions options =
        SolveOptions.DEFAULT.toBuilder().timeLimit(limit).targetGap(1e-4).build();
    List<String> why = new ArrayList<>();
    long begin = System.nanoTime();
    Optional<Outcome> outcome = Attempt.of(() -> attempt(problem, method, options, why), why::add);
    Duration elapsed = Duration.ofNanos(System.nanoTime() - begin);
    Optional<Solution> solution = outcome.flatMap(Outcome::solution);
    if (solution.isPresent()) {
      return SolverTrial.solved(
          method, solution.get(), CertificateChecker.check(problem, solution.get()), elapsed);
    }
    Optional<Infeasible> infeasible = outcome.flatMap(Outcome::infeasible);
    boolean isDecided =
        infeasible.filter(no -> no.reason() != Infeasible.Reason.UNDECIDED).isPresent();
    return SolverTrial.none(
        method,
        isDecided ? SolverTrial.Outcome.INFEASIBLE : SolverTrial.Outcome.UNDECIDED,
        infeasible.map(Infeasible::message).orElseGet(() -> String.join(" ", why)),
        elapsed);
  }

  private static Optional<Outcome> attempt(
      Problem problem, SolverMethod method, SolveOptions options, List<String> why) {
    NetworkAllocator network = new NetworkAllocator(Optional.empty());
    switch (method) {
      case EXACT:
        Optional<Outcome> exact = new OneBottleneck().attempt(problem, options);
        if (exact.isEmpty()) {
          why.add("One bottleneck does not decide everything. Maybe the method network.");
        }
        return exact;
      case NETWORK:
        return Optional.of(network.solve(problem, options));
      case MILP:
        return new CheckedMilp().attempt(problem, options, why::add);
      case AUTO:
      default:
        return Optional.of(
            new Guarded(why::add, new AutoAllocator(network), network).solve(problem, options));
    }
  }
}
