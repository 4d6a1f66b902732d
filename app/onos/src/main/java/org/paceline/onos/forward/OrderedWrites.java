package org.paceline.onos.forward;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperation;
import org.paceline.control.port.Worker;
import org.paceline.control.work.GrowingPause;
import org.paceline.onos.flow.StagedWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has each switch's rules changed one time after the other: what ONOS is told at one time it does
 * in any order, so that a rule which goes and is wanted again at once could be gone in the end.
 * What comes while a change is under way waits for it, of each rule the newest. What a switch did
 * not take it is told again after 1 s, 2 s and so on up to a minute. Belongs to the worker's
 * thread.
 */
final class OrderedWrites {
  private static final Logger log = LoggerFactory.getLogger(OrderedWrites.class);

  private final StagedWriter writer;
  private final Worker worker;
  private final Map<DeviceId, Switch> switches = new HashMap<>();

  /** By rule, whatever it does with packets: a switch has one of these. */
  private static final class Switch {
    final Map<FlowRule, FlowRuleOperation> due = new LinkedHashMap<>();
    final Map<FlowRule, FlowRuleOperation> refused = new LinkedHashMap<>();
    final GrowingPause pause = new GrowingPause();
    boolean isChanging;
    boolean isPausing;
  }

  OrderedWrites(StagedWriter writer, Worker worker) {
    this.writer = writer;
    this.worker = worker;
  }

  /** No rule is of both. */
  void write(Collection<FlowRule> added, Collection<FlowRule> removed) {
    Map<DeviceId, List<FlowRuleOperation>> wanted = new HashMap<>();
    removed.forEach(rule -> want(wanted, rule, FlowRuleOperation.Type.REMOVE));
    added.forEach(rule -> want(wanted, rule, FlowRuleOperation.Type.ADD));
    wanted.forEach(
        (device, changes) -> {
          Switch at = switches.computeIfAbsent(device, absent -> new Switch());
          if (!at.refused.isEmpty()) {
            changes.forEach(change -> at.refused.remove(change.rule()));
          }
          if (at.isChanging) {
            changes.forEach(change -> at.due.put(change.rule(), change));
          } else {
            begin(device, at, changes);
          }
        });
  }

  private static void want(
      Map<DeviceId, List<FlowRuleOperation>> wanted, FlowRule rule, FlowRuleOperation.Type type) {
    wanted
        .computeIfAbsent(rule.deviceId(), absent -> new ArrayList<>())
        .add(new FlowRuleOperation(rule, type));
  }

  private void begin(DeviceId device, Switch at, List<FlowRuleOperation> changes) {
    at.isChanging = true;
    writer
        .write(List.of(changes))
        .thenAccept(refused -> worker.execute(() -> ended(device, at, changes, refused)));
  }

  private void ended(
      DeviceId device, Switch at, List<FlowRuleOperation> changes, Set<FlowRule> refused) {
    at.isChanging = false;
    if (!refused.isEmpty()) {
      changes.stream()
          .filter(change -> refused.contains(change.rule()))
          .filter(change -> !at.due.containsKey(change.rule()))
          .forEach(change -> at.refused.put(change.rule(), change));
    }
    if (at.refused.isEmpty()) {
      at.pause.end();
    } else {
      tryAgain(device, at);
    }
    goOn(device, at);
  }

  private void goOn(DeviceId device, Switch at) {
    if (!at.isChanging && !at.due.isEmpty()) {
      List<FlowRuleOperation> due = List.copyOf(at.due.values());
      at.due.clear();
      begin(device, at, due);
    }
  }

  private void tryAgain(DeviceId device, Switch at) {
    if (at.isPausing) {
      return;
    }
    if (!at.pause.isOn()) {
      log.warn(
          "The switch ({}) did not take {} rules of default forwarding, and is told them again."
              + " It may have gone meanwhile, or its tables are full (paceline:switches).",
          device,
          at.refused.size());
    }
    at.isPausing = true;
    worker.after(
        at.pause.next(),
        () -> {
          at.isPausing = false;
          at.refused.forEach(at.due::putIfAbsent);
          at.refused.clear();
          goOn(device, at);
        });
  }
}
