package org.paceline.northbound.rest.view;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.paceline.control.explain.SolverTrial;
import org.paceline.control.view.Word;
import org.paceline.intents.check.CertificateReport;
import org.paceline.intents.problem.Solution;
import org.paceline.json.solution.SolutionWriter;

/** A trial of a solver as JSON; its solution as {@code tools/paceline solve} writes it. */
public final class SolverTrialJson {
  private SolverTrialJson() {}

  public static ObjectNode of(SolverTrial trial) {
    ObjectNode json =
        Json.object()
            .put("method", trial.method().word())
            .put("outcome", lower(trial.outcome()))
            .put("why", trial.why())
            .put("elapsedMs", trial.elapsed().toNanos() / 1e6);
    trial
        .solution()
        .ifPresent(solution -> json.put("gap", solution.gap()).set("solution", solution(solution)));
    trial.report().ifPresent(report -> json.set("certificate", certificate(report)));
    return json;
  }

  private static ObjectNode certificate(CertificateReport report) {
    ObjectNode json =
        Json.object()
            .put("accepted", report.isAccepted())
            .put("leastUtility", lower(report.theta()))
            .put("sum", lower(report.sum()));
    report.violations().forEach(json.putArray("violations")::add);
    return json;
  }

  private static ObjectNode solution(Solution solution) {
    try {
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      SolutionWriter.write(solution, text);
      return (ObjectNode) Json.parse(text.toString(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("What was just written cannot be read.", e);
    }
  }

  private static String lower(Enum<?> word) {
    return Word.of(word);
  }
}
