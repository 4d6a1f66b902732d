package org.paceline.cli.solve;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Words;
import org.paceline.control.api.SolverService;
import org.paceline.control.api.UseCases;
import org.paceline.control.explain.SolverTrial;
import org.paceline.control.explain.TrialSolver;
import org.paceline.control.settings.SolverMethod;
import org.paceline.control.view.Word;
import org.paceline.intents.check.CertificateReport;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;

/** What a method makes of a problem; nothing changes. */
@Service
@Command(
    scope = "paceline",
    name = "solve",
    description = "Solves a problem by one method beside the plan; nothing changes",
    detailedDescription = "classpath:help/solve.txt")
public final class SolveCommand extends PacelineCommand<SolverService> {
  private static final int LARGEST = DocumentLimits.REQUEST.bytes();

  @Option(name = "--sent", description = "The problem that is sent, instead of the plan's")
  boolean sent;

  @Option(name = "--limit", description = "For solving, in seconds")
  long limit = TrialSolver.USUAL_LIMIT.toSeconds();

  @Argument(name = "method", description = "auto, exact, network or milp")
  @Completion(MethodCompleter.class)
  String method = SolverMethod.AUTO.word();

  @Argument(
      index = 1,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  private byte[] input = {};

  public SolveCommand() {
    super(UseCases::solver);
  }

  @Override
  protected boolean isReckoned() {
    return true;
  }

  @Override
  protected void readInput() {
    if (sent) {
      input = read();
    }
  }

  @Override
  protected Table table(SolverService use) {
    if (limit < 1 || limit > TrialSolver.GREATEST_LIMIT.toSeconds()) {
      throw new IllegalArgumentException(
          "The limit ("
              + limit
              + ") must lie from 1 to "
              + TrialSolver.GREATEST_LIMIT.toSeconds()
              + " seconds. Maybe 60.");
    }
    SolverMethod by = SolverMethod.parse(method);
    Problem problem = sent ? use.problemFile().read(input) : use.presentProblem();
    return table(TrialSolver.solve(problem, by, Duration.ofSeconds(limit)));
  }

  private static byte[] read() {
    try {
      byte[] bytes = System.in.readNBytes(LARGEST + 1);
      if (bytes.length == 0 || bytes.length > LARGEST) {
        throw new IllegalArgumentException(
            "The input has "
                + (bytes.length == 0 ? "nothing" : "more than " + LARGEST + " bytes")
                + " where a problem should be. Maybe: ssh -p 8101 USER@CONTROLLER"
                + " paceline:solve --sent < problem.json");
      }
      return bytes;
    } catch (IOException e) {
      throw new IllegalArgumentException("The input cannot be read: " + e.getMessage(), e);
    }
  }

  static Table table(SolverTrial trial) {
    Table table = new Table("application", "count", "rate", "delay", "utility", "path");
    trial.solution().ifPresent(solution -> solution.grants().forEach(grant -> row(table, grant)));
    String took = String.format(Locale.ROOT, "%.1f ms", trial.elapsed().toNanos() / 1e6);
    table.conclude(
        trial
            .solution()
            .map(
                solution ->
                    conclusion(trial.method(), solution, took)
                        + trial.report().map(SolveCommand::said).orElse(""))
            .orElseGet(
                () ->
                    "No solution by "
                        + trial.method().word()
                        + " after "
                        + took
                        + " ("
                        + Word.of(trial.outcome())
                        + "): "
                        + trial.why()));
    return table;
  }

  private static void row(Table table, Grant grant) {
    table.row(
        grant.applicationId(),
        Integer.toString(grant.count()),
        Words.rate(Optional.of(grant.rate())),
        Words.delay(Optional.of(grant.delay())),
        Words.utility(Optional.of(grant.utility())),
        String.join(" ", grant.path().nodes()));
  }

  private static String conclusion(SolverMethod method, Solution solution, String took) {
    return String.format(
        Locale.ROOT,
        "Solved by %s in %s: least utility %.3f, sum %.3f, at most %.4f %% better is possible; ",
        method.word(),
        took,
        solution.minimumUtility().value().doubleValue(),
        solution.sumBillionths() / 1e9,
        100 * solution.gap());
  }

  private static String said(CertificateReport report) {
    return report.isAccepted()
        ? "the certificate is accepted (least utility "
            + Word.of(report.theta())
            + ", sum "
            + Word.of(report.sum())
            + ")."
        : "the certificate is REFUSED: " + String.join(" ", report.violations());
  }
}
