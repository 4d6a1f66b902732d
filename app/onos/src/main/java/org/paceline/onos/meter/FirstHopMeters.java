package org.paceline.onos.meter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.meter.Band;
import org.onosproject.net.meter.DefaultBand;
import org.onosproject.net.meter.DefaultMeterRequest;
import org.onosproject.net.meter.Meter;
import org.onosproject.net.meter.MeterContext;
import org.onosproject.net.meter.MeterFailReason;
import org.onosproject.net.meter.MeterId;
import org.onosproject.net.meter.MeterRequest;
import org.onosproject.net.meter.MeterService;
import org.paceline.control.conversations.Conversation;
import org.paceline.control.conversations.ConversationId;
import org.paceline.control.conversations.InstalledRate;
import org.paceline.control.port.Worker;
import org.paceline.control.proof.Proof;
import org.paceline.control.proof.ProofBook;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;
import org.paceline.onos.flow.ConversationMatch;
import org.paceline.onos.flow.NextHops;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits a sender without an agent at its first switch, by a drop meter and a rule that leads the
 * conversation through it. A changed rate is a new meter, and the old one goes when the rule no
 * longer refers to it: ONOS compares meters by their id only, so that one changed in place would
 * not reach the switch. No meter type of ONOS leaves this class.
 *
 * <p>Its state belongs to the worker's thread.
 */
public final class FirstHopMeters implements AutoCloseable {
  /** Above the rules that lead a conversation along its path. */
  private static final int PRIORITY = 1_100;

  /** A burst of 125 ms at the rate: shorter starves TCP, longer lets the queues fill. */
  private static final long BURSTS_PER_SECOND = 8;

  private static final Logger log = LoggerFactory.getLogger(FirstHopMeters.class);

  /** Gets what the switches confirmed. */
  public interface Acknowledgement {
    void installed(String host, long version, List<InstalledRate> rates);
  }

  private final MeterService meters;
  private final FlowRuleService rules;
  private final NextHops nextHops;
  private final ProofBook proofs;
  private final ApplicationId app;
  private final Worker worker;
  private final Acknowledgement acknowledgement;
  private final Map<ConversationId, Limit> limits = new HashMap<>();

  /** A meter and the rule that leads through it. */
  private static final class Limit {
    final Meter meter;
    final FlowRule rule;

    Limit(Meter meter, FlowRule rule) {
      this.meter = meter;
      this.rule = rule;
    }
  }

  public FirstHopMeters(
      MeterService meters,
      FlowRuleService rules,
      NextHops nextHops,
      ProofBook proofs,
      ApplicationId app,
      Worker worker,
      Acknowledgement acknowledgement) {
    this.meters = meters;
    this.rules = rules;
    this.nextHops = nextHops;
    this.proofs = proofs;
    this.app = app;
    this.worker = worker;
    this.acknowledgement = acknowledgement;
  }

  /** Limits each conversation; called on the worker's thread. */
  public void limit(String host, long version, Map<Conversation, DataRate> rates) {
    List<CompletableFuture<InstalledRate>> results = new ArrayList<>();
    rates.forEach((conversation, rate) -> results.add(limit(conversation, rate)));
    CompletableFuture.allOf(results.toArray(CompletableFuture[]::new))
        .thenRun(
            () -> {
              List<InstalledRate> installed = new ArrayList<>();
              results.forEach(result -> installed.add(result.join()));
              acknowledgement.installed(host, version, installed);
            });
  }

  private CompletableFuture<InstalledRate> limit(Conversation conversation, DataRate rate) {
    Optional<LinkId> firstHop =
        proofs
            .find(conversation.id())
            .flatMap(Proof::computed)
            .map(Grant::path)
            .flatMap(
                path ->
                    path.hops().stream().filter(hop -> NextHops.isSwitch(hop.from())).findFirst());
    Optional<PortNumber> out = firstHop.flatMap(nextHops::port);
    Optional<TrafficSelector> match = ConversationMatch.of(conversation);
    if (firstHop.isEmpty() || out.isEmpty() || match.isEmpty()) {
      return CompletableFuture.completedFuture(
          failed(conversation, "there is no first hop that can tell its packets from others"));
    }
    DeviceId device = DeviceId.deviceId(firstHop.get().from());
    CompletableFuture<InstalledRate> result = new CompletableFuture<>();
    MeterContext context =
        new MeterContext() {
          @Override
          public void onError(MeterRequest request, MeterFailReason reason) {
            result.complete(
                failed(conversation, "the switch (" + device + ") refused its meter: " + reason));
          }
        };
    Meter meter = meters.submit(request(device, rate, Optional.of(context)).add());
    // Meters reach the switch before the rules that are sent after them on the same connection.
    FlowRule rule =
        DefaultFlowRule.builder()
            .forDevice(device)
            .fromApp(app)
            .withPriority(PRIORITY)
            .makePermanent()
            .withSelector(match.get())
            .withTreatment(
                DefaultTrafficTreatment.builder().meter(meter.id()).setOutput(out.get()).build())
            .build();
    rules.applyFlowRules(rule);
    Limit before = limits.put(conversation.id(), new Limit(meter, rule));
    if (before != null) {
      if (!before.rule.equals(rule)) {
        rules.removeFlowRules(before.rule);
      }
      withdrawLater(before.meter);
    }
    result.complete(
        InstalledRate.of(conversation.id(), DataRate.ofKilobitsPerSecond(rate.toKbpsFloor()), ""));
    return result;
  }

  private static InstalledRate failed(Conversation conversation, String why) {
    return InstalledRate.of(conversation.id(), DataRate.ZERO, why);
  }

  private MeterRequest.Builder request(
      DeviceId device, DataRate rate, Optional<MeterContext> context) {
    long kbps = Math.max(1, rate.toKbpsFloor());
    Band band =
        DefaultBand.builder()
            .ofType(Band.Type.DROP)
            .withRate(kbps)
            .burstSize(Math.max(1, kbps / BURSTS_PER_SECOND))
            .build();
    MeterRequest.Builder builder =
        DefaultMeterRequest.builder()
            .forDevice(device)
            .fromApp(app)
            // KB_PER_SEC means kilobits, despite its name.
            .withUnit(Meter.Unit.KB_PER_SEC)
            .withBands(List.of(band))
            .burst();
    return context.map(builder::withContext).orElse(builder);
  }

  /** Removing a meter removes the rules that refer to it, so the changed rule must be there. */
  private void withdrawLater(Meter meter) {
    worker.after(java.time.Duration.ofSeconds(1), () -> withdraw(meter));
  }

  private void withdraw(Meter meter) {
    MeterId id = meter.id();
    MeterRequest request =
        DefaultMeterRequest.builder()
            .forDevice(meter.deviceId())
            .fromApp(app)
            .withUnit(meter.unit())
            .withBands(meter.bands())
            .burst()
            .remove();
    meters.withdraw(request, id);
  }

  /** The conversation is over. */
  public void release(Conversation conversation) {
    Limit limit = limits.remove(conversation.id());
    if (limit != null) {
      rules.removeFlowRules(limit.rule);
      withdrawLater(limit.meter);
    }
  }

  @Override
  public void close() {
    limits
        .values()
        .forEach(
            limit -> {
              rules.removeFlowRules(limit.rule);
              withdraw(limit.meter);
            });
    log.debug("{} meters withdrawn", limits.size());
    limits.clear();
  }
}
