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

  @Property(seed = "20")
  void theLowerSubClassGrowsWithTheThresholdAndNothingIsLost(
      @ForAll @Size(min = 1, max = 60) List<@IntRange(min = 0, max = 5_000) Integer> kbps,
      @ForAll @DoubleRange(min = -2, max = 0) double beta,
      @ForAll @DoubleRange(min = 0, max = 1) double gamma) {
    Map<String, DataRate> measured = measured(kbps);

    SubClasses split = SubClasses.of(SHARE, measured, rule(beta, gamma));

    assertThat(split.lower()).hasSizeLessThan(kbps.size());
    assertThat(SubClasses.of(SHARE, measured, rule(0, gamma)).lower()).containsAll(split.lower());
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

    assertThat(SubClasses.of(share, measured, rule(-0.25, 1)).lowerRate())
        .isEqualTo(DataRate.ofKilobitsPerSecond(2_000));
    assertThat(SubClasses.of(share, measured, rule(-0.25, 0.5)).lowerRate())
        .isEqualTo(DataRate.ofKilobitsPerSecond(6_000));
    assertThat(SubClasses.of(share, measured, rule(-0.25, 0)).lowerRate())
        .isEqualTo(DataRate.ofKilobitsPerSecond(10_000));
    assertThat(SubClasses.of(share, measured, rule(-0.25, 0)).lower()).containsExactly("f0", "f1");
  }

  /**
   * Theorem 2, for F^- as its proof has it: where the class has what its flows reach or more, low
   * flows are given no less than they reach; the mean of the low and each upper flow's share grow
   * with beta, and the latter is never below an equal share.
   */
  @Property(seed = "20")
  void bothPartsOfTheoremTwoHold(
      @ForAll @Size(min = 1, max = 60) List<@IntRange(min = 0, max = 800) Integer> kbps,
      @ForAll @DoubleRange(min = -2, max = 0) double beta,
      @ForAll @DoubleRange(min = -2, max = 0) double otherBeta,
      @ForAll @DoubleRange(min = 0, max = 1) double gamma,
      @ForAll LowerMean lowerMean) {
    Map<String, DataRate> measured = measured(kbps);
    SubClasses few =
        SubClasses.of(
            SHARE, measured, SplitRule.of(Math.min(beta, otherBeta), gamma, lowerMean, 1));
    SubClasses many =
        SubClasses.of(
            SHARE, measured, SplitRule.of(Math.max(beta, otherBeta), gamma, lowerMean, 1));

    assertThat(many.lower()).containsAll(few.lower());
    assertThat(mean(measured, few)).isLessThanOrEqualTo(mean(measured, many) + 1);
    for (SubClasses split : List.of(few, many)) {
      if (!split.lower().isEmpty()) {
        assertThat(mean(measured, split)).isLessThanOrEqualTo(eachLower(split) + 1);
      }
    }
    double equal = (double) SHARE.millibitsPerSecond() / kbps.size();
    assertThat(eachUpper(few, kbps.size())).isGreaterThanOrEqualTo(equal - 1);
    assertThat(eachUpper(many, kbps.size()))
        .isGreaterThanOrEqualTo(eachUpper(few, kbps.size()) - 1);
  }

  private static double mean(Map<String, DataRate> measured, SubClasses split) {
    return split.lower().stream()
        .mapToLong(flow -> measured.getOrDefault(flow, DataRate.ZERO).millibitsPerSecond())
        .average()
        .orElse(0);
  }

  private static double eachLower(SubClasses split) {
    return (double) split.lowerRate().millibitsPerSecond() / split.lower().size();
  }

  private static double eachUpper(SubClasses split, int flows) {
    return (double) split.upperRate().millibitsPerSecond() / (flows - split.lower().size());
  }

  /**
   * Section II-B: "we should allocate more capacity for the set F^L of flows than their aggregate
   * achieved throughput". At gamma = 1 only F^- does so; F^L, as equation 5 is printed, gives them
   * just what they have.
   */
  @Test
  void theTwoReadingsOfEquationFiveDifferWhereFlowsBelowTheMeanAreNotLow() {
    // Mean 5,000, sd 3,162: at beta -1 only the first is low, and the second is below the mean.
    Map<String, DataRate> measured = measured(List.of(1_000, 3_000, 7_000, 9_000));
    DataRate share = DataRate.ofKilobitsPerSecond(20_000);

    SubClasses minus = SubClasses.of(share, measured, SplitRule.of(-1, 1, LowerMean.F_MINUS, 1));
    SubClasses lower = SubClasses.of(share, measured, SplitRule.of(-1, 1, LowerMean.F_LOWER, 1));

    assertThat(minus.lower()).containsExactly("f0");
    assertThat(lower.lower()).containsExactly("f0");
    assertThat(minus.lowerRate()).isEqualTo(DataRate.ofKilobitsPerSecond(2_000));
    assertThat(lower.lowerRate()).isEqualTo(DataRate.ofKilobitsPerSecond(1_000));
    assertThat(SubClasses.of(share, measured, SplitRule.of(0, 1, LowerMean.F_LOWER, 1)))
        .isEqualTo(SubClasses.of(share, measured, SplitRule.of(0, 1, LowerMean.F_MINUS, 1)));
  }

  @Test
  void oneFlowIsNeverLowAndHasTheWholeShare() {
    SubClasses split = SubClasses.of(SHARE, measured(List.of(10)), rule(0, 1));
    assertThat(split.lower()).isEmpty();
    assertThat(split.upperRate()).isEqualTo(SHARE);
  }

  @Test
  void aClassWithoutAShareGivesNobodyAnything() {
    SubClasses split = SubClasses.of(DataRate.ZERO, measured(List.of(1, 9)), rule(0, 0.5));
    assertThat(split.lowerRate()).isEqualTo(DataRate.ZERO);
    assertThat(split.upperRate()).isEqualTo(DataRate.ZERO);
  }

  private static SplitRule rule(double beta, double gamma) {
    return SplitRule.of(beta, gamma, LowerMean.F_MINUS, 1);
  }

  @Test
  void flowsThatAreAlikeStayTogether() {
    SubClasses split = SubClasses.of(SHARE, measured(List.of(700, 700, 700)), rule(0, 0.5));
    assertThat(split.lower()).isEmpty();
    assertThat(split.upperRate()).isEqualTo(SHARE);
    assertThat(SubClasses.of(SHARE, Map.of(), rule(0, 0.5)).upperRate()).isEqualTo(SHARE);
  }

  @Test
  void aShareThatShrankIsNotSpentOnWhatTheLowFlowsReachedBefore() {
    DataRate shrunk = DataRate.ofKilobitsPerSecond(1_000);
    SubClasses split = SubClasses.of(shrunk, measured(List.of(4_000, 5_000)), rule(0, 1));
    assertThat(split.lowerRate()).isEqualTo(DataRate.ofKilobitsPerSecond(500));
    assertThat(split.upperRate()).isEqualTo(DataRate.ofKilobitsPerSecond(500));
  }

  @Test
  void parametersOutOfRangeAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rule(0.1, 0.5))
        .withMessageContaining("beta (0.1)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rule(0, 1.5))
        .withMessageContaining("gamma (1.5)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SplitRule.of(0, 0, LowerMean.F_MINUS, 9))
        .withMessageContaining("depth (9)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LowerMean.parse("F"))
        .withMessageContaining("F-lower");
    assertThat(LowerMean.parse("F-minus")).isEqualTo(LowerMean.F_MINUS);
  }

  private static Map<String, DataRate> measured(List<Integer> kbps) {
    Map<String, DataRate> measured = new HashMap<>();
    for (int f = 0; f < kbps.size(); f++) {
      measured.put("f" + f, DataRate.ofKilobitsPerSecond(kbps.get(f)));
    }
    return measured;
  }
}
