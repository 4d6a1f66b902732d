package org.paceline.onos.tables;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.paceline.control.port.Worker;
import org.paceline.onos.flow.OwnRules;
import org.paceline.onos.listen.Listening;

/**
 * Has a switch that is back, or there when the application starts, hold what it is to hold. Of one
 * that is gone ONOS says that all is done that it is told. A new or changed rule it then does not
 * even remember, so that it is to be written again. A removal it remembers and does not ask for
 * again: such a rule would stay on the switch for good, and be on its way out in ONOS's store. The
 * switch is asked to remove it until it has. What ONOS remembers it brings itself.
 *
 * <p>Only its owners know whether a rule is wanted: one that is wanted again is on its way out in
 * that store, too, until ONOS has begun to write it.
 */
public final class LostWrites {
  /**
   * By the first look links are found again, and rules that are wanted because of them stand: ONOS
   * does what it is told at one time in any order.
   */
  private static final Duration BETWEEN = Duration.ofSeconds(10);

  private final OwnRules rules;
  private final DeviceService devices;
  private final Worker worker;
  private final Predicate<FlowRule> whose;
  private final List<RuleOwner> owners;

  /** By switch the newest wait: links are found again so long after its last return. */
  private final Map<DeviceId, Object> waiting = new ConcurrentHashMap<>();

  /**
   * @param worker on which these rules are written: in between no rule is wanted again
   * @param whose of the application's rules, those that are looked after
   * @param owners of these
   */
  public LostWrites(
      OwnRules rules,
      DeviceService devices,
      Worker worker,
      Predicate<FlowRule> whose,
      List<RuleOwner> owners) {
    this.rules = rules;
    this.devices = devices;
    this.worker = worker;
    this.whose = whose;
    this.owners = owners;
  }

  public void open(Listening listening) {
    listening.devices(devices, this::changed);
    for (Device there : devices.getAvailableDevices()) {
      lookSoon(there.id());
    }
  }

  private void changed(DeviceEvent event) {
    if (event.type() == DeviceEvent.Type.DEVICE_ADDED
        || event.type() == DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED) {
      lookSoon(event.subject().id());
    }
  }

  private void lookSoon(DeviceId device) {
    Object wait = new Object();
    waiting.put(device, wait);
    worker.after(
        BETWEEN,
        () -> {
          if (waiting.remove(device, wait)) {
            look(device);
          }
        });
  }

  /** Where it is gone again, its return calls for the next look. */
  private void look(DeviceId device) {
    if (!devices.isAvailable(device)) {
      return;
    }
    Map<FlowRule, FlowEntry> stored = new HashMap<>();
    for (FlowEntry entry : rules.service().getFlowEntries(device)) {
      if (entry.appId() == rules.app().id()) {
        stored.put(entry, entry);
      }
    }
    Set<FlowRule> wanted = new HashSet<>();
    for (RuleOwner owner : owners) {
      Collection<FlowRule> its = owner.wanted(device);
      wanted.addAll(its);
      Set<FlowRule> lost =
          its.stream()
              .filter(rule -> !isToBe(rule, stored.get(rule)))
              .collect(Collectors.toUnmodifiableSet());
      if (!lost.isEmpty()) {
        owner.writeAgain(device, lost);
      }
    }
    FlowRule[] left =
        stored.values().stream()
            .filter(entry -> entry.state() == FlowEntryState.PENDING_REMOVE)
            .filter(whose)
            .filter(entry -> !wanted.contains(entry))
            .toArray(FlowRule[]::new);
    if (left.length > 0) {
      rules.service().removeFlowRules(left);
      // Finds, too, what is wanted again by then and was removed after it had been written.
      lookSoon(device);
    }
  }

  /** Whether ONOS sees to it that the switch holds the rule. */
  private static boolean isToBe(FlowRule rule, @Nullable FlowEntry entry) {
    return entry != null
        && entry.state() != FlowEntryState.PENDING_REMOVE
        && entry.state() != FlowEntryState.REMOVED
        && TableRule.doTheSame(rule, entry);
  }
}
