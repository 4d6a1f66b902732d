package org.paceline.intents.problem;

import com.google.auto.value.AutoValue;
import java.util.Optional;
import java.util.function.Function;

/** A solution, or why there is none. */
@AutoValue
public abstract class Outcome {
  public abstract Optional<Solution> solution();

  public abstract Optional<Infeasible> infeasible();

  public static Outcome solved(Solution solution) {
    return new AutoValue_Outcome(Optional.of(solution), Optional.empty());
  }

  public static Outcome infeasible(Infeasible why) {
    return new AutoValue_Outcome(Optional.empty(), Optional.of(why));
  }

  public <T> T fold(Function<Solution, T> ifSolved, Function<Infeasible, T> ifInfeasible) {
    return solution()
        .map(ifSolved)
        .orElseGet(() -> infeasible().map(ifInfeasible).orElseThrow(AssertionError::new));
  }

  /**
   * The solution, for callers that know there is one.
   *
   * @throws IllegalStateException with the reason, if there is none
   */
  public Solution orElseThrow() {
    return solution()
        .orElseThrow(
            () -> new IllegalStateException(infeasible().map(Infeasible::message).orElse("")));
  }
}
