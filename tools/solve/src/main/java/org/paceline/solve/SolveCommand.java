package org.paceline.solve;

import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.paceline.allocator.SolveOptions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tools/paceline solve}. */
@Command(
    name = "paceline solve",
    mixinStandardHelpOptions = false,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Solves an allocation problem: first the greatest least utility (theta1), then the greatest"
          + " sum with nobody more than epsilon below it. Writes the solution with a bound that"
          + " says how far from the optimum it can be. Formats: docs/solve.md.",
      ""
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:solved",
      "1:internal error",
      "2:bad input or usage",
      "3:infeasible; the message names an application and its bottleneck",
      "4:time limit reached without a solution or a proof that there is none"
    })
public final class SolveCommand implements Callable<Integer> {
  private static final BigDecimal LONGEST = BigDecimal.valueOf(1_000_000);

  @Parameters(paramLabel = "PROBLEM.json", description = "The problem; - is standard input.")
  private String problem = "";

  @Option(
      names = "--method",
      paramLabel = "METHOD",
      description =
          "One of ${COMPLETION-CANDIDATES}; auto (the default) takes exact where one link decides"
              + " everything, else network. milp is the paper's program, for small problems.")
  private Method method = Method.AUTO;

  @Option(
      names = "--lexicographic",
      description = "Raise the second least utility too, and so on, before the sum.")
  private boolean lexicographic;

  @Option(
      names = "--admit",
      description =
          "Where not all can be served, leave out the lowest priorities and say whom and why.")
  private boolean admit;

  @Option(
      names = "--time-limit",
      paramLabel = "S",
      description = "Return the best solution and bound after so many seconds (default 60).")
  private BigDecimal timeLimit = BigDecimal.valueOf(60);

  @Option(
      names = "--gap",
      paramLabel = "G",
      description =
          "Stop as soon as the sum is proven to be within this share of the optimum (default 0).")
  private double gap;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Write the solution here, all or nothing; default is standard output.")
  private Optional<String> out = Optional.empty();

  @Option(
      names = "--plot",
      paramLabel = "FILE.svg",
      description = "Draw each application's utility and rate.")
  private Optional<String> plot = Optional.empty();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this.")
  @SuppressWarnings("unused") // picocli acts on it.
  private boolean help;

  private final PrintStream messages;

  private SolveCommand(PrintStream messages) {
    this.messages = messages;
  }

  @Override
  public Integer call() throws IOException {
    try {
      Target target = out.isPresent() ? Target.file(path(out.get())) : Target.standardOutput();
      Optional<Target> drawing =
          plot.isPresent() ? Optional.of(Target.file(path(plot.get()))) : Optional.empty();
      Run run =
          new Run(
              new ProblemSource(problem, messages),
              method,
              admit,
              options(),
              target,
              drawing,
              messages);
      return run.run().status();
    } catch (Refusal e) {
      messages.println("paceline solve: " + e.reason());
      return ExitCode.BAD_INPUT.status();
    }
  }

  private SolveOptions.Builder options() throws Refusal {
    if (timeLimit.signum() <= 0 || timeLimit.compareTo(LONGEST) > 0) {
      throw new Refusal(
          "the time limit must lie above 0 and up to " + LONGEST + " seconds, but is " + timeLimit);
    }
    if (!(gap >= 0 && gap < 1)) {
      throw new Refusal("the gap must lie from 0 to below 1, but is " + gap + ".");
    }
    return SolveOptions.builder()
        .timeLimit(Duration.ofNanos(Math.max(1, (long) (timeLimit.doubleValue() * 1e9))))
        .targetGap(gap)
        .lexicographic(lexicographic);
  }

  private static Path path(String name) throws Refusal {
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      throw new Refusal(name + " is no file name: " + e.getReason());
    }
  }

  private static int fail(Throwable e, PrintStream messages) {
    messages.println("paceline solve: internal error: " + e);
    for (StackTraceElement frame : e.getStackTrace()) {
      messages.println("    at " + frame);
    }
    return ExitCode.INTERNAL_ERROR.status();
  }

  /** Runs the command and exits with its status. */
  public static void main(String[] arguments) {
    PrintStream messages = new PrintStream(System.err, true, StandardCharsets.UTF_8);
    int status;
    try {
      CommandLine command = new CommandLine(new SolveCommand(messages));
      command.setCaseInsensitiveEnumValuesAllowed(true);
      command.setExecutionExceptionHandler((e, line, parsed) -> fail(e, messages));
      status = command.execute(arguments);
    } catch (OutOfMemoryError e) {
      messages.println(
          "paceline solve: internal error: out of memory. Maybe give Java more with -Xmx, or join"
              + " identical applications into one with a count.");
      status = ExitCode.INTERNAL_ERROR.status();
    } catch (StackOverflowError | LinkageError e) {
      status = fail(e, messages);
    }
    System.exit(status);
  }
}
