package org.paceline.onos.finding;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleService;
import org.paceline.control.port.Worker;

/**
 * Flows whose packets were looked at, and of which switches send no more copies for a while. A
 * switch has at most so many of these rules: beyond them its meters are all that holds copies back.
 * Belongs to the worker's thread.
 */
final class LookedAt {
  private static final int MOST_OF_A_SWITCH = 256;

  private final FlowRuleService rules;
  private final Worker worker;
  private final Map<DeviceId, Set<FlowRule>> standing = new HashMap<>();

  LookedAt(FlowRuleService rules, Worker worker) {
    this.rules = rules;
    this.worker = worker;
  }

  /** Those that stand on a switch. */
  Set<FlowRule> at(DeviceId device) {
    return standing.getOrDefault(device, Set.of());
  }

  void writeAgain(DeviceId device, Set<FlowRule> lost) {
    rules.applyFlowRules(at(device).stream().filter(lost::contains).toArray(FlowRule[]::new));
  }

  void add(FlowRule rule, Duration until) {
    Set<FlowRule> here = standing.computeIfAbsent(rule.deviceId(), d -> new HashSet<>());
    if (here.size() < MOST_OF_A_SWITCH && here.add(rule)) {
      rules.applyFlowRules(rule);
      worker.after(until, () -> remove(rule));
    }
  }

  private void remove(FlowRule rule) {
    Set<FlowRule> here = standing.get(rule.deviceId());
    if (here != null && here.remove(rule)) {
      rules.removeFlowRules(rule);
    }
  }

  /** They are to be looked at again. */
  void forget() {
    standing.values().forEach(here -> rules.removeFlowRules(here.toArray(FlowRule[]::new)));
    standing.clear();
  }
}
