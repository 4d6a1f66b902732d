package org.paceline.runtime.stores.meter;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.onosproject.net.DeviceId;
import org.onosproject.net.meter.MeterId;

/** Hands out the lowest free meter id of a switch, so that ids stay within the few that it has. */
final class MeterIds {
  private final Map<DeviceId, Ids> devices = new HashMap<>();

  /** The lowest free id from 1 to {@code highest}, or none where the switch has no more. */
  synchronized Optional<MeterId> allocate(DeviceId device, long highest) {
    Ids ids = devices.computeIfAbsent(device, absent -> new Ids());
    if (!ids.returned.isEmpty()) {
      return Optional.of(MeterId.meterId(ids.returned.pollFirst()));
    }
    if (ids.highestUsed >= highest) {
      return Optional.empty();
    }
    ids.highestUsed++;
    return Optional.of(MeterId.meterId(ids.highestUsed));
  }

  /** Takes an id back; one that was never handed out stays out. */
  synchronized void free(DeviceId device, MeterId id) {
    Ids ids = devices.get(device);
    if (ids != null && id.id() <= ids.highestUsed) {
      ids.returned.add(id.id());
    }
  }

  private static final class Ids {
    private long highestUsed;
    private final TreeSet<Long> returned = new TreeSet<>();
  }
}
