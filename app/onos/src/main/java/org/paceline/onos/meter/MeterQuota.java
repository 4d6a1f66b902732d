package org.paceline.onos.meter;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.onosproject.net.DeviceId;
import org.paceline.control.directive.Capabilities;
import org.paceline.control.model.Unserved;

/** How many conversations are metered at each switch, of those that may be. */
final class MeterQuota {
  private final Function<DeviceId, Capabilities> switches;
  private final Map<DeviceId, Integer> used = new ConcurrentHashMap<>();

  MeterQuota(Function<DeviceId, Capabilities> switches) {
    this.switches = switches;
  }

  /** Takes one, or says why there is none. */
  Optional<Unserved> take(DeviceId device) {
    Optional<Unserved> refusal = switches.apply(device).refusesMeter(used(device));
    if (refusal.isEmpty()) {
      used.merge(device, 1, Integer::sum);
    }
    return refusal;
  }

  void giveBack(DeviceId device) {
    used.merge(device, -1, Integer::sum);
  }

  int used(DeviceId device) {
    return used.getOrDefault(device, 0);
  }
}
