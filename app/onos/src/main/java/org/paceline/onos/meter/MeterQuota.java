package org.paceline.onos.meter;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.onosproject.net.DeviceId;

/** How many conversations may be metered at each switch, and how many are. */
final class MeterQuota {
  private final MeterLimits limits;
  private final Map<DeviceId, Integer> used = new ConcurrentHashMap<>();

  MeterQuota(MeterLimits limits) {
    this.limits = limits;
  }

  /** Takes one, or says why there is none. */
  Optional<String> take(DeviceId device) {
    Optional<Long> held = limits.held(device);
    if (held.isPresent() && held.get() == 0) {
      return Optional.of(
          "The switch ("
              + device
              + ") has no meters. Maybe run an agent on the sending host, or connect it to a switch"
              + " that has some.");
    }
    long allowed = Math.min(limits.allowed(device), held.orElse(Long.MAX_VALUE));
    if (used(device) >= allowed) {
      return Optional.of(
          "The switch ("
              + device
              + ") may meter "
              + allowed
              + " conversations and does. Maybe raise maxMetersPerSwitch, or devices/"
              + device
              + "/paceline/maxMeters.");
    }
    used.merge(device, 1, Integer::sum);
    return Optional.empty();
  }

  void giveBack(DeviceId device) {
    used.merge(device, -1, Integer::sum);
  }

  int used(DeviceId device) {
    return used.getOrDefault(device, 0);
  }
}
