package org.paceline.intents.utility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

/** A table of three rates and two delays: rates matter up to 300 kbit/s, the last step most. */
final class SteepestGainTest {
  private static final DataRate ALL = DataRate.ofKilobitsPerSecond(1_000_000);
  private static final UtilityFunction TABLE =
      UtilityFunction.of(
          "f",
          List.of(kbps(100), kbps(200), kbps(300)),
          List.of(Latency.ofMillis(10), Latency.ofMillis(20)),
          List.of(row(1_000, 1_000), row(1_500, 1_000), row(3_000, 1_200)));

  private static DataRate kbps(long rate) {
    return DataRate.ofKilobitsPerSecond(rate);
  }

  private static List<Utility> row(long atOnce, long later) {
    return List.of(
        Utility.ofBillionths(atOnce * 1_000_000), Utility.ofBillionths(later * 1_000_000));
  }

  private static double gain(long kbps, DataRate most, long delayMs) {
    return TABLE.steepestGain(kbps(kbps), most, Latency.ofMillis(delayMs));
  }

  @Test
  void theSteepestWayUpMayPassOverABin() {
    // 2 in 200 kbit/s, and not 0.5 in the first 100.
    assertThat(gain(100, ALL, 10)).isCloseTo(1e-5, within(1e-12));
    assertThat(gain(200, ALL, 10)).isCloseTo(1.5e-5, within(1e-12));
  }

  @Test
  void betweenTwoBinsARateIsWorthWhatTheLowerOneIs() {
    assertThat(gain(250, ALL, 10)).isCloseTo(1.5 / 50_000, within(1e-12));
    assertThat(gain(50, ALL, 10)).isCloseTo(2.0 / 250_000, within(1e-12));
  }

  @Test
  void theDelaysBinIsTheFirstThatAllowsIt() {
    assertThat(gain(100, ALL, 11)).isCloseTo(0.2 / 200_000, within(1e-12));
    assertThat(gain(100, ALL, 21)).isZero();
  }

  @Test
  void whoHasTheGreatestRateOrMayNotHaveMoreGainsNothing() {
    assertThat(gain(300, ALL, 10)).isZero();
    assertThat(gain(200, kbps(299), 10)).isZero();
    assertThat(gain(100, kbps(200), 10)).isCloseTo(0.5e-5, within(1e-12));
  }
}
