package org.paceline.runtime.stores.meter;

import com.google.common.collect.ImmutableList;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;
import org.onosproject.net.meter.Meter;
import org.onosproject.net.meter.MeterEvent;
import org.onosproject.net.meter.MeterFailReason;
import org.onosproject.net.meter.MeterFeatures;
import org.onosproject.net.meter.MeterFeaturesKey;
import org.onosproject.net.meter.MeterId;
import org.onosproject.net.meter.MeterKey;
import org.onosproject.net.meter.MeterOperation;
import org.onosproject.net.meter.MeterState;
import org.onosproject.net.meter.MeterStore;
import org.onosproject.net.meter.MeterStoreDelegate;
import org.onosproject.net.meter.MeterStoreResult;
import org.onosproject.store.AbstractStore;
import org.osgi.service.component.annotations.Component;

/**
 * The meters of one ONOS node, in memory. The registry's newest distributed meter store does not
 * fit the 2.5 API.
 *
 * <p>A meter goes from PENDING_ADD to ADDED when the switch first reports it, and from
 * PENDING_REMOVE out of the store when the switch no longer does. A meter that the switch refused
 * leaves at once, with the reason in its future.
 */
@Component(immediate = true, service = MeterStore.class)
public final class SingleNodeMeterStore extends AbstractStore<MeterEvent, MeterStoreDelegate>
    implements MeterStore {
  private final Map<MeterKey, Meter> meters = new ConcurrentHashMap<>();
  private final Map<MeterKey, CompletableFuture<MeterStoreResult>> waiting =
      new ConcurrentHashMap<>();
  private final Map<DeviceId, MeterFeatures> features = new ConcurrentHashMap<>();
  private final MeterIds ids = new MeterIds();

  @Override
  public CompletableFuture<MeterStoreResult> storeMeter(Meter meter) {
    return request(meter, MeterEvent.Type.METER_ADD_REQ);
  }

  @Override
  public CompletableFuture<MeterStoreResult> deleteMeter(Meter meter) {
    Meter stored = meters.get(keyOf(meter));
    if (stored == null) {
      return CompletableFuture.completedFuture(MeterStoreResult.success());
    }
    return request(
        MeterCopies.withState(stored, MeterState.PENDING_REMOVE), MeterEvent.Type.METER_REM_REQ);
  }

  private CompletableFuture<MeterStoreResult> request(Meter meter, MeterEvent.Type type) {
    CompletableFuture<MeterStoreResult> result = new CompletableFuture<>();
    CompletableFuture<MeterStoreResult> overtaken = waiting.put(keyOf(meter), result);
    meters.put(keyOf(meter), meter);
    if (overtaken != null) {
      overtaken.complete(MeterStoreResult.fail(MeterFailReason.UNKNOWN));
    }
    notifyDelegate(new MeterEvent(type, meter));
    return result;
  }

  @Override
  public CompletableFuture<MeterStoreResult> updateMeter(Meter meter) {
    boolean known = meters.computeIfPresent(keyOf(meter), (key, old) -> meter) != null;
    return CompletableFuture.completedFuture(
        known ? MeterStoreResult.success() : MeterStoreResult.fail(MeterFailReason.INVALID_METER));
  }

  @Override
  public @Nullable Meter updateMeterState(Meter reported) {
    MeterKey key = keyOf(reported);
    // Remembers the state from before inside the atomic update: two replies may arrive at once.
    boolean[] wasPending = {false};
    Meter updated =
        meters.computeIfPresent(
            key,
            (same, stored) -> {
              wasPending[0] = stored.state() == MeterState.PENDING_ADD;
              return MeterCopies.withCounters(stored, reported);
            });
    if (updated == null || updated.state() != MeterState.ADDED) {
      return updated;
    }
    if (wasPending[0]) {
      complete(key, MeterStoreResult.success());
      notifyDelegate(new MeterEvent(MeterEvent.Type.METER_ADDED, updated));
    } else if (updated.referenceCount() == 0) {
      notifyDelegate(new MeterEvent(MeterEvent.Type.METER_REFERENCE_COUNT_ZERO, updated));
    }
    return updated;
  }

  @Override
  public void failedMeter(MeterOperation operation, MeterFailReason reason) {
    MeterKey key = keyOf(operation.meter());
    if (operation.type() == MeterOperation.Type.ADD && meters.remove(key) != null) {
      ids.free(key.deviceId(), key.meterId());
    }
    complete(key, MeterStoreResult.fail(reason));
  }

  @Override
  public void deleteMeterNow(Meter meter) {
    MeterKey key = keyOf(meter);
    Meter removed = meters.remove(key);
    if (removed == null) {
      return;
    }
    ids.free(key.deviceId(), key.meterId());
    complete(key, MeterStoreResult.success());
    notifyDelegate(new MeterEvent(MeterEvent.Type.METER_REMOVED, removed));
  }

  @Override
  public void purgeMeter(DeviceId device) {
    getAllMeters(device).forEach(this::deleteMeterNow);
  }

  private void complete(MeterKey key, MeterStoreResult result) {
    CompletableFuture<MeterStoreResult> future = waiting.remove(key);
    if (future != null) {
      future.complete(result);
    }
  }

  @Override
  public @Nullable Meter getMeter(MeterKey key) {
    return meters.get(key);
  }

  @Override
  public Collection<Meter> getAllMeters() {
    return ImmutableList.copyOf(meters.values());
  }

  @Override
  public Collection<Meter> getAllMeters(DeviceId device) {
    return meters.values().stream()
        .filter(meter -> meter.deviceId().equals(device))
        .collect(Collectors.toList());
  }

  @Override
  public MeterStoreResult storeMeterFeatures(MeterFeatures ofSwitch) {
    features.put(ofSwitch.deviceId(), ofSwitch);
    return MeterStoreResult.success();
  }

  @Override
  public MeterStoreResult deleteMeterFeatures(DeviceId device) {
    features.remove(device);
    return MeterStoreResult.success();
  }

  @Override
  public long getMaxMeters(MeterFeaturesKey key) {
    return Optional.ofNullable(features.get(key.deviceId()))
        .map(MeterFeatures::maxMeter)
        .orElse(0L);
  }

  /** The lowest free id; null, as the API has it, where the switch has no meter left. */
  @Override
  public @Nullable MeterId allocateMeterId(DeviceId device) {
    return ids.allocate(device, getMaxMeters(MeterFeaturesKey.key(device))).orElse(null);
  }

  @Override
  public void freeMeterId(DeviceId device, MeterId id) {
    ids.free(device, id);
  }

  private static MeterKey keyOf(Meter meter) {
    return MeterKey.key(meter.deviceId(), meter.id());
  }
}
