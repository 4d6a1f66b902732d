package org.paceline.runtime.stores.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.meter.Band;
import org.onosproject.net.meter.DefaultBand;
import org.onosproject.net.meter.DefaultMeter;
import org.onosproject.net.meter.DefaultMeterFeatures;
import org.onosproject.net.meter.Meter;
import org.onosproject.net.meter.MeterEvent;
import org.onosproject.net.meter.MeterFailReason;
import org.onosproject.net.meter.MeterFeaturesFlag;
import org.onosproject.net.meter.MeterId;
import org.onosproject.net.meter.MeterKey;
import org.onosproject.net.meter.MeterOperation;
import org.onosproject.net.meter.MeterState;
import org.onosproject.net.meter.MeterStoreResult;

class SingleNodeMeterStoreTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:1");

  private final SingleNodeMeterStore store = new SingleNodeMeterStore();
  private final List<MeterEvent.Type> events = new ArrayList<>();

  @BeforeEach
  void listen() {
    store.setDelegate(event -> events.add(event.type()));
    store.storeMeterFeatures(
        DefaultMeterFeatures.builder()
            .forDevice(DEVICE)
            .withMaxMeters(2)
            .withBandTypes(EnumSet.of(Band.Type.DROP))
            .withUnits(EnumSet.of(Meter.Unit.KB_PER_SEC))
            .withFeatures(EnumSet.noneOf(MeterFeaturesFlag.class))
            .hasBurst(true)
            .hasStats(true)
            .build());
  }

  private static DefaultMeter meter(MeterId id, MeterState state, long rate) {
    DefaultMeter meter =
        (DefaultMeter)
            DefaultMeter.builder()
                .forDevice(DEVICE)
                .withCellId(id)
                .fromApp(new DefaultApplicationId(1, "test"))
                .withBands(
                    List.of(
                        DefaultBand.builder()
                            .ofType(Band.Type.DROP)
                            .withRate(rate)
                            .burstSize(100)
                            .build()))
                .burst()
                .build();
    meter.setState(state);
    return meter;
  }

  private MeterId allocate() {
    MeterId id = store.allocateMeterId(DEVICE);
    assertThat(id).isNotNull();
    return java.util.Objects.requireNonNull(id);
  }

  private DefaultMeter reported(MeterId id) {
    DefaultMeter seen = meter(id, MeterState.ADDED, 1);
    seen.setProcessedBytes(9_000);
    ((DefaultBand) seen.bands().iterator().next()).setBytes(4_000);
    return seen;
  }

  @Test
  void aMeterIsAddedOnceTheSwitchReportsIt() {
    MeterId id = allocate();
    CompletableFuture<MeterStoreResult> result =
        store.storeMeter(meter(id, MeterState.PENDING_ADD, 5_000));
    assertThat(result).isNotDone();

    store.updateMeterState(reported(id));

    assertThat(result.join().reason()).isEmpty();
    assertThat(events).containsExactly(MeterEvent.Type.METER_ADD_REQ, MeterEvent.Type.METER_ADDED);
    Meter stored = store.getAllMeters(DEVICE).iterator().next();
    assertThat(stored.state()).isEqualTo(MeterState.ADDED);
    assertThat(stored.bytesSeen()).isEqualTo(9_000);
    Band band = stored.bands().iterator().next();
    assertThat(band.rate()).isEqualTo(5_000);
    assertThat(band.bytes()).isEqualTo(4_000);
  }

  @Test
  void aMeterThatTheSwitchRefusedLeavesNothingBehind() {
    MeterId id = allocate();
    DefaultMeter wanted = meter(id, MeterState.PENDING_ADD, 5_000);
    CompletableFuture<MeterStoreResult> result = store.storeMeter(wanted);

    store.failedMeter(
        new MeterOperation(wanted, MeterOperation.Type.ADD), MeterFailReason.BAD_RATE);

    assertThat(result.join().reason()).contains(MeterFailReason.BAD_RATE);
    assertThat(store.getAllMeters()).isEmpty();
    assertThat(store.allocateMeterId(DEVICE)).isEqualTo(id);
  }

  @Test
  void aRemovedMeterIsGoneOnlyWhenTheSwitchNoLongerHasIt() {
    MeterId id = allocate();
    store.storeMeter(meter(id, MeterState.PENDING_ADD, 5_000));
    store.updateMeterState(reported(id));

    CompletableFuture<MeterStoreResult> result =
        store.deleteMeter(meter(id, MeterState.PENDING_REMOVE, 5_000));
    store.updateMeterState(reported(id));
    assertThat(result).isNotDone();
    assertThat(store.getMeter(MeterKey.key(DEVICE, id))).isNotNull();

    store.deleteMeterNow(meter(id, MeterState.PENDING_REMOVE, 5_000));
    assertThat(result.join().reason()).isEmpty();
    assertThat(store.getMeter(MeterKey.key(DEVICE, id))).isNull();
    assertThat(events).endsWith(MeterEvent.Type.METER_REMOVED);
  }

  @Test
  void idsStayWithinWhatTheSwitchHasAndAreUsedAgain() {
    MeterId first = allocate();
    allocate();
    assertThat(store.allocateMeterId(DEVICE)).isNull();

    store.freeMeterId(DEVICE, first);
    assertThat(store.allocateMeterId(DEVICE)).isEqualTo(first);
  }

  @Test
  void whatWasReadDoesNotChangeUnderItsReader() {
    MeterId id = allocate();
    store.storeMeter(meter(id, MeterState.PENDING_ADD, 5_000));
    Meter before = store.getAllMeters().iterator().next();
    store.updateMeterState(reported(id));

    assertThat(before.state()).isEqualTo(MeterState.PENDING_ADD);
    assertThat(before.bytesSeen()).isZero();
  }
}
