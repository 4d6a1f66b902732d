package org.paceline.onos.flow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.onlab.packet.IpAddress;
import org.onlab.packet.IpPrefix;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.IPCriterion;

/**
 * The rules of conversations that switches hold, whoever wrote them: those of a controller before
 * this one are among them where ONOS keeps what it finds on switches ({@code importExtraneousRules}
 * of its FlowRuleManager).
 *
 * <p>For the same reason a rule may come back that was just removed. ONOS may read an answer that a
 * switch gave before, when it has forgotten the rule already. It keeps the rule then, and writes it
 * to the switch again as the next answer does not have it.
 *
 * <p>Belongs to the worker's thread.
 */
final class Leftovers {
  /** Longer than an answer waits to be read. */
  private static final Duration COMES_BACK_WITHIN = Duration.ofSeconds(10);

  /** That the switch has the rule, or that it is being written to it. */
  private static final Set<FlowEntry.FlowEntryState> STANDS =
      Set.of(FlowEntry.FlowEntryState.ADDED, FlowEntry.FlowEntryState.PENDING_ADD);

  private final OwnRules rules;
  private final Map<FlowRule, Duration> removedAt = new HashMap<>();

  Leftovers(OwnRules rules) {
    this.rules = rules;
  }

  /** O(rules of this application). */
  Map<HostPair, List<FlowRule>> find() {
    Map<HostPair, List<FlowRule>> found = new HashMap<>();
    for (FlowEntry entry : rules.service().getFlowEntriesById(rules.app())) {
      if (entry.state() == FlowEntry.FlowEntryState.ADDED && PairRules.isOurs(entry)) {
        add(entry, found);
      }
    }
    return found;
  }

  /** These were removed from their switches, and no answer of a switch should have them again. */
  void removed(Collection<FlowRule> gone, Duration now) {
    gone.forEach(rule -> removedAt.put(rule, now));
  }

  /** Forgets what was removed so long ago that it does not come back; whether any is left. */
  boolean mayComeBack(Duration now) {
    removedAt.values().removeIf(at -> now.minus(at).compareTo(COMES_BACK_WITHIN) > 0);
    return !removedAt.isEmpty();
  }

  /**
   * What is there of the rules that were removed a moment ago: come back, or written again since.
   * O(rules of the switches that had them).
   */
  Map<HostPair, List<FlowRule>> thereAgain() {
    Map<HostPair, List<FlowRule>> found = new HashMap<>();
    Set<DeviceId> concerned =
        removedAt.keySet().stream().map(FlowRule::deviceId).collect(Collectors.toSet());
    for (DeviceId device : concerned) {
      for (FlowEntry entry : rules.service().getFlowEntries(device)) {
        if (entry.appId() == rules.app().id()
            && STANDS.contains(entry.state())
            && removedAt.containsKey(entry)) {
          add(entry, found);
        }
      }
    }
    return found;
  }

  private static void add(FlowEntry entry, Map<HostPair, List<FlowRule>> found) {
    pair(entry)
        .ifPresent(
            pair ->
                found
                    .computeIfAbsent(pair, p -> new ArrayList<>())
                    .add(new DefaultFlowRule(entry)));
  }

  private static Optional<HostPair> pair(FlowRule rule) {
    return address(rule, Criterion.Type.IPV4_SRC, Criterion.Type.IPV6_SRC)
        .flatMap(
            source ->
                address(rule, Criterion.Type.IPV4_DST, Criterion.Type.IPV6_DST)
                    .map(destination -> HostPair.of(source, destination)));
  }

  private static Optional<IpAddress> address(
      FlowRule rule, Criterion.Type ipv4, Criterion.Type ipv6) {
    return Optional.ofNullable(rule.selector().getCriterion(ipv4))
        .or(() -> Optional.ofNullable(rule.selector().getCriterion(ipv6)))
        .map(criterion -> ((IPCriterion) criterion).ip())
        .filter(prefix -> prefix.equals(prefix.address().toIpPrefix()))
        .map(IpPrefix::address);
  }
}
