package org.paceline.allocator.referee;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.paceline.intents.problem.Problem;
import org.paceline.json.problem.ProblemReader;

/** Problems with known optima, solved once by other programs: src/test/resources/instances. */
final class Instances {
  static final List<String> ONE_LINK =
      List.of(
          "delay40_n60_free",
          "load_n60_free",
          "load_n60_pertype",
          "paper020_free",
          "paper020_pertype",
          "paper050_free",
          "paper050_pertype",
          "paper080_free",
          "paper080_pertype",
          "paper120_free",
          "rand0_free");
  static final List<String> NETWORKS =
      List.of("m1_parkinglot4", "m2_triangle", "m7_two_path_delay_critical");

  private static final Pattern EXPECTED =
      Pattern.compile(
          "\"expected\"\\s*:\\s*\\{[^}]*?\"theta1\"\\s*:\\s*([0-9.]+)[^}]*?"
              + "\"sumUtility\"\\s*:\\s*([0-9.]+)");

  private Instances() {}

  static Problem problem(String name) {
    return read("instances/" + name);
  }

  /** One of src/test/resources/defects, whose README says what was wrong. */
  static Problem defect(String name) {
    return read("defects/" + name);
  }

  private static Problem read(String file) {
    try {
      return ProblemReader.read(new ByteArrayInputStream(bytes(file))).orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static BruteForce.Optimum expected(String name) {
    Matcher matcher =
        EXPECTED.matcher(new String(bytes("instances/" + name), StandardCharsets.UTF_8));
    if (!matcher.find()) {
      throw new IllegalStateException("The instance (" + name + ") has no expected optimum.");
    }
    return new BruteForce.Optimum(billionths(matcher.group(1)), billionths(matcher.group(2)));
  }

  private static long billionths(String text) {
    return new BigDecimal(text).scaleByPowerOfTen(9).longValueExact();
  }

  private static byte[] bytes(String file) {
    try (InputStream in = Instances.class.getResourceAsStream("/" + file + ".json")) {
      return in == null ? compressed(file) : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] compressed(String file) throws IOException {
    try (InputStream in = Instances.class.getResourceAsStream("/" + file + ".json.gz")) {
      if (in == null) {
        throw new IllegalStateException("There is no problem (" + file + ").");
      }
      return new GZIPInputStream(in).readAllBytes();
    }
  }
}
