package org.paceline.onos.openflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.paceline.control.WrittenFaults;
import org.paceline.control.telemetry.MeterCount;
import org.paceline.control.work.Faults;
import org.paceline.onos.meter.MeterConfigs;

/** What a switch is told and asked, through the bytes of OpenFlow. */
final class OrdersTest {
  private static final DeviceId SWITCH = DeviceId.deviceId("of:0000000000000001");
  private static final int METERS = 1_000;

  private final CountingSwitch counting = new CountingSwitch();
  private final SwitchQuestions questions =
      new SwitchQuestions(
          counting::controller, new Faults(new WrittenFaults()), Duration.ofMinutes(2));

  /** ONOS tells each listener every message: one for each order is a million calls. */
  @Test
  void ofAThousandOrdersEachIsAnsweredAndOneListenerHears() {
    List<CompletableFuture<Boolean>> changed = new ArrayList<>();
    for (int meter = 1; meter <= METERS; meter++) {
      changed.add(
          questions.change(SWITCH, meter, MeterConfigs.Config.drop(meter, 25)).orElseThrow());
    }
    assertThat(counting.listeners()).isEqualTo(1);
    counting.exchange();
    assertThat(changed).allSatisfy(one -> assertThat(one.join()).isTrue());
    assertThat(counting.holdsKbps(METERS)).isEqualTo(METERS);
  }

  @Test
  void countersOfMoreMetersThanAMessageTakesComeWhole() {
    for (int meter = 1; meter <= METERS + 1; meter++) {
      counting.add(meter, 1_000);
      counting.tries(meter, 1_600);
    }
    counting.second();
    CompletableFuture<Map<Long, MeterCount>> asked = questions.count(SWITCH).orElseThrow();
    counting.exchange();
    Map<Long, MeterCount> counts = asked.join();
    assertThat(counts).hasSize(METERS + 1);
    assertThat(counts.values())
        .allSatisfy(
            count -> {
              assertThat(count.sentBytes()).isEqualTo(125_000);
              assertThat(count.droppedBytes()).isEqualTo(75_000);
            });
  }

  @Test
  void whoStopsHearsNothingMore() {
    questions.count(SWITCH);
    assertThat(counting.listeners()).isEqualTo(1);
    questions.close();
    assertThat(counting.listeners()).isZero();
    assertThat(questions.count(SWITCH)).isEmpty();
    assertThat(counting.listeners()).isZero();
  }
}
