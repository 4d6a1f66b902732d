package org.paceline.solve;

import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.paceline.allocator.SolveOptions;
import org.paceline.intents.check.SolutionChecker;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;
import org.paceline.json.SolutionWriter;
import org.paceline.json.SolveTimes;

/** One problem from its source to its targets. */
final class Run {
  private final ProblemSource source;
  private final Method method;
  private final SolveOptions.Builder options;
  private final Target target;
  private final Optional<Target> plot;
  private final PrintStream messages;

  Run(
      ProblemSource source,
      Method method,
      SolveOptions.Builder options,
      Target target,
      Optional<Target> plot,
      PrintStream messages) {
    this.source = source;
    this.method = method;
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
      Outcome outcome = method.solve(problem, options.progress(progress.sink()).build());
      Duration solve = progress.elapsed().minus(load);
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
                + ")";
      } else {
        Solution solution = outcome.orElseThrow();
        progress.now("checking and writing");
        require(SolutionChecker.violations(problem, solution));
        target.write(out -> SolutionWriter.write(solution, SolveTimes.of(load, solve), out));
        if (plot.isPresent()) {
          plot.get().write(out -> new Plot(problem, solution).write(out));
        }
        code = ExitCode.SOLVED;
        conclusion = summary(problem, solution, load, solve);
      }
    }
    messages.println("paceline solve: " + conclusion);
    return code;
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
        "%s: %d applications, theta1 %s, min %s, sum %s, gap %s, read %.1f ms, solved %.1f ms",
        problem.name(),
        problem.size(),
        solution.theta1(),
        solution.minimumUtility(),
        BigDecimal.valueOf(solution.sumBillionths(), 9).setScale(6, RoundingMode.HALF_UP),
        solution.gap() == 0 ? "0 (optimal)" : String.format(Locale.ROOT, "%.2e", solution.gap()),
        load.toNanos() / 1e6,
        solve.toNanos() / 1e6);
  }
}
