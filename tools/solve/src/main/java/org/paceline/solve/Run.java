package org.paceline.solve;

import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.paceline.allocator.Guarded;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.admission.Admission;
import org.paceline.allocator.admission.Admitted;
import org.paceline.intents.check.SolutionChecker;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.Utility;
import org.paceline.json.solution.NotAdmitted;
import org.paceline.json.solution.SolutionWriter;
import org.paceline.json.solution.SolveTimes;

/** One problem from its source to its targets. */
final class Run {
  private final ProblemSource source;
  private final Method method;
  private final boolean admit;
  private final SolveOptions.Builder options;
  private final Target target;
  private final Optional<Target> plot;
  private final PrintStream messages;

  Run(
      ProblemSource source,
      Method method,
      boolean admit,
      SolveOptions.Builder options,
      Target target,
      Optional<Target> plot,
      PrintStream messages) {
    this.source = source;
    this.method = method;
    this.admit = admit;
    this.options = options;
    this.target = target;
    this.plot = plot;
    this.messages = messages;
  }

  ExitCode run() throws Refusal, IOException {
    String conclusion;
    ExitCode code;
    try (Progress progress = new Progress(messages)) {
      progress.now("reading the problem");
      Problem problem = source.read();
      Duration load = progress.elapsed();
      progress.now("solving");
      Answer answer = answer(problem, options.progress(progress.sink()).build());
      Outcome outcome = answer.outcome();
      Duration solve = progress.elapsed().minus(load);
      answer.notAdmitted().forEach(this::sayNotAdmitted);
      if (outcome.infeasible().isPresent()) {
        Infeasible why = outcome.infeasible().get();
        code =
            why.reason() == Infeasible.Reason.UNDECIDED ? ExitCode.UNDECIDED : ExitCode.INFEASIBLE;
        conclusion =
            (code == ExitCode.UNDECIDED ? "undecided: " : "infeasible: ")
                + why.message()
                + " (application "
                + why.applicationId()
                + why.bottleneck().map(link -> ", bottleneck " + link).orElse("")
                + "), "
                + times(load, solve);
      } else {
        Solution solution = outcome.orElseThrow();
        progress.now("checking and writing");
        Problem admitted = answer.admitted();
        require(SolutionChecker.violations(admitted, solution));
        target.write(
            out ->
                SolutionWriter.write(
                    solution, SolveTimes.of(load, solve), answer.notAdmitted(), out));
        if (plot.isPresent()) {
          plot.get().write(out -> new Plot(admitted, solution).write(out));
        }
        code = ExitCode.SOLVED;
        conclusion =
            summary(admitted, solution, load, solve)
                + (answer.notAdmitted().isEmpty() ? "" : ", " + answer.left() + " not admitted");
      }
    }
    messages.println("paceline solve: " + conclusion);
    return code;
  }

  /** What came of solving, with whom it is for. */
  private record Answer(Outcome outcome, Problem admitted, List<NotAdmitted> notAdmitted) {
    int left() {
      return notAdmitted.stream().mapToInt(NotAdmitted::count).sum();
    }
  }

  private Answer answer(Problem problem, SolveOptions options) throws Refusal {
    try {
      return admit
          ? admitted(problem, options)
          : new Answer(
              method.allocator(this::sayFault).solve(problem, options), problem, List.of());
    } catch (IllegalArgumentException e) {
      if (method.isChoosy()) {
        throw new Refusal(String.valueOf(e.getMessage()));
      }
      throw e;
    } catch (IllegalStateException | LinkageError e) {
      // What a method that was asked for by name cannot do, no other one does in its place.
      return new Answer(Guarded.undecided(problem, e), problem, List.of());
    }
  }

  private Answer admitted(Problem problem, SolveOptions options) {
    Admitted admitted = new Admission(method.allocator(this::sayFault)).admit(problem, options);
    return new Answer(
        admitted.outcome(),
        admitted.problem(),
        admitted.dropped().stream()
            .map(d -> NotAdmitted.of(d.applicationId(), d.count(), d.reason().message()))
            .toList());
  }

  private void sayFault(String sentence) {
    messages.println("paceline solve: " + sentence);
  }

  private void sayNotAdmitted(NotAdmitted out) {
    messages.println(
        "paceline solve: not admitted: "
            + (out.count() > 1 ? out.count() + " of " : "")
            + out.id()
            + ": "
            + out.why());
  }

  /** No solution leaves the house that its own checker refuses. */
  private static void require(List<String> violations) {
    if (!violations.isEmpty()) {
      throw new IllegalStateException(
          "The solution breaks its own problem's rules: " + String.join("; ", violations));
    }
  }

  private static String summary(Problem problem, Solution solution, Duration load, Duration solve) {
    return String.format(
        Locale.ROOT,
        "%s: %d applications, theta1 %s, min %s, sum %s, %s, %s",
        problem.name(),
        problem.size(),
        solution.theta1(),
        solution.minimumUtility(),
        BigDecimal.valueOf(solution.sumBillionths(), 9).setScale(6, RoundingMode.HALF_UP),
        solution.certificate().levels().isEmpty() ? gap(solution) : levels(solution),
        times(load, solve));
  }

  /** What took how long: the time limit is for solving. */
  private static String times(Duration load, Duration solve) {
    return String.format(
        Locale.ROOT, "read %.1f ms, solved %.1f ms", load.toNanos() / 1e6, solve.toNanos() / 1e6);
  }

  private static String gap(Solution solution) {
    return solution.gap() == 0
        ? "gap 0 (optimal)"
        : String.format(Locale.ROOT, "gap %.2e", solution.gap());
  }

  /** A level is proven where no fewer can be left there, as good as the levels before are. */
  private static String levels(Solution solution) {
    Map<Utility, Long> granted = solution.applicationsUpTo();
    long proven =
        solution.certificate().levels().stream()
            .filter(level -> granted.getOrDefault(level.level(), -1L) == level.fewest())
            .count();
    return solution.isFilled()
        ? "all " + proven + " levels proven (optimal)"
        : proven + " of " + granted.size() + " levels proven";
  }
}
