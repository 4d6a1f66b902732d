package org.paceline.onos.flow;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperation;

/**
 * The least that leads from the rules in force to those that are wanted, in an order in which no
 * packet is lost or sent in a circle: from the receiver's switch backwards, so that wherever a
 * packet meets a new rule the rest of the new way stands. What lies off every wanted way is removed
 * only when packets on the old one have arrived.
 */
final class RuleChange {
  /** More than any way has switches. */
  private static final int AFTER_ALL = 1_000_000;

  /** One after the other; each is begun when the switches have confirmed the one before. */
  final List<List<FlowRuleOperation>> stages;

  /** In force and no longer of use. */
  final List<FlowRule> retired;

  private RuleChange(List<List<FlowRuleOperation>> stages, List<FlowRule> retired) {
    this.stages = stages;
    this.retired = retired;
  }

  /**
   * @param inForce by themselves: equality of flow rules leaves the treatment out
   * @param doubtful of those in force, what a switch may hold otherwise or not at all
   */
  static RuleChange between(
      Map<FlowRule, FlowRule> inForce, Set<FlowRule> doubtful, Collection<PlacedRule> wanted) {
    TreeMap<Integer, List<FlowRuleOperation>> byDistance = new TreeMap<>();
    Map<FlowRule, PlacedRule> unique = new LinkedHashMap<>();
    Map<DeviceId, Integer> crossed = new HashMap<>();
    for (PlacedRule placed : wanted) {
      unique.put(placed.rule, placed);
      // What is uncovered by a removal is the rule that conversations share, where there is one.
      if (placed.rule.priority() == PairRules.PAIR_PRIORITY) {
        crossed.put(placed.rule.deviceId(), placed.distance);
      } else {
        crossed.putIfAbsent(placed.rule.deviceId(), placed.distance);
      }
    }
    unique
        .values()
        .forEach(
            placed -> {
              FlowRule old = inForce.get(placed.rule);
              // The same match with another treatment overwrites: no packet falls between.
              if (old == null || doubtful.contains(old) || !sameTreatment(old, placed.rule)) {
                at(byDistance, placed.distance, placed.rule, FlowRuleOperation.Type.ADD);
              }
            });
    List<FlowRule> retired = new ArrayList<>();
    for (FlowRule old : inForce.keySet()) {
      Integer distance = crossed.get(old.deviceId());
      if (unique.containsKey(old)) {
        continue;
      }
      if (distance == null) {
        retired.add(old);
      } else {
        // It may hide wanted rules of lower priority, and these must all be there first.
        at(byDistance, AFTER_ALL + distance, old, FlowRuleOperation.Type.REMOVE);
      }
    }
    return new RuleChange(new ArrayList<>(byDistance.values()), retired);
  }

  /** ONOS's own equality of treatments overlooks meters. */
  static boolean sameTreatment(FlowRule a, FlowRule b) {
    return a.treatment().allInstructions().equals(b.treatment().allInstructions())
        && a.treatment().meters().equals(b.treatment().meters());
  }

  private static void at(
      Map<Integer, List<FlowRuleOperation>> byDistance,
      int distance,
      FlowRule rule,
      FlowRuleOperation.Type type) {
    byDistance
        .computeIfAbsent(distance, d -> new ArrayList<>())
        .add(new FlowRuleOperation(rule, type));
  }
}
