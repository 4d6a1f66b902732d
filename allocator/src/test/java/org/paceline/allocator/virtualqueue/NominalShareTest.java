package org.paceline.allocator.virtualqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.paceline.intents.unit.DataRate;

class NominalShareTest {
  private static final DataRate UPLINK = DataRate.ofKilobitsPerSecond(800);

  /** The root of rho^5 + rho^6 = 1. */
  private static final double FIXED_POINT = 0.8813;

  @Property
  void theLoopConvergesToTheFixedPointFromAnywhere(
      @ForAll @DoubleRange(min = 0.01, max = 10) double start) {
    NominalShare share = start(UPLINK, start);
    for (int period = 0; period < 200; period++) {
      // Greedy flows send what they may, but no more than the link carries.
      share = share.after(share.share().compareTo(UPLINK) < 0 ? share.share() : UPLINK);
    }
    double utilisation = share.share().millibitsPerSecond() / (0.95 * UPLINK.millibitsPerSecond());
    assertThat(utilisation).isCloseTo(FIXED_POINT, within(1e-3));
  }

  private static NominalShare start(DataRate capacity, double times) {
    NominalShare share = NominalShare.of(capacity);
    // Idle or overloaded periods move the share away from where it starts.
    while (share.share().millibitsPerSecond() < times * capacity.millibitsPerSecond() * 0.99) {
      share = share.after(DataRate.ZERO);
    }
    while (share.share().millibitsPerSecond() > times * capacity.millibitsPerSecond() * 1.01) {
      share = share.after(capacity);
    }
    return share;
  }

  @Test
  void weightsOfOneToTwoGiveRatesOfOneToTwo() {
    Map<String, Double> weights = Map.of("backup", 1.0, "video", 2.0);
    List<Set<String>> users = List.of(Set.of("backup", "video"));
    List<NominalShare> uplink = List.of(NominalShare.of(UPLINK));

    long backup = NominalShare.rate("backup", weights, uplink, users).millibitsPerSecond();
    long video = NominalShare.rate("video", weights, uplink, users).millibitsPerSecond();

    assertThat((double) video / backup).isCloseTo(2, within(1e-6));
  }

  @Test
  void whatAFlowLimitedElsewhereLeavesGoesToTheOthers() {
    DataRate narrow = DataRate.ofKilobitsPerSecond(100);
    Map<String, Double> weights = Map.of("a", 1.0, "b", 1.0);
    NominalShare uplink = NominalShare.of(UPLINK);
    NominalShare wireless = NominalShare.of(narrow);
    DataRate a = DataRate.ZERO;
    DataRate b = DataRate.ZERO;
    for (int period = 0; period < 300; period++) {
      a =
          NominalShare.rate(
              "a", weights, List.of(uplink, wireless), List.of(Set.of("a", "b"), Set.of("a")));
      b = NominalShare.rate("b", weights, List.of(uplink), List.of(Set.of("a", "b")));
      uplink = uplink.after(a.plus(b));
      wireless = wireless.after(a);
    }
    assertThat((double) a.millibitsPerSecond()).isCloseTo(FIXED_POINT * 0.95 * 1e8, within(1e6));
    assertThat((double) a.plus(b).millibitsPerSecond())
        .isCloseTo(FIXED_POINT * 0.95 * 8e8, within(8e6));
  }

  @Test
  void anIdleResourceDoesNotRunAwayAndAFullOneNeverReachesZero() {
    NominalShare idle = NominalShare.of(UPLINK);
    NominalShare flooded = NominalShare.of(UPLINK);
    for (int period = 0; period < 1_000; period++) {
      idle = idle.after(DataRate.ZERO);
      flooded = flooded.after(UPLINK.times(50));
    }
    assertThat(idle.share()).isEqualTo(UPLINK.times(10));
    assertThat(flooded.share()).isGreaterThan(DataRate.ZERO);
  }

  @Test
  void whatHasNoCapacityIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> NominalShare.of(DataRate.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NominalShare.rate("a", Map.of(), List.of(), List.of()))
        .withMessageContaining("(a)");
  }
}
