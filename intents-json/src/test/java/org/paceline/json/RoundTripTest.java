package org.paceline.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.kpi.KpiModel;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.BoxNode;
import org.paceline.intents.problem.BoxSplit;
import org.paceline.intents.problem.BoxTree;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.LevelBound;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.json.catalogue.Catalogue;
import org.paceline.json.document.Fault;
import org.paceline.json.document.Reading;
import org.paceline.json.solution.NotAdmitted;
import org.paceline.json.solution.SolutionReader;
import org.paceline.json.solution.SolutionWriter;
import org.paceline.json.solution.SolveTimes;
import org.paceline.json.tree.IntentTreeReader;
import org.paceline.json.tree.IntentTreeWriter;

class RoundTripTest {
  @Test
  void theTestsRunWithTheJacksonThatTheyAreMeantFor() {
    assertThat(new JsonFactory().version().toString())
        .isEqualTo(System.getProperty("jackson.tested"));
  }

  @Test
  void aSolutionIsReadBackWithItsCertificate() throws IOException {
    Path path = Path.of(List.of("a", "b", "c"));
    Solution solution =
        Solution.of(
            Utility.of(3.5),
            List.of(
                Grant.of(
                    "web-1",
                    7,
                    DataRate.ofMillibitsPerSecond(2_568_965_517L),
                    Latency.ofNanos(33_103_448L),
                    Utility.of(3.9),
                    path),
                Grant.of("web-2", 1, DataRate.ZERO, Latency.ZERO, Utility.MIN, path)),
            Certificate.of(
                    Utility.of(3.6),
                    28_300_000_001L,
                    Certificate.Proof.PRICES,
                    Map.of(LinkId.of("a", "b"), 0.1 + 0.2),
                    Optional.of(Utility.of(3.7)),
                    Map.of(LinkId.of("b", "c"), 1e-300))
                .withLevels(
                    List.of(
                        LevelBound.of(
                            Utility.of(3.9),
                            8,
                            Certificate.Proof.EXHAUSTIVE,
                            Map.of(LinkId.of("a", "b"), 1e-9),
                            Map.of(Utility.MIN, 0.25))))
                .withBoxes(
                    Optional.of(
                        BoxTree.of(
                            List.of("web-1"),
                            BoxTree.NOTHING,
                            List.of(BoxNode.of(Optional.empty(), Optional.empty())))),
                    List.of(
                        BoxTree.of(
                            List.of("web-1", "web-2"),
                            28_300_000_001L,
                            List.of(
                                parted(
                                    BoxSplit.byRate("web-1", 6, DataRate.ofMillibitsPerSecond(7))),
                                parted(BoxSplit.byDelay("web-2", 0, Latency.ofNanos(33_103_448L))),
                                parted(BoxSplit.byLink("web-2", 0, LinkId.of("b", "c"))))))));
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    SolutionWriter.write(
        solution,
        SolveTimes.of(Duration.ofNanos(3_100_000), Duration.ofNanos(412_345)),
        List.of(NotAdmitted.of("ssh-1", 3, "no room")),
        written);
    assertThat(written.toString(UTF_8))
        .contains("\"elapsedMs\":{\"load\":3.1,\"solve\":0.412}")
        .contains("\"notAdmitted\":[{\"id\":\"ssh-1\",\"count\":3,\"why\":\"no room\"}]")
        .contains("\"rateKbps\":2568.965517");
    Reading<Solution> read = SolutionReader.read(new ByteArrayInputStream(written.toByteArray()));
    assertThat(read.orElseThrow()).isEqualTo(solution);
  }

  private static BoxNode parted(BoxSplit split) {
    return BoxNode.of(Optional.of(Map.of(LinkId.of("a", "b"), 0.1 + 0.2)), Optional.of(split));
  }

  @Test
  void anIntentTreeOfAnyDepthIsReadBackWithItsTables() throws IOException {
    IntentTree tree =
        Catalogue.defaultTree()
            .with(
                IntentPath.of("video-streaming", "bbb_live", "board-room"),
                Policy.builder()
                    .minimumRate(DataRate.parse("1.5mbit"))
                    .maximumRate(DataRate.parse("4mbit"))
                    .priority(7)
                    .scheme(SchemeName.FIXED_RATE)
                    .classWeight(3)
                    .kpiModel(KpiModel.VIDEO)
                    .build())
            .with(
                IntentPath.of("web-browsing"),
                Policy.builder()
                    .utilityFunction(Catalogue.function("web").named("own"))
                    .uploadFunction(Catalogue.function("dl").named("ours"))
                    .build());
    ByteArrayOutputStream alone = new ByteArrayOutputStream();
    IntentTreeWriter.write(tree, alone);
    assertThat(read(alone, false)).isEqualTo(tree);
    ByteArrayOutputStream beside = new ByteArrayOutputStream();
    IntentTreeWriter.write(tree, Catalogue.load(), beside);
    assertThat(read(beside, true)).isEqualTo(tree);
    assertThat(beside.toString(UTF_8)).contains("\"own\":", "\"ours\":").doesNotContain("\"ssh\":");
    assertThat(beside.toString(UTF_8))
        .contains("{\"class\":\"video-streaming\",\"intent\":\"bbb_live/board-room\"");
  }

  private static IntentTree read(ByteArrayOutputStream written, boolean knowsCatalogue)
      throws IOException {
    return IntentTreeReader.read(
            new ByteArrayInputStream(written.toByteArray()),
            DocumentLimits.FILE,
            knowsCatalogue ? Catalogue.load() : Map.of())
        .orElseThrow();
  }

  @Test
  void theWeightThatTreesHadOnceIsPassedOverWithAWarning() throws IOException {
    try (InputStream stored = getClass().getResourceAsStream("/intents-with-weight.json")) {
      Reading<IntentTree> reading =
          IntentTreeReader.read(Objects.requireNonNull(stored), DocumentLimits.FILE, Map.of());
      assertThat(reading.orElseThrow().policies().get(IntentPath.parse("voip")))
          .isEqualTo(Policy.builder().priority(3).build());
      assertThat(reading.warnings())
          .extracting(Fault::toString)
          .singleElement(InstanceOfAssertFactories.STRING)
          .contains("/intents/1/weight", "is no longer known", "Maybe leave it out");
    }
  }

  @Test
  void faultsOfAnIntentTreeAreListedTogether() throws IOException {
    String json =
        "{'intents':[{'class':'a b'},{'intent':'x'},{'class':'c','utilityFunction':'none','uploadUtilityFunction':'no'},"
            + "{'class':'c'},{'class':'d','minimumRateKbps':9,'maximumRateKbps':5},"
            + "{'class':'e','priority':0.5}]}";
    Reading<IntentTree> reading =
        IntentTreeReader.read(
            new ByteArrayInputStream(json.replace('\'', '"').getBytes(UTF_8)),
            DocumentLimits.FILE,
            Map.of());
    assertThat(reading.faults().stream().map(Fault::place))
        .containsExactlyInAnyOrder(
            "/intents/0",
            "/intents/1",
            "/intents",
            "/intents/2/utilityFunction",
            "/intents/2/uploadUtilityFunction",
            "/intents/3",
            "/intents/4",
            "/intents/5/priority");
  }
}
