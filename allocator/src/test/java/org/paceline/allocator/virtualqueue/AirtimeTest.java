package org.paceline.allocator.virtualqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.paceline.intents.unit.DataRate;

class AirtimeTest {
  private static final DataRate FAST = DataRate.ofKilobitsPerSecond(54_000);
  private static final DataRate SLOW = DataRate.ofKilobitsPerSecond(6_000);

  @Test
  void collisionsGrowWithTheHosts() {
    assertThat(Airtime.collisionProbability(1)).isZero();
    double before = 0;
    for (int hosts = 2; hosts <= 20; hosts++) {
      double now = Airtime.collisionProbability(hosts);
      assertThat(now).isGreaterThan(before).isLessThan(1);
      before = now;
    }
    assertThat(Airtime.collisionProbability(2)).isCloseTo(0.1218, within(1e-4));
  }

  @Test
  void aFullFrameAloneTakesWhatTheTableSays() {
    assertThat(Airtime.frame(1500, FAST)).isCloseTo(1536 * 8 / 54e6, within(1e-12));
    double alone = Airtime.seconds(1500, FAST, 1, Airtime.frame(1500, FAST));
    // 78 us of spacing and preambles, 2 us of acknowledgement, 228 us of frame, half a window.
    assertThat(alone).isCloseTo(78e-6 + 2.07e-6 + 227.6e-6 + 67.5e-6, within(1e-6));
  }

  @Test
  void aSlowHostTakesTheAirFromAll() {
    double slowFrame = Airtime.frame(1500, SLOW);
    assertThat(Airtime.seconds(1500, SLOW, 2, slowFrame))
        .isGreaterThan(3 * Airtime.seconds(1500, FAST, 2, slowFrame));
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Airtime.frame(0, FAST));
    assertThatIllegalArgumentException().isThrownBy(() -> Airtime.frame(1500, DataRate.ZERO));
    assertThatIllegalArgumentException().isThrownBy(() -> Airtime.collisionProbability(0));
  }
}
