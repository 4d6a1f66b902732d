package org.paceline.solve;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Problems in which not all can be served. */
class SolveAdmissionTest extends SolveProcess {
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
}
