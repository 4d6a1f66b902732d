package org.paceline.onos.forward;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.Link;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;

/**
 * Default forwarding as rules: on every switch one for each host, by destination MAC address, along
 * the tree of fewest hops towards it. V * H rules for V switches and H hosts, whoever talks to
 * whom.
 */
final class DestinationRules {
  /** Below everything that is about somebody in particular. */
  static final int PRIORITY = 10;

  private final ApplicationId app;

  DestinationRules(ApplicationId app) {
    this.app = app;
  }

  Set<FlowRule> of(Collection<Link> links, Collection<Host> hosts) {
    Map<DeviceId, Map<DeviceId, PortNumber>> incoming = new HashMap<>();
    for (Link link : links) {
      incoming
          .computeIfAbsent(link.dst().deviceId(), d -> new HashMap<>())
          // Of parallel links the lowest port, whatever order they come in.
          .merge(
              link.src().deviceId(), link.src().port(), (a, b) -> a.toLong() <= b.toLong() ? a : b);
    }
    Set<FlowRule> rules = new HashSet<>();
    for (Host host : hosts) {
      Map<DeviceId, PortNumber> nextHop = new HashMap<>();
      DeviceId edge = host.location().deviceId();
      nextHop.put(edge, host.location().port());
      Deque<DeviceId> queue = new ArrayDeque<>();
      queue.add(edge);
      while (!queue.isEmpty()) {
        incoming.getOrDefault(queue.remove(), Map.of()).entrySet().stream()
            .sorted((a, b) -> a.getKey().toString().compareTo(b.getKey().toString()))
            .filter(e -> nextHop.putIfAbsent(e.getKey(), e.getValue()) == null)
            .forEach(e -> queue.add(e.getKey()));
      }
      nextHop.forEach((device, port) -> rules.add(rule(device, host, port)));
    }
    return rules;
  }

  private FlowRule rule(DeviceId device, Host host, PortNumber out) {
    return DefaultFlowRule.builder()
        .forDevice(device)
        .fromApp(app)
        .withPriority(PRIORITY)
        .makePermanent()
        .withSelector(DefaultTrafficSelector.builder().matchEthDst(host.mac()).build())
        .withTreatment(DefaultTrafficTreatment.builder().setOutput(out).build())
        .build();
  }
}
