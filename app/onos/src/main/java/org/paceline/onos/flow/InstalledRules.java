package org.paceline.onos.flow;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleService;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.InstalledElement;
import org.paceline.control.port.InstalledState;

/** The conversations' rules as ONOS last read them from the switches. */
public final class InstalledRules implements InstalledState {
  private final ConversationRules wanted;
  private final FlowRuleService rules;
  private final DeviceService devices;

  public InstalledRules(ConversationRules wanted, FlowRuleService rules, DeviceService devices) {
    this.wanted = wanted;
    this.rules = rules;
    this.devices = devices;
  }

  @Override
  public CompletableFuture<Map<ConversationId, List<InstalledElement>>> read() {
    Map<DeviceId, Map<FlowRule, FlowEntry>> found = new HashMap<>();
    Map<ConversationId, List<InstalledElement>> read = new HashMap<>();
    wanted
        .wanted()
        .forEach(
            (id, needed) -> {
              List<InstalledElement> elements = new ArrayList<>();
              for (FlowRule rule : needed) {
                elements.add(element(rule, found.computeIfAbsent(rule.deviceId(), this::entries)));
              }
              read.put(id, elements);
            });
    return CompletableFuture.completedFuture(read);
  }

  private Map<FlowRule, FlowEntry> entries(DeviceId device) {
    Map<FlowRule, FlowEntry> entries = new HashMap<>();
    rules.getFlowEntries(device).forEach(entry -> entries.put(entry, entry));
    return entries;
  }

  private InstalledElement element(FlowRule rule, Map<FlowRule, FlowEntry> found) {
    String at = rule.deviceId().toString();
    RuleEffect wants = RuleEffect.of(rule);
    Optional<FlowEntry> entry = Optional.ofNullable(found.get(rule));
    boolean unsure =
        !devices.isAvailable(rule.deviceId())
            || entry.filter(e -> e.state() != FlowEntryState.ADDED).isPresent();
    if (unsure) {
      return InstalledElement.of(
          InstalledElement.Kind.FLOW_RULE,
          at,
          name(rule),
          InstalledElement.Standing.UNKNOWN,
          wants.toString(),
          "");
    }
    Optional<RuleEffect> does = entry.map(RuleEffect::of);
    return InstalledElement.of(
        InstalledElement.Kind.FLOW_RULE,
        at,
        name(rule),
        InstalledElement.Standing.of(wants, does),
        wants.toString(),
        does.map(RuleEffect::toString).orElse(""));
  }

  /** As the switch's own tools show it. */
  private static String name(FlowRule rule) {
    return "cookie=0x" + Long.toHexString(rule.id().value());
  }

  @Override
  public void repair(ConversationId id, InstalledElement element) {
    wanted.wanted().getOrDefault(id, List.of()).stream()
        .filter(rule -> rule.deviceId().toString().equals(element.at()))
        .filter(rule -> name(rule).equals(element.name()))
        .forEach(rules::applyFlowRules);
  }
}
