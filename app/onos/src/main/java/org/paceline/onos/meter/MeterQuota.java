package org.paceline.onos.meter;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.onosproject.net.DeviceId;
import org.paceline.control.directive.Capabilities;
import org.paceline.control.model.Unserved;

/**
 * How many meters conversations and ports have at each switch. Ports have half of what there are at
 * most: who shares a switch with many ports is metered, too.
 */
final class MeterQuota {
  private static final int PORTS_SHARE = 2;

  private final Function<DeviceId, Capabilities> switches;
  private final Map<DeviceId, Integer> used = new ConcurrentHashMap<>();
  private final Map<DeviceId, Integer> ofPorts = new ConcurrentHashMap<>();

  MeterQuota(Function<DeviceId, Capabilities> switches) {
    this.switches = switches;
  }

  /** Takes one for a conversation, or says why there is none. */
  Optional<Unserved> take(DeviceId device) {
    Optional<Unserved> refusal =
        switches.apply(device).refusesMeter(used(device), ofPorts.getOrDefault(device, 0));
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

  /** Takes one for a port, or says why there is none. */
  Optional<String> takeForPort(DeviceId device) {
    int many = ofPorts.getOrDefault(device, 0);
    Optional<Long> exceeded =
        switches.apply(device).meters().filter(all -> many >= all / PORTS_SHARE);
    if (exceeded.isEmpty()) {
      ofPorts.merge(device, 1, Integer::sum);
    }
    return exceeded.map(
        all ->
            "ports may have ("
                + all / PORTS_SHARE
                + ") of its ("
                + all
                + ") meters, so that conversations find some");
  }

  void giveBackOfPort(DeviceId device) {
    ofPorts.merge(device, -1, Integer::sum);
  }
}
