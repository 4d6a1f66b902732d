package org.paceline.runtime.providers.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.onosproject.net.ConnectPoint;

class ProbeScheduleTest {
  private static final ConnectPoint PORT = ConnectPoint.deviceConnectPoint("of:0000000000000001/1");

  private final ProbeSchedule schedule = new ProbeSchedule();

  private int probesWithin(int ticks) {
    int probes = 0;
    for (int tick = 0; tick < ticks; tick++) {
      probes += schedule.tick(List.of(PORT)).size();
    }
    return probes;
  }

  @Test
  void aNewPortIsProbedAtEachTickAtFirstAndSeldomLater() {
    assertThat(probesWithin(8)).isEqualTo(8);
    assertThat(probesWithin(80)).isEqualTo(10);
  }

  @Test
  void aPortThatWasDownIsNewAgain() {
    probesWithin(50);
    schedule.tick(List.of());

    assertThat(schedule.isSettled(PORT)).isFalse();
    assertThat(probesWithin(3)).isEqualTo(3);
  }

  @Test
  void aPortIsSettledOnceItsFirstProbesHadTimeToArrive() {
    assertThat(schedule.isSettled(PORT)).isFalse();
    probesWithin(5);
    assertThat(schedule.isSettled(PORT)).isTrue();
  }
}
