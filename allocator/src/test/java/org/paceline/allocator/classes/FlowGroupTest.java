package org.paceline.allocator.classes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.paceline.intents.unit.DataRate;

class FlowGroupTest {
  private static final DataRate SHARE = DataRate.ofKilobitsPerSecond(40_000);

  @Property(seed = "20")
  void everyFlowIsInOneGroupAndTheGroupsHaveTheWholeShare(
      @ForAll @Size(max = 60) List<@IntRange(min = 0, max = 5_000) Integer> kbps,
      @ForAll @DoubleRange(min = -2, max = 0) double beta,
      @ForAll @DoubleRange(min = 0, max = 1) double gamma,
      @ForAll @IntRange(min = 0, max = SplitRule.DEEPEST) int depth,
      @ForAll LowerMean lowerMean) {
    Map<String, DataRate> measured = measured(kbps);

    List<FlowGroup> groups =
        FlowGroup.of(SHARE, measured, SplitRule.of(beta, gamma, lowerMean, depth));

    assertThat(groups.stream().flatMap(group -> group.throughput().keySet().stream()))
        .containsExactlyInAnyOrderElementsOf(measured.keySet());
    assertThat(groups)
        .allSatisfy(
            group -> {
              assertThat(group.throughput()).isNotEmpty();
              assertThat(group.place().length()).isLessThanOrEqualTo(depth);
            });
    assertThat(groups.stream().mapToLong(group -> group.rate().millibitsPerSecond()).sum())
        .isEqualTo(kbps.isEmpty() ? 0 : SHARE.millibitsPerSecond());
    if (groups.size() == 2) {
      // With more splits this need not hold: LH has what LL leaves, and HL less than its equals.
      assertThat(groups.get(1).each()).isGreaterThanOrEqualTo(groups.get(0).each() - 1);
    }
  }

  @Test
  void depthOneIsTheSplitOfThePaperAndNoDepthIsNone() {
    Map<String, DataRate> measured = measured(List.of(1_000, 1_000, 9_000, 9_000));
    assertThat(FlowGroup.of(SHARE, measured, SplitRule.PAPER))
        .extracting(FlowGroup::place)
        .containsExactly("L", "H");
    SubClasses split = SubClasses.of(SHARE, measured, SplitRule.PAPER);
    assertThat(FlowGroup.of(SHARE, measured, SplitRule.PAPER))
        .extracting(FlowGroup::rate)
        .containsExactly(split.lowerRate(), split.upperRate());
    assertThat(FlowGroup.of(SHARE, measured, SplitRule.of(0, 1, LowerMean.F_MINUS, 0)))
        .extracting(FlowGroup::place, FlowGroup::rate)
        .containsExactly(tuple("", SHARE));
  }

  @Test
  void aSubClassIsSplitAgainUntilItsFlowsAreAlike() {
    Map<String, DataRate> measured = measured(List.of(1_000, 2_000, 8_000, 9_000));
    assertThat(FlowGroup.of(SHARE, measured, SplitRule.of(-0.25, 0.5, LowerMean.F_MINUS, 8)))
        .extracting(FlowGroup::place)
        .containsExactly("LL", "LH", "HL", "HH");
  }

  private static Map<String, DataRate> measured(List<Integer> kbps) {
    Map<String, DataRate> measured = new HashMap<>();
    for (int f = 0; f < kbps.size(); f++) {
      measured.put("f" + f, DataRate.ofKilobitsPerSecond(kbps.get(f)));
    }
    return measured;
  }
}
