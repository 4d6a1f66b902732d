package org.paceline.allocator.classes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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

class SubClassesTest {
  private static final DataRate SHARE = DataRate.ofKilobitsPerSecond(50_000);

  @Property
  void theLowerSubClassGrowsWithTheThresholdAndNothingIsLost(
      @ForAll @Size(min = 1, max = 60) List<@IntRange(min = 0, max = 5_000) Integer> kbps,
      @ForAll @DoubleRange(min = -2, max = 0) double beta,
      @ForAll @DoubleRange(min = 0, max = 1) double gamma) {
    Map<String, DataRate> measured = measured(kbps);

    SubClasses split = SubClasses.of(SHARE, measured, beta, gamma);

    assertThat(split.lower()).hasSizeLessThan(kbps.size());
    assertThat(SubClasses.of(SHARE, measured, 0, gamma).lower()).containsAll(split.lower());
    assertThat(split.lowerRate().plus(split.upperRate())).isEqualTo(SHARE);
    // Theorem 2: a flow of the upper sub-class has no less than an equal share.
    long equal = SHARE.millibitsPerSecond() / kbps.size();
    assertThat(split.upperRate().millibitsPerSecond() / (kbps.size() - split.lower().size()))
        .isGreaterThanOrEqualTo(equal);
    if (gamma == 0 && !split.lower().isEmpty()) {
      assertThat(split.lowerRate().millibitsPerSecond() / split.lower().size())
          .isBetween(equal - 1, equal);
    }
  }

  @Test
  void theTradeOffMovesTheLowFlowsFromWhatTheyReachToAnEqualShare() {
    Map<String, DataRate> measured = measured(List.of(1_000, 1_000, 9_000, 9_000));
    DataRate share = DataRate.ofKilobitsPerSecond(20_000);

    assertThat(SubClasses.of(share, measured, -0.25, 1).lowerRate())
        .isEqualTo(DataRate.ofKilobitsPerSecond(2_000));
    assertThat(SubClasses.of(share, measured, -0.25, 0.5).lowerRate())
        .isEqualTo(DataRate.ofKilobitsPerSecond(6_000));
    assertThat(SubClasses.of(share, measured, -0.25, 0).lowerRate())
        .isEqualTo(DataRate.ofKilobitsPerSecond(10_000));
    assertThat(SubClasses.of(share, measured, -0.25, 0).lower()).containsExactly("f0", "f1");
  }

  @Test
  void flowsThatAreAlikeStayTogether() {
    SubClasses split = SubClasses.of(SHARE, measured(List.of(700, 700, 700)), 0, 0.5);
    assertThat(split.lower()).isEmpty();
    assertThat(split.upperRate()).isEqualTo(SHARE);
    assertThat(SubClasses.of(SHARE, Map.of(), 0, 0.5).upperRate()).isEqualTo(SHARE);
  }

  @Test
  void aShareThatShrankIsNotSpentOnWhatTheLowFlowsReachedBefore() {
    DataRate shrunk = DataRate.ofKilobitsPerSecond(1_000);
    SubClasses split = SubClasses.of(shrunk, measured(List.of(4_000, 5_000)), 0, 1);
    assertThat(split.lowerRate()).isEqualTo(DataRate.ofKilobitsPerSecond(500));
    assertThat(split.upperRate()).isEqualTo(DataRate.ofKilobitsPerSecond(500));
  }

  @Test
  void parametersOutOfRangeAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SubClasses.of(SHARE, Map.of(), 0.1, 0.5))
        .withMessageContaining("beta (0.1)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SubClasses.of(SHARE, Map.of(), 0, 1.5))
        .withMessageContaining("gamma (1.5)");
  }

  private static Map<String, DataRate> measured(List<Integer> kbps) {
    Map<String, DataRate> measured = new HashMap<>();
    for (int f = 0; f < kbps.size(); f++) {
      measured.put("f" + f, DataRate.ofKilobitsPerSecond(kbps.get(f)));
    }
    return measured;
  }
}
