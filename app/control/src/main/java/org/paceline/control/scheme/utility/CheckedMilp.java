package org.paceline.control.scheme.utility;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.Guarded;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.milp.MipSolver;
import org.paceline.allocator.milp.PaperMilp;
import org.paceline.intents.check.CertificateChecker;
import org.paceline.intents.check.SolutionChecker;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;

/**
 * The paper's program where somebody waits for the answer and somebody else can give one: answers
 * only what was decided in time and what the checkers, which share no code with it, accept.
 */
public final class CheckedMilp {
  /** Each copy's hundreds of variables take memory that the JVM does not account for. */
  private static final long MOST_COPIES = 200;

  private final Allocator program;
  private final BooleanSupplier isOneLate;

  public CheckedMilp() {
    this(new PaperMilp(MipSolver.HIGHS), PaperMilp::isOneLate);
  }

  /**
   * @param isOneLate whether a search whose time ran out goes on
   */
  CheckedMilp(Allocator program, BooleanSupplier isOneLate) {
    this.program = program;
    this.isOneLate = isOneLate;
  }

  /**
   * Empty where the program gives no answer that can be used.
   *
   * @param why gets the reason then, a sentence
   */
  public Optional<Outcome> attempt(Problem problem, SolveOptions options, Consumer<String> why) {
    if (problem.size() > MOST_COPIES) {
      why.accept(
          String.format(
              "The paper's program takes at most %d applications here, and these are %d.",
              MOST_COPIES, problem.size()));
      return Optional.empty();
    }
    Outcome outcome;
    try {
      if (isOneLate.getAsBoolean()) {
        why.accept("A search of the paper's program that ran out of time has not ended yet.");
        return Optional.empty();
      }
      outcome = program.solve(problem, options);
    } catch (RuntimeException | Error failure) {
      why.accept(said(failure));
      return Optional.empty();
    }
    Optional<String> refusal =
        outcome
            .solution()
            .map(solution -> refusal(problem, solution))
            .orElseGet(
                () ->
                    outcome
                        .infeasible()
                        .filter(no -> no.reason() == Infeasible.Reason.UNDECIDED)
                        .map(Infeasible::message));
    refusal.ifPresent(why);
    return refusal.isPresent() ? Optional.empty() : Optional.of(outcome);
  }

  /** What is expected of a platform or a problem is said in a sentence already. */
  private static String said(Throwable failure) {
    boolean isExpected =
        failure instanceof IllegalStateException || failure instanceof IllegalArgumentException;
    return isExpected
        ? String.valueOf(failure.getMessage())
        : "The paper's program failed: " + Guarded.reason(failure) + ". Please report it.";
  }

  private static Optional<String> refusal(Problem problem, Solution solution) {
    List<String> violations = new ArrayList<>(SolutionChecker.violations(problem, solution));
    violations.addAll(CertificateChecker.check(problem, solution).violations());
    return violations.stream()
        .findFirst()
        .map(first -> "The checker refuses what the paper's program answers: " + first);
  }
}
