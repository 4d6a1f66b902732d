package org.paceline.intents.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.paceline.intents.kpi.KpiModel;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

class IntentTreeTest {
  private static final UtilityFunction FALLBACK = function("fallback");
  private static final UtilityFunction VIDEO = function("video");
  private static final UtilityFunction CAMERA = function("camera");
  private static final IntentPath LIVE = IntentPath.parse("video-streaming/live/4k");

  private static UtilityFunction function(String name) {
    return UtilityFunction.of(
        name,
        List.of(DataRate.ofKilobitsPerSecond(100), DataRate.ofKilobitsPerSecond(1000)),
        List.of(Latency.ofMillis(50)),
        List.of(List.of(Utility.of(2)), List.of(Utility.of(4))));
  }

  @Test
  void aNodeInheritsWhatItDoesNotSetAndSaysFromWhere() {
    IntentTree tree =
        IntentTree.withDefault(FALLBACK)
            .with(
                IntentPath.parse("video-streaming"),
                Policy.builder()
                    .utilityFunction(VIDEO)
                    .minimumRate(DataRate.ofKilobitsPerSecond(200))
                    .build())
            .with(LIVE, Policy.builder().minimumRate(DataRate.ofKilobitsPerSecond(300)).build());

    EffectivePolicy policy = tree.resolve(LIVE);

    assertThat(policy.utilityFunction())
        .isEqualTo(Sourced.of(VIDEO, IntentPath.parse("video-streaming")));
    assertThat(policy.minimumRate()).hasValue(Sourced.of(DataRate.ofKilobitsPerSecond(300), LIVE));
    assertThat(policy.priority()).isEqualTo(Sourced.of(0, IntentPath.ROOT));
  }

  /**
   * From the root down: who names a function names it for both directions, and then for uploads.
   */
  @Property(seed = "20")
  void uploadsHaveTheFunctionOfTheLastNodeThatNamesAny(
      @ForAll @Size(max = 5) List<@IntRange(max = 3) Integer> nodes) {
    IntentTree tree = IntentTree.withDefault(FALLBACK);
    IntentPath node = IntentPath.ROOT;
    Sourced<UtilityFunction> download = Sourced.of(FALLBACK, node);
    Sourced<UtilityFunction> upload = download;
    for (int names : nodes) {
      node = IntentPath.parse(node.isRoot() ? "n" : node + "/n");
      Policy.Builder policy = Policy.builder();
      if ((names & 1) != 0) {
        download = upload = Sourced.of(VIDEO, node);
        policy.utilityFunction(VIDEO);
      }
      if ((names & 2) != 0) {
        upload = Sourced.of(CAMERA, node);
        policy.uploadFunction(CAMERA);
      }
      tree = tree.with(node, policy.build());
    }
    EffectivePolicy policy = tree.resolve(node);
    assertThat(policy.utilityFunction()).isEqualTo(download);
    assertThat(policy.uploadFunction()).isEqualTo(upload);
    assertThat(policy.inDirection(TrafficDirection.DOWNLOAD)).isEqualTo(policy);
    assertThat(policy.inDirection(TrafficDirection.UNKNOWN)).isEqualTo(policy);
    EffectivePolicy uploads = policy.inDirection(TrafficDirection.UPLOAD);
    assertThat(uploads.utilityFunction()).isEqualTo(upload);
    assertThat(uploads.isOfUploads()).isEqualTo(!upload.equals(download));
    assertThat(policy.isOfUploads()).isFalse();
  }

  @Test
  void boundsThatLeaveUploadsNoBinAreRefused() {
    UtilityFunction slow =
        UtilityFunction.of(
            "slow",
            List.of(DataRate.ofKilobitsPerSecond(10)),
            List.of(Latency.ofMillis(50)),
            List.of(List.of(Utility.of(4))));
    IntentPath node = IntentPath.parse("backup");
    IntentTree tree =
        IntentTree.withDefault(FALLBACK).with(node, Policy.builder().uploadFunction(slow).build());
    Policy bounded =
        Policy.builder()
            .uploadFunction(slow)
            .minimumRate(DataRate.ofKilobitsPerSecond(100))
            .build();
    assertThatThrownBy(() -> tree.with(node, bounded))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("The intent (backup)")
        .hasMessageContaining("of (slow) lies");
    assertThatThrownBy(
            () -> tree.with(IntentPath.ROOT, Policy.builder().uploadFunction(slow).build()))
        .hasMessageContaining("The root needs a utility function");
  }

