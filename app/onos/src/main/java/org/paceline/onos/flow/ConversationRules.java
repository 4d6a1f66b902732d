package org.paceline.onos.flow;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleOperationsContext;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.flow.TrafficSelector;
import org.paceline.control.conversations.Conversation;
import org.paceline.control.conversations.ConversationId;
import org.paceline.control.port.PathInstaller;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leads each conversation along its path with one flow rule a switch. A new path's rules are in
 * force before those of the old that it no longer needs are removed.
 *
 * <p>Used by one thread at a time: the planner's.
 */
public final class ConversationRules implements PathInstaller {
  /** Above default forwarding, below what operators are used to set by hand. */
  private static final int PRIORITY = 1_000;

  private static final Logger log = LoggerFactory.getLogger(ConversationRules.class);

  private final FlowRuleService rules;
  private final NextHops nextHops;
  private final ApplicationId app;
  private final Map<ConversationId, Set<FlowRule>> installed = new HashMap<>();

  public ConversationRules(FlowRuleService rules, NextHops nextHops, ApplicationId app) {
    this.rules = rules;
    this.nextHops = nextHops;
    this.app = app;
  }

  @Override
  public void install(Conversation conversation, Path path) {
    Set<FlowRule> wanted = along(conversation, path);
    Set<FlowRule> old = installed.getOrDefault(conversation.id(), Set.of());
    Set<FlowRule> added = new HashSet<>();
    for (FlowRule rule : wanted) {
      // Equality of flow rules leaves the treatment out, but another port is another rule.
      if (old.stream().noneMatch(o -> o.equals(rule) && o.treatment().equals(rule.treatment()))) {
        added.add(rule);
      }
    }
    // A rule with the match of a new one is overwritten by it; removing it would remove the new.
    Set<FlowRule> removed = new HashSet<>(old);
    removed.removeAll(wanted);
    if (!added.isEmpty() || !removed.isEmpty()) {
      installed.put(conversation.id(), wanted);
      apply(conversation, added, removed);
    }
  }

  @Override
  public void remove(Conversation conversation) {
    Set<FlowRule> old = installed.remove(conversation.id());
    if (old != null && !old.isEmpty()) {
      apply(conversation, Set.of(), old);
    }
  }

  private void apply(Conversation conversation, Set<FlowRule> added, Set<FlowRule> removed) {
    FlowRuleOperations.Builder operations = FlowRuleOperations.builder();
    added.forEach(operations::add);
    operations.newStage();
    removed.forEach(operations::remove);
    rules.apply(
        operations.build(
            new FlowRuleOperationsContext() {
              @Override
              public void onError(FlowRuleOperations failed) {
                log.warn(
                    "The switches refused rules of conversation {}: {}", conversation.id(), failed);
              }
            }));
  }

  private Set<FlowRule> along(Conversation conversation, Path path) {
    Optional<TrafficSelector> selector = ConversationMatch.of(conversation);
    Set<FlowRule> along = new HashSet<>();
    if (selector.isEmpty()) {
      return along;
    }
    List<LinkId> hops = path.hops();
    for (LinkId hop : hops) {
      if (NextHops.isSwitch(hop.from())) {
        nextHops
            .port(hop)
            .ifPresent(
                port ->
                    along.add(
                        DefaultFlowRule.builder()
                            .forDevice(DeviceId.deviceId(hop.from()))
                            .fromApp(app)
                            .withPriority(PRIORITY)
                            .makePermanent()
                            .withSelector(selector.get())
                            .withTreatment(
                                DefaultTrafficTreatment.builder().setOutput(port).build())
                            .build()));
      }
    }
    return along;
  }
}
