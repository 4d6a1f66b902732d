package org.paceline.solve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.paceline.intents.check.CertificateChecker;
import org.paceline.intents.check.SolutionChecker;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;
import org.paceline.json.problem.ProblemReader;

/** What the command solves, and where its answers go. */
class SolveCommandTest extends SolveProcess {
  /** In seconds: an optimum is found however busy the machine is. */
  private static final String LONG = "600";

  static Stream<Path> examples() throws IOException {
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      return files.filter(f -> f.toString().endsWith(".json")).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyExampleIsSolvedToItsKnownOptimum(Path example) throws Exception {
    Path out = folder.resolve("solution.json");
    Ran ran = solve(example.toString(), "--time-limit", LONG, "--out", out.toString());
    assertThat(ran.messages()).contains("theta1");
    assertThat(ran.status()).isZero();
    assertThat(ran.out()).isEmpty();
    Problem problem = ProblemReader.read(example).orElseThrow();
    Solution solution = solution(out);
    assertThat(SolutionChecker.violations(problem, solution)).isEmpty();
    assertThat(CertificateChecker.check(problem, solution).violations()).isEmpty();
    Expected expected = Expected.of(example);
    assertThat(solution.theta1().billionths() / 1e9)
        .isCloseTo(expected.theta1(), org.assertj.core.api.Assertions.within(1e-6));
    assertThat((expected.sum() - solution.sumBillionths() / 1e9) / expected.sum())
        .isLessThanOrEqualTo(1e-6);
    assertThat(solution.certificate().sumBound() / 1e9)
        .isGreaterThanOrEqualTo(expected.sum() * (1 - 1e-8));
  }

  /** The known optimum that a reference problem carries. */
  private record Expected(double theta1, double sum) {
    static Expected of(Path example) throws IOException {
      String json = Files.readString(example);
      String expected = json.substring(json.indexOf("\"expected\""));
      return new Expected(number(expected, "theta1"), number(expected, "sumUtility"));
    }

    private static double number(String json, String member) {
      String from = json.substring(json.indexOf("\"" + member + "\":") + member.length() + 3);
      return Double.parseDouble(from.split("[,}]", 2)[0]);
    }
  }

  @Test
  void aProblemFromStandardInputIsSolvedToStandardOutput() throws Exception {
    try (InputStream problem = Files.newInputStream(EXAMPLES.resolve("paper020_free.json"))) {
      Ran ran = solve(problem, "-");
      assertThat(ran.status()).isZero();
      assertThat(ran.out()).startsWith("{\"theta1\":4.5,").endsWith("}\n");
      assertThat(ran.lastMessage()).contains("theta1 4.5", "sum 95.247591", "gap 0 (optimal)");
    }
  }

  @Test
  void thePapersProgramAgreesAndKeepsStandardOutputToTheSolution() throws Exception {
    String example = EXAMPLES.resolve("paper020_free.json").toString();
    Ran ran = solve(example, "--method", "milp", "--time-limit", LONG);
    assertThat(ran.status()).isZero();
    assertThat(ran.out()).startsWith("{\"theta1\":4.5,").contains("\"sumUtility\":95.2475905");
  }

  @Test
  void aTimeLimitWithoutASolutionGetsStatusFour() throws Exception {
    String example = EXAMPLES.resolve("paper120_free.json").toString();
    Ran ran = solve(example, "--method", "milp", "--time-limit", "0.5");
    assertThat(ran.status()).isEqualTo(4);
    assertThat(ran.lastMessage()).contains("undecided");
  }

  @Test
  void waterFillingOfOneBottleneckRaisesWhoIsWorstOff() throws Exception {
    String example = EXAMPLES.resolve("paper080_free.json").toString();
    Path sum = folder.resolve("sum.json");
    Path filled = folder.resolve("filled.json");
    assertThat(solve(example, "--out", sum.toString()).status()).isZero();
    assertThat(solve(example, "--lexicographic", "--out", filled.toString()).status()).isZero();
    Problem problem = ProblemReader.read(Path.of(example)).orElseThrow();
    Solution lexicographic = solution(filled);
    assertThat(SolutionChecker.violations(problem, lexicographic)).isEmpty();
    // Everybody has theta1, which the greatest sum gives up by as much as epsilon.
    assertThat(lexicographic.minimumUtility()).isEqualTo(lexicographic.theta1());
    assertThat(solution(sum).minimumUtility()).isLessThan(lexicographic.theta1());
    assertThat(lexicographic.sumBillionths()).isLessThan(solution(sum).sumBillionths());
  }

  @Test
  void waterFillingOfANetworkSaysHowManyLevelsAreProven() throws Exception {
    Path network = EXAMPLES.resolve("m2_triangle.json");
    Path filled = folder.resolve("filled.json");
    Ran ran =
        solve(
            network.toString(),
            "--lexicographic",
            "--time-limit",
            LONG,
            "--out",
            filled.toString());
    assertThat(ran.status()).isZero();
    assertThat(ran.lastMessage()).containsPattern("all \\d+ levels proven \\(optimal\\)");
    Problem problem = ProblemReader.read(network).orElseThrow();
    Solution solution = solution(filled);
    assertThat(SolutionChecker.violations(problem, solution)).isEmpty();
    assertThat(CertificateChecker.check(problem, solution).violations()).isEmpty();
    assertThat(solution.isFilled()).isTrue();
    assertThat(solution.minimumUtility()).isEqualTo(solution.theta1());
  }

  @Test
  void thePapersProgramHasNoWaterFillingAndSaysAWayOut() throws Exception {
    String network = EXAMPLES.resolve("m1_parkinglot4.json").toString();
    Ran milp = solve(network, "--lexicographic", "--method", "milp");
    assertThat(milp.status()).isEqualTo(2);
    assertThat(milp.lastMessage()).contains("no lexicographic variant");
  }

  @Test
  void helpNamesEveryExitStatus() throws Exception {
    Ran ran = solve("--help");
    assertThat(ran.status()).isZero();
    assertThat(ran.out()).contains("infeasible", "time limit", "bad input", "internal error");
  }

  @Test
  void aDeviceIsWrittenToAndNotReplaced() throws Exception {
    String good = EXAMPLES.resolve("paper020_free.json").toString();
    assertThat(solve(good, "--out", "/dev/null").status()).isZero();
    assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
  }

  @Test
  void aPlotShowsEveryApplication() throws Exception {
    Path plot = folder.resolve("plot.svg");
    String good = EXAMPLES.resolve("paper080_free.json").toString();
    assertThat(solve(good, "--plot", plot.toString()).status()).isZero();
    String svg = Files.readString(plot);
    assertThat(svg).startsWith("<svg").endsWith("</svg>\n");
    // One bar for its utility and one for its rate.
    assertThat(svg.split("<title>", -1)).hasSize(2 * 80 + 1);
  }
}
