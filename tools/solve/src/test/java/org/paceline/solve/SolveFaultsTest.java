package org.paceline.solve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad input and bad usage: one clear refusal, and nothing lost. */
class SolveFaultsTest extends SolveProcess {
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
  void aFailureLeavesAnExistingFileAsItWas() throws Exception {
    Path out = Files.writeString(folder.resolve("out.json"), "as before");
    assertThat(solve(file("{}").toString(), "--out", out.toString()).status()).isEqualTo(2);
    assertThat(out).hasContent("as before");
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.map(f -> f.getFileName().toString()))
          .containsExactlyInAnyOrder("out.json", "problem.json", "stdout", "stderr");
    }
  }
}
