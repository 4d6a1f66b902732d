package org.paceline.allocator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;

/**
 * Asks one method after the other until one answers: what a method throws is answered by the next,
 * and what the last throws by {@link Infeasible.Reason#UNDECIDED}, with the reason.
 *
 * <p>A fault in a method is a bug, but whoever asked still wants the best answer that there is. A
 * problem too large for the memory or the stack is one that another method may solve.
 */
public final class Guarded implements Allocator {
  private final List<Allocator> methods = new ArrayList<>();
  private final Consumer<String> faults;

  /**
   * @param faults gets a sentence for each method that failed, also where another one answers
   * @param others in the order in which they are asked
   */
  public Guarded(Consumer<String> faults, Allocator first, Allocator... others) {
    this.faults = faults;
    methods.add(first);
    methods.addAll(List.of(others));
  }

  @Override
  public Outcome solve(Problem problem, SolveOptions options) {
    long end = System.nanoTime() + options.timeLimit().toNanos();
    Optional<Throwable> first = Optional.empty();
    for (Allocator method : methods) {
      try {
        long left = Math.max(1_000_000, end - System.nanoTime());
        return method.solve(problem, options.toBuilder().timeLimit(Duration.ofNanos(left)).build());
      } catch (RuntimeException | Error fault) {
        faults.accept("A method failed: " + reason(fault) + ". Please report it.");
        first = first.isPresent() ? first : Optional.of(fault);
      }
    }
    return undecided(problem, first.orElseThrow(AssertionError::new));
  }

  /** The answer where a method failed and no other one is asked. */
  public static Outcome undecided(Problem problem, Throwable fault) {
    String id =
        problem.applications().stream().map(Application::id).min(String::compareTo).orElse("");
    return Outcome.infeasible(
        Infeasible.of(
            Infeasible.Reason.UNDECIDED,
            id,
            Optional.empty(),
            "No method solved ("
                + problem.name()
                + "): "
                + reason(fault)
                + ". Maybe try another method, and report the problem."));
  }

  /** What happened and where, in one sentence. */
  public static String reason(Throwable fault) {
    if (fault instanceof OutOfMemoryError) {
      return "it takes more memory than there is (" + fault.getMessage() + ")";
    }
    StackTraceElement[] trace = fault.getStackTrace();
    return fault + (trace.length == 0 ? "" : " at " + trace[0]);
  }
}
