package org.paceline.allocator.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.paceline.intents.unit.DataRate;

class DemandEstimateTest {
  private static final AdaptationRule RULE = AdaptationRule.DEFAULT;
  private static final DataRate RESERVED = kbps(1_000);

  @Example
  void aFlowThatWasNeverSeenWantsItsReservationOrAll() {
    assertThat(DemandEstimate.initial(RESERVED).wanted()).isEqualTo(RESERVED);
    assertThat(DemandEstimate.initial(DataRate.ZERO).wanted()).isEqualTo(DataRate.MAX);
  }

  @Example
  void whatItLeavesForTwoPeriodsIsSeizedAndSomeHeadroomStays() {
    DemandEstimate first = DemandEstimate.initial(RESERVED).after(sent(1_000, 600, 990), RULE);
    assertThat(first.wanted()).isEqualTo(RESERVED);
    assertThat(first.after(sent(1_000, 590, 600), RULE).wanted()).isEqualTo(kbps(660));
  }

  @Example
  void aSharpFallCountsAtOnce() {
    assertThat(DemandEstimate.initial(RESERVED).after(sent(1_000, 300, 990), RULE).wanted())
        .isEqualTo(kbps(330));
  }

  @Example
  void aSilentFlowKeepsEnoughToAsk() {
    assertThat(DemandEstimate.initial(RESERVED).after(sent(1_000, 0, 0), RULE).wanted())
        .isEqualTo(AdaptationRule.LEAST);
    assertThat(DemandEstimate.initial(kbps(10_000)).after(sent(9_000, 0, 0), RULE).wanted())
        .isEqualTo(kbps(500));
    assertThat(DemandEstimate.initial(kbps(40)).after(sent(40, 0, 0), RULE).wanted())
        .isEqualTo(kbps(40));
  }

  @Example
  void whoAsksBelowItsReservationWantsAllOfItAtOnce() {
    DemandEstimate low = DemandEstimate.of(RESERVED, kbps(200), false);
    assertThat(low.after(asking(200), RULE).wanted()).isEqualTo(RESERVED);
  }

  @Example
  void whoAsksAboveItGrowsAndWhoReservedNothingWantsAll() {
    DemandEstimate full = DemandEstimate.initial(RESERVED);
    assertThat(full.after(asking(1_000), RULE).wanted()).isEqualTo(kbps(2_000));
    DemandEstimate low = DemandEstimate.of(DataRate.ZERO, kbps(200), false);
    assertThat(low.after(asking(200), RULE).wanted()).isEqualTo(DataRate.MAX);
  }

  @Example
  void whereAMeterSeesWhatIsTriedItIsWantedAndLittleMore() {
    assertThat(DemandEstimate.initial(RESERVED).after(metered(1_000, 600, 600), RULE).wanted())
        .isEqualTo(kbps(612));
    assertThat(DemandEstimate.initial(RESERVED).after(metered(1_000, 1_000, 1_500), RULE).wanted())
        .isEqualTo(kbps(1_530));
    DemandEstimate bestEffort = DemandEstimate.initial(DataRate.ZERO);
    assertThat(bestEffort.after(metered(1_000, 1_000, 2_500), RULE).wanted())
        .isEqualTo(kbps(2_550));
  }

  /**
   * What is tried a little above the rate may be the end of a period in which it rose: to hold
   * twice the rate for that would take from others what nobody sends. Or TCP that looks for more.
   */
  @Example
  void whatIsTriedALittleAboveTheRateGrowsALittleAtFirstAndThenAsWhatIsPaced() {
    DemandEstimate steady = DemandEstimate.of(RESERVED, kbps(1_200), false);
    DemandEstimate first = steady.after(metered(1_200, 1_200, 1_250), RULE);
    assertThat(first.wanted()).isEqualTo(kbps(1_375));
    assertThat(first.isAsking()).isTrue();
    assertThat(first.after(metered(1_375, 1_375, 1_400), RULE).wanted()).isEqualTo(kbps(2_750));
  }

  @Example
  void whatALittleIsLeftOfIsSeizedWhereAMeterSeesIt() {
    DemandEstimate held = DemandEstimate.of(RESERVED, kbps(900), false);
    assertThat(held.after(metered(900, 870, 870), RULE).wanted())
        .isEqualTo(DataRate.ofBitsPerSecond(887_400));
    assertThat(held.after(metered(900, 880, 880), RULE).wanted()).isEqualTo(kbps(900));
    assertThat(held.after(sent(900, 770, 770), RULE).wanted()).as("paced").isEqualTo(kbps(847));
    assertThat(held.after(sent(900, 800, 800), RULE).wanted()).as("paced").isEqualTo(kbps(900));
  }

  @Example
  void whoAsksBelowItsReservationAtAMeterHasAllOfIt() {
    DemandEstimate low = DemandEstimate.of(RESERVED, kbps(200), false);
    assertThat(low.after(metered(200, 200, 700), RULE).wanted()).isEqualTo(RESERVED);
  }

  /** So noise moves no rates: what it was given back for is not taken again at once. */
  @Property(seed = "20")
  void aFlowThatSendsSteadilyKeepsItsRate(
      @ForAll @IntRange(min = 200, max = 900) int kbps,
      @ForAll @DoubleRange(min = -0.02, max = 0.02) double noise) {
    DemandEstimate settled = DemandEstimate.initial(RESERVED).after(sent(1_000, kbps, kbps), RULE);
    int next = (int) (kbps * (1 + noise));
    int held = (int) settled.wanted().toKbpsFloor();
    assertThat(next).isLessThan((int) (held * 0.95));
    assertThat(settled.after(sent(held, next, kbps), RULE).wanted()).isEqualTo(settled.wanted());
  }

  private static Observation sent(long held, Integer... kbps) {
    List<DataRate> sent =
        Arrays.stream(kbps)
            .map(DataRate::ofKilobitsPerSecond)
            .collect(Collectors.toUnmodifiableList());
    return Observation.of(kbps(held), sent, false, Optional.empty());
  }

  /** What passes and what is tried; who tries more is held back. */
  private static Observation metered(long held, long sent, long tried) {
    return Observation.of(kbps(held), List.of(kbps(sent)), tried > sent, Optional.of(kbps(tried)));
  }

  private static Observation asking(long held) {
    return Observation.of(kbps(held), List.of(kbps(held)), true, Optional.empty());
  }

  private static DataRate kbps(long kbps) {
    return DataRate.ofKilobitsPerSecond(kbps);
  }
}
