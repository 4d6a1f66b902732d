package org.paceline.control.scheme.utility;

import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.paceline.allocator.SolveOptions;
import org.paceline.control.scheme.Attempt;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.control.settings.SolverMethod;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;

/**
 * The method by which an operator has plans solved ({@link SolverMethod}), up to the network
 * method, which answers where this one does not. What the chosen one cannot do is said in the
 * answer.
 */
final class ChosenMethod {
  private final BiFunction<Problem, SolveOptions, Optional<Outcome>> exact;
  private final CheckedMilp milp;
  private final PlannerSettings settings;
  private final Consumer<String> warnings;

  /**
   * @param exact empty where one bottleneck does not decide everything
   */
  ChosenMethod(
      BiFunction<Problem, SolveOptions, Optional<Outcome>> exact,
      CheckedMilp milp,
      PlannerSettings settings,
      Consumer<String> warnings) {
    this.exact = exact;
    this.milp = milp;
    this.settings = settings;
    this.warnings = warnings;
  }

  /** The same with other limits. */
  ChosenMethod with(PlannerSettings other) {
    return new ChosenMethod(exact, milp, other, warnings);
  }

  /** Whether a full answer takes no longer than a first step. */
  boolean isQuick(Problem problem, SolveOptions options) {
    return settings.solver() != SolverMethod.NETWORK
        && settings.solver() != SolverMethod.MILP
        && exactly(problem, options).isPresent();
  }

  /** Empty where the network method is to answer. */
  Optional<Outcome> attempt(Problem problem, SolveOptions options, PlanAnswer answer) {
    switch (settings.solver()) {
      case MILP:
        Optional<Outcome> program =
            milp.attempt(
                problem,
                options.toBuilder().timeLimit(settings.milpLimit()).build(),
                why -> insteadOfMilp(why, answer));
        program.ifPresent(outcome -> answer.methods.add("milp"));
        return program.isPresent() ? program : exactly(problem, options, answer);
      case NETWORK:
        return Optional.empty();
      case EXACT:
        Optional<Outcome> exactly = exactly(problem, options, answer);
        if (exactly.isEmpty()) {
          answer.remarks.add(
              "One bottleneck does not decide everything, so the method network answers in place"
                  + " of exact, which is set.");
        }
        return exactly;
      case AUTO:
      default:
        return exactly(problem, options, answer);
    }
  }

  private void insteadOfMilp(String why, PlanAnswer answer) {
    String sentence = why + " So the method auto answers in place of milp, which is set.";
    answer.remarks.add(sentence);
    warnings.accept(sentence);
  }

  private Optional<Outcome> exactly(Problem problem, SolveOptions options, PlanAnswer answer) {
    Optional<Outcome> exactly = exactly(problem, options);
    exactly.ifPresent(outcome -> answer.methods.add("exact"));
    return exactly;
  }

  /** Empty also where the exact method fails: the network method then answers in its place. */
  Optional<Outcome> exactly(Problem problem, SolveOptions options) {
    return Attempt.of(
        () -> exact.apply(problem, options),
        why ->
            warnings.accept(
                "The exact method failed, the network method answers in its place: "
                    + why
                    + ". Please report it."));
  }
}
