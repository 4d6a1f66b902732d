package org.paceline.onos.flow;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowRule;
import org.paceline.control.model.Unserved;

/** How many rules conversations may have on each switch, and how many they have. */
final class TableBudget {
  private final ToIntFunction<DeviceId> limit;
  private final Map<DeviceId, Integer> used = new ConcurrentHashMap<>();

  TableBudget(ToIntFunction<DeviceId> limit) {
    this.limit = limit;
  }

  /** Takes the place of what is to be added, or says which switch has none left and takes none. */
  Optional<Unserved> take(Set<FlowRule> inForce, Collection<PlacedRule> wanted) {
    Map<DeviceId, Integer> more = new HashMap<>();
    Set<FlowRule> counted = new HashSet<>();
    for (PlacedRule placed : wanted) {
      if (!inForce.contains(placed.rule) && counted.add(placed.rule)) {
        more.merge(placed.rule.deviceId(), 1, Integer::sum);
      }
    }
    for (Map.Entry<DeviceId, Integer> entry : more.entrySet()) {
      int allowed = limit.applyAsInt(entry.getKey());
      if (used(entry.getKey()) + entry.getValue() > allowed) {
        return Optional.of(
            Unserved.of(Unserved.Code.TABLE_IS_FULL, entry.getKey(), allowed, entry.getValue()));
      }
    }
    more.forEach((device, count) -> used.merge(device, count, Integer::sum));
    return Optional.empty();
  }

  /** The switch holds it already, whatever it may. */
  void count(FlowRule rule) {
    used.merge(rule.deviceId(), 1, Integer::sum);
  }

  void giveBack(FlowRule rule) {
    used.merge(rule.deviceId(), -1, Integer::sum);
  }

  int used(DeviceId device) {
    return used.getOrDefault(device, 0);
  }
}
