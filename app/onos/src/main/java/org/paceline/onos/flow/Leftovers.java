package org.paceline.onos.flow;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.onlab.packet.IpAddress;
import org.onlab.packet.IpPrefix;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.IPCriterion;

/**
 * The rules of conversations that switches hold, whoever wrote them: those of a controller before
 * this one are among them where ONOS keeps what it finds on switches ({@code importExtraneousRules}
 * of its FlowRuleManager).
 */
final class Leftovers {
  private final OwnRules rules;

  Leftovers(OwnRules rules) {
    this.rules = rules;
  }

  /** O(rules of this application). */
  Map<HostPair, List<FlowRule>> find() {
    Map<HostPair, List<FlowRule>> found = new HashMap<>();
    for (FlowEntry entry : rules.service().getFlowEntriesById(rules.app())) {
      if (entry.state() == FlowEntry.FlowEntryState.ADDED && PairRules.isOurs(entry)) {
        pair(entry)
            .ifPresent(
                pair ->
                    found
                        .computeIfAbsent(pair, p -> new ArrayList<>())
                        .add(new DefaultFlowRule(entry)));
      }
    }
    return found;
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
