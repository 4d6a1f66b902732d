package org.paceline.onos.flow;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperation;
import org.onosproject.net.flow.TrafficSelector;

/**
 * The least that leads from the rules in force to those that are wanted, in an order in which no
 * packet is lost or sent in a circle: from the receiver's switch backwards, so that wherever a
 * packet meets a new rule the rest of the new way stands. Whoever leaves the shared way does so
 * before it changes, and whoever takes it loses its own rules, which hide it, switch by switch.
 * Rules of another port that packets come by hide nothing: those on the old way still need them.
 * What nobody's packets meet afterwards is removed only when those on the old way have arrived.
 */
final class RuleChange {
  /** More than any way has switches. */
  private static final int LONGER_THAN_ANY = 1_000_000;

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
   * @param sharing the matches of the conversations that are to take the shared way
   */
  static RuleChange between(
      Map<FlowRule, FlowRule> inForce,
      Set<FlowRule> doubtful,
      Collection<PlacedRule> wanted,
      Set<TrafficSelector> sharing) {
    TreeMap<Integer, List<FlowRuleOperation>> stages = new TreeMap<>();
    Set<FlowRule> stay = new HashSet<>();
    Map<DeviceId, Map<PortNumber, Integer>> shared = new HashMap<>();
    for (PlacedRule placed : wanted) {
      if (placed.rule.priority() == PairRules.PAIR_PRIORITY) {
        ConversationMatch.cameBy(placed.rule.selector())
            .ifPresent(
                port ->
                    shared
                        .computeIfAbsent(placed.rule.deviceId(), device -> new HashMap<>())
                        .put(port, placed.distance));
      }
      FlowRule old = inForce.get(placed.rule);
      // The same match with another treatment overwrites: no packet falls between.
      if (stay.add(placed.rule)
          && (old == null || doubtful.contains(old) || !RuleEffect.isSame(old, placed.rule))) {
        at(
            stages,
            stage(placed.onCommon, placed.distance),
            new FlowRuleOperation(placed.rule, FlowRuleOperation.Type.ADD));
      }
    }
    List<FlowRule> retired = new ArrayList<>();
    for (FlowRule old : inForce.keySet()) {
      Optional<Integer> distance = met(shared, old);
      boolean hides =
          old.priority() == PairRules.PAIR_PRIORITY
              || sharing.contains(ConversationMatch.anywhere(old.selector()));
      if (stay.contains(old)) {
        continue;
      }
      if (distance.isPresent() && hides) {
        at(
            stages,
            stage(true, distance.get()) + 1,
            new FlowRuleOperation(old, FlowRuleOperation.Type.REMOVE));
      } else {
        retired.add(old);
      }
    }
    return new RuleChange(new ArrayList<>(stages.values()), retired);
  }

  /**
   * How far from the receiver the shared rule stands that takes the packets of another one; empty
   * where none does. A rule without a port is of a version before, and takes those of all ports.
   */
  private static Optional<Integer> met(
      Map<DeviceId, Map<PortNumber, Integer>> shared, FlowRule rule) {
    Map<PortNumber, Integer> there = shared.getOrDefault(rule.deviceId(), Map.of());
    Optional<PortNumber> port = ConversationMatch.cameBy(rule.selector());
    return port.isPresent()
        ? Optional.ofNullable(there.get(port.get()))
        : there.values().stream().findFirst();
  }

  private static int stage(boolean onCommon, int distance) {
    return 2 * ((onCommon ? LONGER_THAN_ANY : 0) + distance);
  }

  /** Whether these are the same rules, in whatever order. */
  static boolean isNone(Collection<PlacedRule> from, Collection<PlacedRule> to) {
    Map<FlowRule, FlowRule> before = new HashMap<>();
    from.forEach(placed -> before.put(placed.rule, placed.rule));
    return from.size() == to.size()
        && to.stream()
            .allMatch(
                placed -> {
                  FlowRule same = before.get(placed.rule);
                  return same != null && RuleEffect.isSame(same, placed.rule);
                });
  }

  private static void at(
      Map<Integer, List<FlowRuleOperation>> stages, int stage, FlowRuleOperation operation) {
    stages.computeIfAbsent(stage, d -> new ArrayList<>()).add(operation);
  }
}
