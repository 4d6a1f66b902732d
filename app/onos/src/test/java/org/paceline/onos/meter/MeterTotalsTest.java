package org.paceline.onos.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.paceline.onos.meter.MeterRig.FLOOD;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.paceline.control.model.Counters;
import org.paceline.control.telemetry.MeterCount;
import org.paceline.intents.unit.DataRate;

/** What is counted for a conversation whose meters change with its rates. */
final class MeterTotalsTest {
  private final MeterRig rig = new MeterRig();

  private Counters counted() {
    rig.counted.clear();
    assertThat(rig.meters.count()).isCompleted();
    assertThat(rig.counted).hasSize(1);
    return rig.counted.get(0);
  }

  private void hasCounted(long meter, long bytes, long droppedBytes) {
    rig.asked.counted.put(
        meter, MeterCount.of(bytes, bytes / 1_000, droppedBytes, droppedBytes / 1_000));
  }

  @Test
  void whatPassedIsSentAndTheRestIsDropped() {
    rig.limit(FLOOD, 4_000);
    hasCounted(1, 90_000, 30_000);
    assertThat(counted())
        .satisfies(
            counters -> {
              assertThat(counters.id()).isEqualTo(FLOOD.id());
              assertThat(counters.sentBytes()).isEqualTo(60_000);
              assertThat(counters.sentPackets()).isEqualTo(60);
              assertThat(counters.droppedPackets()).isEqualTo(30);
              assertThat(counters.installed()).isEqualTo(DataRate.ofKilobitsPerSecond(4_000));
            });
  }

  @Test
  void aChangedRateBeginsNothingAnewAndTheOldMeterCountsToItsEnd() {
    rig.limit(FLOOD, 4_000);
    hasCounted(1, 50_000, 0);
    assertThat(counted().sentBytes()).isEqualTo(50_000);
    rig.limit(FLOOD, 2_000);
    hasCounted(1, 58_000, 0);
    hasCounted(2, 10_000, 0);
    assertThat(counted().sentBytes()).isEqualTo(68_000);
    rig.worker.passTime();
    rig.asked.counted.remove(1L);
    hasCounted(2, 30_000, 0);
    assertThat(counted().sentBytes()).isEqualTo(88_000);
    assertThat(counted().installed()).isEqualTo(DataRate.ofKilobitsPerSecond(2_000));
  }

  @Test
  void aMeterThatItsSwitchHasBegunAnewCountsAllThatItSays() {
    rig.limit(FLOOD, 4_000);
    hasCounted(1, 50_000, 0);
    counted();
    hasCounted(1, 7_000, 0);
    assertThat(counted().sentBytes()).isEqualTo(57_000);
  }

  @Test
  void whileANewMeterIsMadeTheOldOnesRateHolds() {
    rig.limit(FLOOD, 4_000);
    hasCounted(1, 50_000, 0);
    rig.service.slow = true;
    rig.limit(FLOOD, 2_000);
    assertThat(counted().installed()).isEqualTo(DataRate.ofKilobitsPerSecond(4_000));
  }

  @Test
  void aSilentSwitchAndWhoIsOverSayNothing() {
    rig.limit(FLOOD, 4_000);
    assertThat(rig.meters.count()).isCompleted();
    rig.over(FLOOD);
    hasCounted(1, 50_000, 0);
    rig.meters.count();
    assertThat(rig.counted).isEmpty();
  }

  @Test
  void whoWasAskedByASchemeIsNotAskedAgainRightAfter() {
    rig.limit(FLOOD, 4_000);
    hasCounted(1, 50_000, 0);
    rig.meters.count();
    rig.meters.countUnlessWithin(Duration.ofMillis(1));
    assertThat(rig.counted).hasSize(1);
    rig.worker.passTime();
    rig.meters.countUnlessWithin(Duration.ofMillis(1));
    assertThat(rig.counted).hasSize(2);
  }

  @Test
  void whomItsAgentPacesItsAgentCounts() {
    rig.meters.guard(MeterRig.PACED, DataRate.ofKilobitsPerSecond(5_000));
    hasCounted(1, 50_000, 0);
    rig.meters.count();
    assertThat(rig.counted).isEmpty();
  }
}