  @Test
  void anIntentThatIsNotInTheTreeIsServedByItsNearestAncestor() {
    IntentTree tree =
        IntentTree.withDefault(FALLBACK)
            .with(
                IntentPath.parse("video-streaming"),
                Policy.builder().utilityFunction(VIDEO).build());

    EffectivePolicy policy = tree.resolve("video-streaming/unheard/of");

    assertThat(policy.node()).isEqualTo(IntentPath.parse("video-streaming"));
    assertThat(policy.utilityFunction().value()).isEqualTo(VIDEO);
  }

  @Test
  void aConversationWithNoUsableIntentGetsTheRootsDefault() {
    IntentTree tree = IntentTree.withDefault(FALLBACK);

    for (String unusable :
        List.of("", "/", "  ", "no such/intent at all", "a//b", "../x", "\u0000")) {
      assertThat(tree.resolve(unusable).utilityFunction())
          .as("intent (%s)", unusable)
          .isEqualTo(Sourced.of(FALLBACK, IntentPath.ROOT));
    }
  }

  @Test
  void aFixedRateNeedBeNoBinAndIsWorthTheGreatestBelowIt() {
    IntentPath backup = IntentPath.parse("backup");
    IntentPath urgent = IntentPath.parse("backup/urgent");
    IntentTree tree =
        IntentTree.withDefault(FALLBACK)
            .with(
                backup,
                Policy.builder()
                    .scheme(SchemeName.FIXED_RATE)
                    .maximumRate(DataRate.ofKilobitsPerSecond(700))
                    .build())
            .with(urgent, Policy.builder().scheme(SchemeName.UTILITY_FAIR).build());

    UtilityFunction fixed = tree.resolve("backup/nightly").boundedFunction();
    assertThat(fixed.throughputBins()).isEqualTo(1);
    assertThat(fixed.throughput(0)).isEqualTo(DataRate.ofKilobitsPerSecond(700));
    assertThat(fixed.utility(0, 0)).isEqualTo(Utility.of(2));
    assertThat(fixed.at(DataRate.ofKilobitsPerSecond(50)).utility(0, 0)).isEqualTo(Utility.MIN);
    assertThat(tree.resolve("backup/urgent").scheme())
        .isEqualTo(Sourced.of(SchemeName.UTILITY_FAIR, urgent));
    assertThat(tree.resolve("backup/urgent").boundedFunction().throughput(0))
        .isEqualTo(DataRate.ofKilobitsPerSecond(100));
    assertThat(tree.resolve("web").scheme())
        .isEqualTo(Sourced.of(SchemeName.UTILITY_FAIR, IntentPath.ROOT));
  }

