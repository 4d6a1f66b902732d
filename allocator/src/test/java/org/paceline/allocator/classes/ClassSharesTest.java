package org.paceline.allocator.classes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.paceline.intents.unit.DataRate;

class ClassSharesTest {
  private static final DataRate LINK = DataRate.ofKilobitsPerSecond(200_000);

  @Property(seed = "20")
  void sharesOfSingleFlowsStandInTheModelsRatio(
      @ForAll @DoubleRange(min = 0.25, max = 8) double alpha,
      @ForAll @IntRange(min = 1, max = 500) int gold,
      @ForAll @IntRange(min = 1, max = 500) int silver,
      @ForAll @IntRange(min = 1, max = 500) int bronze) {
    Map<String, DataRate> shares =
        ClassShares.divide(
            LINK,
            alpha,
            List.of(
                ServiceClass.of("gold", 3, gold),
                ServiceClass.of("silver", 2, silver),
                ServiceClass.of("bronze", 1, bronze)));

    double each = each(shares, "bronze", bronze);
    assertThat(each(shares, "gold", gold) / each)
        .isCloseTo(Math.pow(3, 1 / alpha), within(1e-3 * Math.pow(3, 1 / alpha)));
    assertThat(each(shares, "silver", silver) / each)
        .isCloseTo(Math.pow(2, 1 / alpha), within(1e-3 * Math.pow(2, 1 / alpha)));
    long sum = shares.values().stream().mapToLong(DataRate::millibitsPerSecond).sum();
    assertThat(sum)
        .isLessThanOrEqualTo(LINK.millibitsPerSecond())
        .isGreaterThan(LINK.millibitsPerSecond() - 1_000);
  }

  private static double each(Map<String, DataRate> shares, String name, int flows) {
    return (double) shares.getOrDefault(name, DataRate.ZERO).millibitsPerSecond() / flows;
  }

  /** Theorem 1: whatever is moved from one class to another, the sum of utilities falls. */
  @Property(seed = "20")
  void noOtherDivisionIsWorthMore(
      @ForAll @DoubleRange(min = 0.25, max = 8) double alpha,
      @ForAll @IntRange(min = 1, max = 50) int gold,
      @ForAll @IntRange(min = 1, max = 50) int bronze,
      @ForAll @DoubleRange(min = 0.01, max = 0.99) double part) {
    Map<String, DataRate> shares =
        ClassShares.divide(
            LINK,
            alpha,
            List.of(ServiceClass.of("gold", 3, gold), ServiceClass.of("bronze", 1, bronze)));
    double goldPart = each(shares, "gold", 1) / LINK.millibitsPerSecond();

    double best = worth(3, gold, goldPart, alpha) + worth(1, bronze, 1 - goldPart, alpha);
    double other = worth(3, gold, part, alpha) + worth(1, bronze, 1 - part, alpha);
    assertThat(best).isGreaterThanOrEqualTo(other - 1e-6 * Math.abs(other));
  }

  /** n U(X/n) for the weighted alpha-fair U of section II-A. */
  private static double worth(double weight, int flows, double share, double alpha) {
    double each = share / flows;
    return flows
        * weight
        * (Math.abs(alpha - 1) < 1e-9 ? Math.log(each) : Math.pow(each, 1 - alpha) / (1 - alpha));
  }

  @Test
  void aVeryLargeExponentMakesAllFlowsAlike() {
    Map<String, DataRate> shares =
        ClassShares.divide(
            LINK, 1e9, List.of(ServiceClass.of("gold", 300, 2), ServiceClass.of("silver", 2, 2)));
    assertThat(each(shares, "gold", 2) / each(shares, "silver", 2)).isCloseTo(1, within(1e-6));
  }

  @Test
  void aClassWithoutFlowsGetsNothingAndNobodyGetsMoreThanThereIs() {
    assertThat(
            ClassShares.divide(
                LINK, 1, List.of(ServiceClass.of("gold", 3, 0), ServiceClass.of("silver", 2, 1))))
        .containsEntry("gold", DataRate.ZERO)
        .containsEntry("silver", LINK);
    assertThat(ClassShares.divide(LINK, 1, List.of(ServiceClass.of("gold", 3, 0))))
        .containsEntry("gold", DataRate.ZERO);
    assertThat(ClassShares.divide(LINK, 1, List.of())).isEmpty();
  }

  @Test
  void aVerySmallExponentOverflowsNothing() {
    assertThat(
            ClassShares.divide(
                LINK,
                0.001,
                List.of(ServiceClass.of("gold", 3, 1), ServiceClass.of("silver", 2, 1))))
        .containsEntry("gold", LINK);
  }

  @Test
  void whatMakesNoSenseIsRefusedByName() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServiceClass.of("gold", 0, 1))
        .withMessageContaining("gold");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServiceClass.of("gold", 1, -1))
        .withMessageContaining("-1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClassShares.divide(LINK, 0, List.of()))
        .withMessageContaining("alpha");
    ServiceClass gold = ServiceClass.of("gold", 3, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClassShares.divide(LINK, 1, List.of(gold, gold)))
        .withMessageContaining("gold");
  }
}
