package org.paceline.onos.forward;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowRule;

/**
 * What is to be written to get from the rules held to those wanted. Hosts have no rules in common,
 * so each is compared by itself; nothing is looked up among all rules.
 */
final class ForwardingChange {
  final List<FlowRule> added = new ArrayList<>();
  final List<FlowRule> removed = new ArrayList<>();

  /**
   * Of one host, by switch. A list that is the very same is not looked at.
   *
   * @param held what leads to it now
   * @param wanted what shall; a rule with the same match as one that is held takes its place
   */
  void between(Map<DeviceId, List<FlowRule>> held, Map<DeviceId, List<FlowRule>> wanted) {
    wanted.forEach((device, now) -> between(held.getOrDefault(device, List.of()), now));
    held.forEach(
        (device, before) -> {
          if (!wanted.containsKey(device)) {
            removed.addAll(before);
          }
        });
  }

  private void between(List<FlowRule> before, List<FlowRule> now) {
    if (before == now) {
      return;
    }
    for (int i = 0; i < now.size(); i++) {
      FlowRule rule = now.get(i);
      if (like(rule, before, i).filter(old -> old.treatment().equals(rule.treatment())).isEmpty()) {
        added.add(rule);
      }
    }
    for (int i = 0; i < before.size(); i++) {
      FlowRule rule = before.get(i);
      if (like(rule, now, i).isEmpty()) {
        removed.add(rule);
      }
    }
  }

  /**
   * The rule with the same match.
   *
   * @param likely where it is as long as the same marks are taken off
   */
  private static Optional<FlowRule> like(FlowRule rule, List<FlowRule> among, int likely) {
    if (likely < among.size() && among.get(likely).equals(rule)) {
      return Optional.of(among.get(likely));
    }
    return among.stream().filter(rule::equals).findFirst();
  }
}