  @Test
  void aFixedRateThatNobodyHasSetIsRefused() {
    assertThatThrownBy(
            () ->
                IntentTree.withDefault(FALLBACK)
                    .with(
                        IntentPath.parse("backup"),
                        Policy.builder().scheme(SchemeName.FIXED_RATE).build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("The intent (backup)")
        .hasMessageContaining("fixed-rate")
        .hasMessageContaining("Maybe set the greatest rate");
    assertThatThrownBy(() -> SchemeName.parse("fair"))
        .hasMessageContaining("(fair)")
        .hasMessageContaining("utility-fair, fixed-rate, service-classes");
  }

  @Test
  void theNodeThatSetsAWeightIsTheServiceClassOfAllThatInheritIt() {
    IntentPath gold = IntentPath.parse("video/gold");
    IntentTree tree =
        IntentTree.withDefault(FALLBACK)
            .with(
                IntentPath.parse("video"),
                Policy.builder()
                    .scheme(SchemeName.SERVICE_CLASSES)
                    .maximumRate(DataRate.ofKilobitsPerSecond(50))
                    .build())
            .with(gold, Policy.builder().classWeight(3).build());

    assertThat(tree.resolve("video/gold/board-room").classWeight()).isEqualTo(Sourced.of(3, gold));
    assertThat(tree.resolve("video").classWeight()).isEqualTo(Sourced.of(1, IntentPath.ROOT));
    // Shares are no bins of the table, so a greatest rate may lie below all of them.
    UtilityFunction capped = tree.resolve("video/gold").boundedFunction();
    assertThat(capped.throughputBins()).isEqualTo(1);
    assertThat(capped.throughput(0)).isEqualTo(DataRate.ofKilobitsPerSecond(50));
    assertThat(capped.utility(0, 0)).isEqualTo(Utility.MIN);
    assertThatThrownBy(() -> tree.with(gold, Policy.builder().maximumRate(DataRate.ZERO).build()))
        .hasMessageContaining("set by video/gold");
    for (int none : new int[] {0, -1, 1_001}) {
      assertThatThrownBy(() -> Policy.builder().classWeight(none).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("(" + none + ")")
          .hasMessageContaining("from 1 to 1000");
    }
  }

  @Test
  void theKpisOfABranchAreJudgedByTheNearestModelAndByNoneWhereNobodyNamesOne() {
    IntentPath video = IntentPath.parse("video");
    IntentTree tree =
        IntentTree.withDefault(FALLBACK)
            .with(video, Policy.builder().kpiModel(KpiModel.VIDEO).build());
    assertThat(tree.resolve("video/gold/board-room").kpiModel())
        .contains(Sourced.of(KpiModel.VIDEO, video));
    assertThat(tree.resolve("files").kpiModel()).isEmpty();
  }

  @Test
  void boundsLeaveOnlyTheRateBinsBetweenThem() {
    IntentTree tree =
        IntentTree.withDefault(FALLBACK)
            .with(
                IntentPath.parse("backup"),
                Policy.builder().maximumRate(DataRate.ofKilobitsPerSecond(500)).build());

    assertThat(tree.resolve("backup").boundedFunction().throughputBins()).isEqualTo(1);
    assertThat(tree.resolve("backup").boundedFunction().name()).isNotEqualTo(FALLBACK.name());
    assertThat(tree.resolve("other").boundedFunction()).isEqualTo(FALLBACK);
  }

  @Test
  void boundsThatLeaveNothingAreRefusedAndTheTreeStaysAsItWas() {
    IntentTree tree = IntentTree.withDefault(FALLBACK);
    Policy impossible = Policy.builder().minimumRate(DataRate.ofKilobitsPerSecond(5000)).build();

    assertThatThrownBy(() -> tree.with(IntentPath.parse("backup"), impossible))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("backup")
        .hasMessageContaining("at 5000 kbit/s or above; its bins");
    assertThat(tree).isEqualTo(IntentTree.withDefault(FALLBACK));
  }

  @Test
  void boundsOfAnAncestorAreCheckedAgainstItsDescendants() {
    IntentTree tree =
        IntentTree.withDefault(FALLBACK)
            .with(
                IntentPath.parse("a/b"),
                Policy.builder().minimumRate(DataRate.ofKilobitsPerSecond(900)).build());

    assertThatThrownBy(
            () ->
                tree.with(
                    IntentPath.parse("a"),
                    Policy.builder().maximumRate(DataRate.ofKilobitsPerSecond(200)).build()))
        .hasMessageContaining("a/b");
  }

  @Test
  void theRootKeepsAUtilityFunction() {
    IntentTree tree = IntentTree.withDefault(FALLBACK);

    assertThatThrownBy(() -> tree.with(IntentPath.ROOT, Policy.INHERIT_ALL))
        .hasMessageContaining("Maybe");
    assertThatThrownBy(() -> tree.without(IntentPath.ROOT)).hasMessageContaining("root");
  }

  @Test
  void removingANodeRemovesAllBelowIt() {
    IntentTree tree = IntentTree.withDefault(FALLBACK).with(LIVE, Policy.INHERIT_ALL);

    assertThat(tree.contains(IntentPath.parse("video-streaming/live"))).isTrue();
    assertThat(tree.without(IntentPath.parse("video-streaming")))
        .isEqualTo(IntentTree.withDefault(FALLBACK));
  }

  @Test
  void namesThatWouldNotSurviveATripThroughTextAreRefused() {
    assertThatThrownBy(() -> IntentPath.parse("video streaming/live"))
        .hasMessageContaining("video streaming");
    assertThat(IntentPath.parse(LIVE.toString())).isEqualTo(LIVE);
    assertThat(IntentPath.parse("/" + LIVE)).isEqualTo(LIVE);
    assertThat(LIVE.parent().map(IntentPath::toString)).contains("video-streaming/live");
  }
}
