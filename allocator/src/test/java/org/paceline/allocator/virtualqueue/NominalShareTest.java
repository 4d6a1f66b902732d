package org.paceline.allocator.virtualqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;
import org.paceline.intents.unit.DataRate;

class NominalShareTest {
  private static final DataRate UPLINK = DataRate.ofKilobitsPerSecond(800);
  private static final double ERROR = 0.02;

  /** The six of the paper's table 3. */
  @Provide
  Arbitrary<VirtualQueueSettings> tableThree() {
    return Combinators.combine(Arbitraries.of(3, 5, 10), Arbitraries.of(1.0, 2.0))
        .as(VirtualQueueSettings::of);
  }

  @Property(seed = "20")
  void theLoopConvergesToEquationFiveFromAnywhere(
      @ForAll("tableThree") VirtualQueueSettings settings,
      @ForAll @DoubleRange(min = 0.01, max = 10) double start) {
    NominalShare share = NominalShare.of(UPLINK, settings).at(Rates.times(UPLINK, start));
    for (int period = 0; period < 400; period++) {
      share = share.after(greedy(share));
    }
    assertThat(share.utilisation(share.share())).isCloseTo(settings.utilisation(), within(ERROR));
  }

  /** They send what they may, but no more than the link carries. */
  private static ResourceUse greedy(NominalShare share) {
    boolean fits = share.share().compareTo(share.capacity()) < 0;
    return ResourceUse.hungry(1, fits ? share.share() : share.capacity());
  }

  @Property(seed = "20")
  void theErrorShrinksAsTheClassCommentSays(
      @ForAll("tableThree") VirtualQueueSettings settings,
      @ForAll @Scale(4) @DoubleRange(min = 0.999, max = 1.001) double off) {
    NominalShare share = NominalShare.of(UPLINK, settings);
    double settled = share.share().millibitsPerSecond();
    share = share.at(Rates.times(share.share(), off));
    double before = share.share().millibitsPerSecond() / settled - 1;
    double price = Math.pow(settings.utilisation(), settings.sharpness());
    double factor = 1 - settings.gain() * (settings.sharpness() + 1 - price);

    double after = share.after(greedy(share)).share().millibitsPerSecond() / settled - 1;

    assertThat(factor).isBetween(0.0, 1.0);
    assertThat(after).isCloseTo(before * factor, within(1e-5));
  }

  @Property(seed = "20")
  void anAdaptiveVirtualQueueHoldsTheLoadAtWhatIsWanted(
      @ForAll("tableThree") VirtualQueueSettings settings,
      @ForAll @DoubleRange(min = 0.8, max = 0.98) double wanted,
      @ForAll @DoubleRange(min = 0.3, max = 2) double start) {
    NominalShare share =
        NominalShare.of(UPLINK, settings.adaptingTo(wanted)).at(Rates.times(UPLINK, start));
    for (int period = 0; period < 600; period++) {
      share = share.after(greedy(share));
    }
    assertThat((double) share.share().millibitsPerSecond() / UPLINK.millibitsPerSecond())
        .isCloseTo(wanted, within(ERROR));
  }

  @Test
  void weightsOfOneToTwoToThreeGetWhatIsThereInThatRatio() {
    NominalShare uplink = NominalShare.of(UPLINK, VirtualQueueSettings.STANDARD);
    double sum = 0;
    for (double weight = 1; weight <= 3; weight++) {
      ResourceUse others = ResourceUse.hungry(6 - weight, DataRate.ZERO);
      double offer = uplink.offer(weight, others).millibitsPerSecond();
      assertThat(offer / uplink.share().millibitsPerSecond()).isCloseTo(weight / 6, within(1e-6));
      sum += offer;
    }
    assertThat(sum).isCloseTo(uplink.share().millibitsPerSecond(), within(5.0));
  }

  @Test
  void whatASatedFlowLeavesGoesToTheOthersAndItGetsItsPartBackWhenItWantsIt() {
    NominalShare uplink = NominalShare.of(UPLINK, VirtualQueueSettings.STANDARD);
    DataRate little = DataRate.ofKilobitsPerSecond(10);

    DataRate greedy = uplink.offer(1, ResourceUse.sated(1, little));
    DataRate sated = uplink.offer(1, ResourceUse.hungry(1, greedy));

    assertThat(greedy.plus(little)).isEqualTo(uplink.share());
    assertThat(sated).isEqualTo(Rates.times(uplink.share(), 0.5));
  }

  @Test
  void whoSaysToSendAllWithoutWantingItCannotStarveTheOthers() {
    NominalShare uplink = NominalShare.of(UPLINK, VirtualQueueSettings.STANDARD);

    assertThat(uplink.offer(1, ResourceUse.sated(3, UPLINK.times(5))))
        .isEqualTo(Rates.times(uplink.share(), 0.25));
  }

  @Test
  void anIdleResourceStandsStillAndAFloodedOneNeverReachesZero() {
    NominalShare idle = NominalShare.of(UPLINK, VirtualQueueSettings.STANDARD);
    NominalShare wanted = idle;
    NominalShare flooded = idle;
    for (int period = 0; period < 1_000; period++) {
      idle = idle.after(ResourceUse.sated(1, DataRate.ZERO));
      wanted = wanted.after(ResourceUse.hungry(1, DataRate.ZERO));
      flooded = flooded.after(ResourceUse.hungry(1, UPLINK.times(50)));
    }
    assertThat(idle.share()).isEqualTo(VirtualQueueSettings.STANDARD.settled(UPLINK));
    assertThat(wanted.share()).isEqualTo(UPLINK.times(2));
    assertThat(flooded.share()).isGreaterThan(DataRate.ZERO);
    assertThat(flooded.after(ResourceUse.hungry(1, DataRate.ZERO)).share())
        .isGreaterThan(flooded.share());
  }

  @Test
  void whatHasNoCapacityOrNoWeightIsRefused() {
    NominalShare uplink = NominalShare.of(UPLINK, VirtualQueueSettings.STANDARD);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NominalShare.of(DataRate.ZERO, VirtualQueueSettings.STANDARD));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> uplink.offer(0, ResourceUse.NONE))
        .withMessageContaining("(0.0)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ResourceUse.hungry(Double.NaN, DataRate.ZERO))
        .withMessageContaining("(NaN)");
  }
}
