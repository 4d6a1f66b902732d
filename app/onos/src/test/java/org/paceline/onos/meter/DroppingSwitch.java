package org.paceline.onos.meter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperation;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.onosproject.net.meter.Band;
import org.onosproject.net.meter.DefaultBand;
import org.onosproject.net.meter.DefaultMeter;
import org.onosproject.net.meter.Meter;
import org.onosproject.net.meter.MeterId;
import org.onosproject.net.meter.MeterRequest;
import org.onosproject.net.meter.MeterServiceAdapter;
import org.onosproject.net.meter.MeterState;
import org.paceline.control.port.Worker;
import org.paceline.control.telemetry.MeterCount;

/**
 * A switch that is gone between two certain messages, and ONOS before it: what is on its way then
 * is lost, and so is the answer, for which nobody stands in. ONOS takes away meters that it does
 * not know; some of its versions bring those back that it knows, at the rate that it once wrote.
 */
final class DroppingSwitch {
  private static final Duration BETWEEN_STATISTICS = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofMillis(900);

  final Map<MeterId, DefaultMeter> held = new LinkedHashMap<>();
  final Meters meters = new Meters();
  final Rules rules = new Rules();
  final Devices devices = new Devices();
  final Configs configs = new Configs();
  private final DeviceId device;
  private final Worker worker;
  private final int goesAt;
  private final int isBackAt;
  private final boolean forgets;
  private final boolean bringsBack;
  private final Map<MeterId, DefaultMeter> known = new HashMap<>();
  private final Map<FlowRule, FlowRule> table = new LinkedHashMap<>();
  private final Map<FlowRule, FlowRule> stored = new LinkedHashMap<>();
  private boolean isThere = true;
  private int messages;
  private int made;

  /**
   * @param goesAt before which message it goes
   * @param isBackAt before which one it is back
   * @param forgets whether its tables are empty then
   * @param bringsBack whether ONOS writes meters again that are not there
   */
  DroppingSwitch(
      DeviceId device,
      Worker worker,
      int goesAt,
      int isBackAt,
      boolean forgets,
      boolean bringsBack) {
    this.device = device;
    this.worker = worker;
    this.goesAt = goesAt;
    this.isBackAt = isBackAt;
    this.forgets = forgets;
    this.bringsBack = bringsBack;
    worker.after(BETWEEN_STATISTICS, this::statistics);
  }

  /** How many messages there were, to the switch and from it. */
  int messages() {
    return messages;
  }

  /** How many meters were made. */
  int made() {
    return made;
  }

  void comeBack() {
    isThere = true;
  }

  /** What it holds. */
  List<FlowRule> table() {
    return new ArrayList<>(table.values());
  }

  private boolean arrives() {
    messages++;
    if (messages == goesAt) {
      isThere = false;
      if (forgets) {
        held.clear();
        table.clear();
      }
    }
    if (messages == isBackAt) {
      comeBack();
    }
    return isThere;
  }

  private void statistics() {
    if (isThere) {
      List.copyOf(held.keySet()).stream().filter(id -> !known.containsKey(id)).forEach(this::lose);
      if (bringsBack) {
        known.forEach(held::putIfAbsent);
      }
      table.keySet().retainAll(stored.keySet());
      stored.values().stream().filter(rule -> !table.containsKey(rule)).forEach(this::take);
    }
    worker.after(BETWEEN_STATISTICS, this::statistics);
  }

  /** With a meter go the rules that refer to it. */
  private void lose(MeterId id) {
    held.remove(id);
    table
        .values()
        .removeIf(
            rule -> rule.treatment().meters().stream().anyMatch(to -> to.meterId().equals(id)));
  }

  private boolean take(FlowRule rule) {
    boolean takes =
        rule.treatment().meters().stream().allMatch(to -> held.containsKey(to.meterId()));
    if (takes) {
      table.remove(rule);
      table.put(rule, rule);
    }
    return takes;
  }

  private boolean carryOut(FlowRuleOperation operation) {
    stored.remove(operation.rule());
    if (operation.type() == FlowRuleOperation.Type.REMOVE) {
      table.remove(operation.rule());
      return true;
    }
    boolean takes = take(operation.rule());
    if (takes) {
      stored.put(operation.rule(), operation.rule());
    }
    return takes;
  }

  private DefaultMeter meter(MeterId id, Collection<Band> bands) {
    return MetersOfOneSwitch.meter(device, id, bands);
  }

