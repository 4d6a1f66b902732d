package org.paceline.onos.meter;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.meter.Band;
import org.onosproject.net.meter.DefaultBand;
import org.onosproject.net.meter.DefaultMeter;
import org.onosproject.net.meter.Meter;
import org.onosproject.net.meter.MeterFailReason;
import org.onosproject.net.meter.MeterId;
import org.onosproject.net.meter.MeterRequest;
import org.onosproject.net.meter.MeterServiceAdapter;
import org.onosproject.net.meter.MeterState;
import org.paceline.control.SolverBug;

/** Confirms at once, or when it is told to. */
final class MetersOfOneSwitch extends MeterServiceAdapter {
  final Map<MeterId, Meter> meters = new LinkedHashMap<>();
  final List<MeterRequest> waiting = new ArrayList<>();
  final List<MeterId> withdrawn = new ArrayList<>();
  boolean slow;
  boolean refuse;

  /** As ONOS has it where it has no numbers of a switch's meters. */
  boolean isGone;

  Optional<SolverBug> broken = Optional.empty();
  int made;

  @Override
  public Meter submit(MeterRequest request) {
    if (isGone) {
      throw new IllegalArgumentException("Must specify a cell id.");
    }
    broken.ifPresent(SolverBug::thrown);
    made++;
    DefaultMeter meter = meter(request.deviceId(), MeterId.meterId(made), request.bands());
    if (refuse) {
      request.context().orElseThrow().onError(request, MeterFailReason.OUT_OF_METERS);
      return meter;
    }
    meter.setState(MeterState.PENDING_ADD);
    meters.put(meter.id(), meter);
    waiting.add(request);
    if (!slow) {
      // Some stores confirm before the caller knows the meter's id.
      confirm();
    }
    return meter;
  }

  void confirm() {
    List<MeterRequest> now = List.copyOf(waiting);
    waiting.clear();
    meters.values().forEach(meter -> ((DefaultMeter) meter).setState(MeterState.ADDED));
    now.forEach(request -> request.context().orElseThrow().onSuccess(request));
  }

  void spoil(long kbps) {
    meters.replaceAll(
        (id, meter) -> {
          Band old = meter.bands().iterator().next();
          return meter(
              meter.deviceId(),
              id,
              List.of(
                  DefaultBand.builder()
                      .ofType(Band.Type.DROP)
                      .withRate(kbps)
                      .burstSize(old.burst())
                      .build()));
        });
  }

  static DefaultMeter meter(DeviceId device, MeterId id, Collection<Band> bands) {
    DefaultMeter meter =
        (DefaultMeter)
            DefaultMeter.builder()
                .forDevice(device)
                .withCellId(id)
                .fromApp(new DefaultApplicationId(1, "test"))
                .withUnit(Meter.Unit.KB_PER_SEC)
                .burst()
                .withBands(bands)
                .build();
    meter.setState(MeterState.ADDED);
    return meter;
  }

  @Override
  public void withdraw(MeterRequest request, MeterId id) {
    withdrawn.add(id);
    meters.remove(id);
  }

  @Override
  public @Nullable Meter getMeter(DeviceId device, MeterId id) {
    return meters.get(id);
  }
}
