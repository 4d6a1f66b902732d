package org.paceline.runtime.providers.openflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.paceline.runtime.providers.openflow.translation.Rules.DEVICE;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;

class RemovalsTest {
  private final AtomicLong clock = new AtomicLong();
  private final Removals removals = new Removals(clock::get);

  @Test
  void aRuleIsOnItsWayOutForAMomentOnItsSwitchOnly() {
    removals.told(DEVICE, 7);

    assertThat(removals.isRecent(DEVICE, 7)).isTrue();
    assertThat(removals.isRecent(DEVICE, 8)).isFalse();
    assertThat(removals.isRecent(DeviceId.deviceId("of:0000000000000009"), 7)).isFalse();
  }

  @Test
  void whatASwitchHasLongAfterwardsIsFound() {
    removals.told(DEVICE, 7);
    clock.addAndGet(TimeUnit.SECONDS.toNanos(6));

    assertThat(removals.isRecent(DEVICE, 7)).isFalse();
    removals.told(DEVICE, 8);
    assertThat(removals.isRecent(DEVICE, 8)).isTrue();
  }
}