  /** ONOS's meters. */
  final class Meters extends MeterServiceAdapter {
    @Override
    public Meter submit(MeterRequest request) {
      MeterId id = MeterId.meterId(++made);
      DefaultMeter meter = meter(id, request.bands());
      meter.setState(MeterState.PENDING_ADD);
      known.put(id, meter);
      if (arrives()) {
        held.put(id, meter);
        if (arrives()) {
          meter.setState(MeterState.ADDED);
          request.context().orElseThrow().onSuccess(request);
        }
      }
      return meter;
    }

    @Override
    public void withdraw(MeterRequest request, MeterId id) {
      known.remove(id);
      if (arrives()) {
        lose(id);
      }
    }

    @Override
    public @Nullable Meter getMeter(DeviceId at, MeterId id) {
      return known.get(id);
    }
  }

  /** ONOS's flow rules; all other switches take everything. */
  final class Rules extends FlowRuleServiceAdapter {
    @Override
    public void apply(FlowRuleOperations operations) {
      List<FlowRuleOperation> here =
          operations.stages().stream()
              .flatMap(Set::stream)
              .filter(operation -> operation.rule().deviceId().equals(device))
              .collect(Collectors.toList());
      if (here.isEmpty()) {
        operations.callback().onSuccess(operations);
        return;
      }
      if (!arrives()) {
        fail(operations, here);
        return;
      }
      List<FlowRuleOperation> refused =
          here.stream().filter(operation -> !carryOut(operation)).collect(Collectors.toList());
      if (!arrives()) {
        return;
      }
      if (refused.isEmpty()) {
        operations.callback().onSuccess(operations);
      } else {
        fail(operations, refused);
      }
    }

    private void fail(FlowRuleOperations asked, List<FlowRuleOperation> failed) {
      FlowRuleOperations.Builder answer = FlowRuleOperations.builder();
      failed.forEach(answer::operation);
      asked.callback().onError(answer.build());
    }

    @Override
    public void applyFlowRules(FlowRule... again) {
      for (FlowRule rule : again) {
        if (rule.deviceId().equals(device) && arrives()) {
          carryOut(new FlowRuleOperation(rule, FlowRuleOperation.Type.ADD));
        }
      }
    }

    @Override
    public Iterable<FlowEntry> getFlowEntries(DeviceId at) {
      return at.equals(device) ? entries() : List.of();
    }

    @Override
    public Iterable<FlowEntry> getFlowEntriesById(ApplicationId app) {
      return entries();
    }

    private List<FlowEntry> entries() {
      return stored.values().stream()
          .map(
              rule ->
                  new DefaultFlowEntry(
                      rule,
                      table.containsKey(rule) ? FlowEntryState.ADDED : FlowEntryState.PENDING_ADD))
          .collect(Collectors.toList());
    }
  }

  /** Of the others nothing is read. */
  final class Devices extends DeviceServiceAdapter {
    @Override
    public boolean isAvailable(DeviceId at) {
      return at.equals(device) && isThere;
    }
  }

  /** It says itself what it holds. */
  final class Configs implements MeterConfigs {
    @Override
    public Optional<CompletableFuture<Map<Long, Config>>> ask(DeviceId at) {
      return Optional.of(
          isThere
              ? CompletableFuture.completedFuture(
                  held.values().stream()
                      .collect(Collectors.toMap(meter -> meter.id().id(), this::config)))
              : CompletableFuture.failedFuture(new TimeoutException("It is gone.")));
    }

    @Override
    public Optional<CompletableFuture<Boolean>> change(DeviceId at, long number, Config to) {
      CompletableFuture<Boolean> changed = new CompletableFuture<>();
      worker.after(PATIENCE, () -> changed.completeExceptionally(new TimeoutException()));
      if (arrives()) {
        MeterId id = MeterId.meterId(number);
        Band band =
            DefaultBand.builder()
                .ofType(Band.Type.DROP)
                .withRate(to.kbps())
                .burstSize(to.burst())
                .build();
        boolean isHeld = held.replace(id, meter(id, List.of(band))) != null;
        if (arrives()) {
          changed.complete(isHeld);
        }
      }
      return Optional.of(changed);
    }

    private Config config(Meter meter) {
      Band band = meter.bands().iterator().next();
      return Config.drop(band.rate(), band.burst());
    }

    @Override
    public Optional<CompletableFuture<Map<Long, MeterCount>>> count(DeviceId at) {
      return Optional.empty();
    }
  }
}
