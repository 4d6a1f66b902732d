package org.paceline.solve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.paceline.intents.check.CertificateChecker;
import org.paceline.intents.check.SolutionChecker;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;
import org.paceline.json.ProblemReader;
import org.paceline.json.SolutionReader;

/** Runs the command as its users do: as a process. */
class SolveCommandTest {
  private static final Path EXAMPLES = Path.of("examples");

  @TempDir Path folder = Path.of("");

  /** What a process left behind. */
  private record Ran(int status, String out, String messages) {
    String lastMessage() {
      String[] lines = messages.split("\n");
      return lines[lines.length - 1];
    }
  }

  private Ran solve(String... arguments) throws IOException, InterruptedException {
    return solve(InputStream.nullInputStream(), arguments);
  }

  private Ran solve(InputStream in, String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                SolveCommand.class.getName()));
    command.addAll(List.of(arguments));
    Path out = folder.resolve("stdout");
    Path messages = folder.resolve("stderr");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(messages.toFile())
            .start();
    try (OutputStream stdin = process.getOutputStream()) {
      in.transferTo(stdin);
    } catch (IOException e) {
      // The command read no further, as it may.
      assertThat(e).hasMessageContaining("pipe");
    }
    return new Ran(process.waitFor(), Files.readString(out), Files.readString(messages));
  }

  private Path file(String json) throws IOException {
    return Files.writeString(folder.resolve("problem.json"), json);
  }

  static Stream<Path> examples() throws IOException {
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      return files.filter(f -> f.toString().endsWith(".json")).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyExampleIsSolvedToItsKnownOptimum(Path example) throws Exception {
    Path out = folder.resolve("solution.json");
    Ran ran = solve(example.toString(), "--out", out.toString());
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
    Ran ran = solve(example, "--method", "milp");
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
  void aBadFileGetsAllItsFaultsAndStatusTwo() throws Exception {
    String good = Files.readString(EXAMPLES.resolve("m2_triangle.json"));
    String bad =
        good.replaceFirst("\"from\":\"s0\",", "")
            .replaceFirst("\"capacityKbps\":15000", "\"capacityKbps\":-15000")
            .replaceFirst("\"epsilon\":0.3", "\"epsilon\":NaN");
    Ran ran = solve(file(bad).toString());
    assertThat(ran.status()).isEqualTo(2);
    assertThat(ran.messages())
        .contains("3 faults")
        .contains("/epsilon", "/links/0: lacks from", "/links/2/capacityKbps");
    assertThat(ran.out()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`\"to\":\"s1\",\"capacityKbps\"` | `\"capacityKbps\"` | /links/0: lacks to",
        "`\"capacityKbps\":15000` | `\"capacityKbps\":-15000` | /capacityKbps: must lie from 0",
        "`\"epsilon\":0.3` | `\"epsilon\":NaN` | /epsilon: must be a number",
        "`\"utilityFunction\":\"web\"` | `\"utilityFunction\":\"wep\"` | is no utility function",
        "`\"id\":\"web-2\"` | `\"id\":\"web-1\"` | /id: (web-1) is the id of /applications/",
        "`\"utility\":[[` | `\"utility\":[[1],[` | must have a row for each",
        "`\"utility\":[[` | `\"utility\":[[0.9],[` | must lie from 1 to 5, but is (0.9)",
        "`\"utility\":[[` | `\"utility\":[[5.1],[` | must lie from 1 to 5, but is (5.1)",
        "`\"applications\":[` | `\"applications\":[],\"description\":[` | /applications: is empty",
      })
  void everyKindOfFaultIsNamedWithItsPlace(String part, String instead, String told)
      throws Exception {
    String good = Files.readString(EXAMPLES.resolve("paper020_free.json"));
    if (part.contains("15000")) {
      good = Files.readString(EXAMPLES.resolve("m2_triangle.json"));
    }
    assertThat(good).contains(part);
    Ran ran = solve(file(good.replaceFirst(Pattern.quote(part), instead)).toString());
    assertThat(ran.messages()).contains(told).doesNotContain("Exception");
    assertThat(ran.status()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
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
  void waterFillingOfANetworkIsNotDecidedAndSaysAWayOut() throws Exception {
    String network = EXAMPLES.resolve("m1_parkinglot4.json").toString();
    Ran ran = solve(network, "--lexicographic");
    assertThat(ran.status()).isEqualTo(4);
    assertThat(ran.lastMessage()).contains("undecided", "Maybe leave --lexicographic out");
    assertThat(solve(network, "--lexicographic", "--admit").status()).isEqualTo(4);
    Ran milp = solve(network, "--lexicographic", "--method", "milp");
    assertThat(milp.status()).isEqualTo(2);
    assertThat(milp.lastMessage()).contains("no lexicographic variant");
  }

  private static Solution solution(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return SolutionReader.read(in).orElseThrow();
    }
  }

  @Test
  void ofAnEntryWithACountOnlyTheCopiesWithoutRoomAreLeftOut() throws Exception {
    String tight =
        Files.readString(EXAMPLES.resolve("paper020_free.json"))
            .replace("\"capacityKbps\":100000", "\"capacityKbps\":20000")
            .replace("\"id\":\"live-1\",", "\"id\":\"live-1\",\"count\":1000,\"priority\":-1,");
    Path out = folder.resolve("out.json");
    Ran ran = solve(file(tight).toString(), "--admit", "--out", out.toString());
    assertThat(ran.status()).isZero();
    assertThat(ran.messages()).containsPattern("not admitted: 9\\d\\d of live-1: ");
    assertThat(Files.readString(out))
        .containsPattern("\"notAdmitted\":\\[\\{\"id\":\"live-1\",\"count\":9\\d\\d,")
        .containsPattern("\\{\"id\":\"live-1\",(\"count\":\\d+,)?\"rateKbps\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "nonsense", "[]", "{}", "{\"nodes\":[\"a\"]", "\u0000\u0001"})
  void whatIsNoProblemGetsStatusTwo(String text) throws Exception {
    Ran ran = solve(file(text).toString());
    assertThat(ran.status()).isEqualTo(2);
    assertThat(ran.messages()).doesNotContain("Exception").contains("fault");
  }

  @Test
  void aGigabyteOfRubbishIsRefusedInASmallHeap() throws Exception {
    Path rubbish = folder.resolve("rubbish.json");
    try (RandomAccessFile file = new RandomAccessFile(rubbish.toFile(), "rw")) {
      file.setLength(1L << 30);
    }
    Ran ran = solve(rubbish.toString());
    assertThat(ran.status()).isEqualTo(2);
    assertThat(ran.messages()).contains("fault").doesNotContain("OutOfMemory");
    try (RandomAccessFile file = new RandomAccessFile(rubbish.toFile(), "rw")) {
      file.write("{\"nodes\":[\"".getBytes(UTF_8));
    }
    assertThat(solve(rubbish.toString()).status()).isEqualTo(2);
  }

  @Test
  void wrongUsageGetsStatusTwo() throws Exception {
    String good = EXAMPLES.resolve("paper020_free.json").toString();
    assertThat(solve().status()).isEqualTo(2);
    assertThat(solve("--nonsense", good).status()).isEqualTo(2);
    assertThat(solve(good, "--method", "magic").status()).isEqualTo(2);
    assertThat(solve(good, "--time-limit", "0").status()).isEqualTo(2);
    assertThat(solve(good, "--out", folder.resolve("none/x.json").toString()).status())
        .isEqualTo(2);
    assertThat(solve(folder.resolve("none.json").toString()).status()).isEqualTo(2);
    assertThat(solve(folder.toString()).status()).isEqualTo(2);
  }

  @Test
  void helpNamesEveryExitStatus() throws Exception {
    Ran ran = solve("--help");
    assertThat(ran.status()).isZero();
    assertThat(ran.out()).contains("infeasible", "time limit", "bad input", "internal error");
  }

  @Test
  void anInfeasibleProblemNamesAnApplicationAndItsBottleneck() throws Exception {
    String tight =
        Files.readString(EXAMPLES.resolve("paper080_free.json"))
            .replace("\"capacityKbps\":100000", "\"capacityKbps\":1000");
    Path out = Files.writeString(folder.resolve("out.json"), "as before");
    Ran ran = solve(file(tight).toString(), "--out", out.toString());
    assertThat(ran.status()).isEqualTo(3);
    assertThat(ran.lastMessage()).contains("infeasible", "application ", "bottleneck ");
    assertThat(out).hasContent("as before");
  }

  @Test
  void admissionLeavesOutTheLowestPriorityAndSaysWhomAndWhy() throws Exception {
    String tight =
        Files.readString(EXAMPLES.resolve("paper020_free.json"))
            .replace("\"capacityKbps\":100000", "\"capacityKbps\":4000")
            .replace("\"id\":\"live-1\",", "\"id\":\"live-1\",\"priority\":9,");
    Path out = folder.resolve("out.json");
    Path problem = file(tight);
    assertThat(solve(problem.toString()).status()).isEqualTo(3);
    Ran ran = solve(problem.toString(), "--admit", "--out", out.toString());
    assertThat(ran.status()).isZero();
    assertThat(ran.messages()).contains("not admitted: ").doesNotContain("not admitted: live-1:");
    assertThat(Files.readString(out)).contains("\"notAdmitted\":[{\"id\":");
  }

  @Test
  void aFailureLeavesAnExistingFileAsItWas() throws Exception {
    Path out = Files.writeString(folder.resolve("out.json"), "as before");
    assertThat(solve(file("{}").toString(), "--out", out.toString()).status()).isEqualTo(2);
    assertThat(out).hasContent("as before");
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.map(f -> f.getFileName().toString()))
          .containsExactlyInAnyOrder("out.json", "problem.json", "stdout", "stderr");
    }
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
