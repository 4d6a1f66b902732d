package org.paceline.runtime.providers.openflow;

import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.CompletedBatchOperation;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleProvider;
import org.onosproject.net.flow.FlowRuleProviderRegistry;
import org.onosproject.net.flow.FlowRuleProviderService;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.flow.oldbatch.FlowRuleBatchEntry;
import org.onosproject.net.flow.oldbatch.FlowRuleBatchEntry.FlowRuleOperation;
import org.onosproject.net.flow.oldbatch.FlowRuleBatchOperation;
import org.onosproject.net.provider.AbstractProvider;
import org.onosproject.net.provider.ProviderId;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.paceline.runtime.providers.openflow.translation.FlowMods;
import org.paceline.runtime.providers.openflow.translation.FlowReports;
import org.projectfloodlight.openflow.protocol.OFErrorMsg;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes ONOS's flow rules to switches, and says of a batch that it is done when it is. */
final class FlowOrders extends AbstractProvider implements FlowRuleProvider {
  private static final Logger LOG = LoggerFactory.getLogger(FlowOrders.class);

  private final Switches switches;
  private final FlowRuleService wanted;
  private final SwitchPolls polls;
  private final InFlightBatches inFlight;
  private final Removals removals = new Removals(System::nanoTime);
  private final FlowRuleProviderService service;

  FlowOrders(
      ProviderId id,
      Switches switches,
      FlowRuleService wanted,
      FlowRuleProviderRegistry registry,
      SwitchPolls polls) {
    super(id);
    this.switches = switches;
    this.wanted = wanted;
    this.polls = polls;
    this.service = registry.register(this);
    this.inFlight = new InFlightBatches(service::batchOperationCompleted, System::nanoTime);
  }

  @Override
  public void applyFlowRule(FlowRule... rules) {
    for (FlowRule rule : rules) {
      switches.findMastered(rule.deviceId()).ifPresent(of -> of.sendMsg(added(of, rule)));
    }
  }

  private static OFFlowMod added(OpenFlowSwitch of, FlowRule rule) {
    return FlowMods.add(of.factory(), rule, of.factory().nextXid());
  }

  @Override
  public void removeFlowRule(FlowRule... rules) {
    for (FlowRule rule : rules) {
      removals.told(rule.deviceId(), rule.id().value());
      switches
          .findMastered(rule.deviceId())
          .ifPresent(of -> of.sendMsg(FlowMods.remove(of.factory(), rule, of.factory().nextXid())));
    }
  }

  @Override
  public void executeBatch(FlowRuleBatchOperation batch) {
    Optional<OpenFlowSwitch> of = switches.findMastered(batch.deviceId());
    if (of.isPresent()) {
      send(of.get(), batch);
    } else {
      Set<FlowRule> all = new HashSet<>();
      batch.getOperations().forEach(entry -> all.add(entry.target()));
      complete(batch, all);
    }
  }

  private void send(OpenFlowSwitch of, FlowRuleBatchOperation batch) {
    OFFactory factory = of.factory();
    long xid = factory.nextXid();
    List<OFMessage> messages = new ArrayList<>();
    try {
      for (FlowRuleBatchEntry entry : batch.getOperations()) {
        if (entry.operator() == FlowRuleOperation.REMOVE) {
          removals.told(batch.deviceId(), entry.target().id().value());
          messages.add(FlowMods.remove(factory, entry.target(), xid));
        } else {
          messages.add(FlowMods.add(factory, entry.target(), xid));
        }
      }
    } catch (UnsupportedOperationException untranslatable) {
      // Nothing was sent: a batch is written whole or not at all.
      LOG.warn("{} refused a batch: {}", batch.deviceId(), untranslatable.getMessage());
      Set<FlowRule> all = new HashSet<>();
      batch.getOperations().forEach(entry -> all.add(entry.target()));
      complete(batch, all);
      return;
    }
    messages.add(factory.buildBarrierRequest().setXid(xid).build());
    inFlight.sent(batch.deviceId(), xid, batch);
    of.sendMsg(messages);
  }

  private void complete(FlowRuleBatchOperation batch, Set<FlowRule> failed) {
    service.batchOperationCompleted(
        batch.id(),
        new CompletedBatchOperation(
            failed.isEmpty(), ImmutableSet.copyOf(failed), batch.deviceId()));
  }

  /** What the switch answers, called by {@link SwitchMessages}. */
  boolean barrier(DeviceId device, long xid) {
    boolean ours = inFlight.confirmed(device, xid);
    if (ours) {
      polls.flowsSoon(device);
    }
    return ours;
  }

  boolean error(DeviceId device, OFErrorMsg error) {
    boolean ours = inFlight.refused(device, error.getXid(), cookie(error));
    if (ours) {
      LOG.warn("{} refused a flow rule: {}", device, error);
    }
    return ours;
  }

  private static Optional<Long> cookie(OFErrorMsg error) {
    OFMessage cause = error.getData().getParsedMessage().orNull();
    return cause instanceof OFFlowMod
        ? Optional.of(((OFFlowMod) cause).getCookie().getValue())
        : Optional.empty();
  }

  void removed(DeviceId device, OFFlowRemoved message) {
    FlowReports.removed(wanted.getFlowEntries(device), message).ifPresent(service::flowRemoved);
  }

  void reported(DeviceId device, OFFlowStatsReply reply) {
    List<FlowEntry> entries =
        FlowReports.read(
            device,
            wanted.getFlowEntries(device),
            cookie -> removals.isRecent(device, cookie),
            reply.getEntries());
    service.pushFlowMetrics(device, entries);
  }

  void lost(DeviceId device) {
    inFlight.lost(device);
  }

  void failOverdue() {
    inFlight.failOverdue();
  }
}
