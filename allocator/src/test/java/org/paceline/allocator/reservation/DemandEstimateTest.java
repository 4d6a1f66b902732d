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

  /** Whoever tries a little more than it is let through may be TCP that looks for more. */
  @Example
  void whatIsTriedALittleAboveTheRateGrowsAsWhatIsPaced() {
    assertThat(DemandEstimate.initial(RESERVED).after(metered(1_000, 990, 1_020), RULE).wanted())
        .isEqualTo(kbps(2_000));
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
