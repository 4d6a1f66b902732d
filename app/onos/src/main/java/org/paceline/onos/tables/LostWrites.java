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
import org.paceline.control.work.Each;
import org.paceline.onos.flow.OwnRules;
import org.paceline.onos.flow.RuleEffect;
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

  private enum Why {
    START,
    RETURN,
    AGAIN
  }

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
      lookSoon(there.id(), Why.START);
    }
  }

  private void changed(DeviceEvent event) {
    if (event.type() == DeviceEvent.Type.DEVICE_ADDED
        || event.type() == DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED) {
      lookSoon(event.subject().id(), Why.RETURN);
    }
  }

  private void lookSoon(DeviceId device, Why why) {
    Object wait = new Object();
    waiting.put(device, wait);
    lookAfter(device, why, wait);
  }

  private void lookAgain(DeviceId device, Why why) {
    Object wait = new Object();
    // A return meanwhile calls for more than this would do.
    if (waiting.putIfAbsent(device, wait) == null) {
      lookAfter(device, why, wait);
    }
  }

  private void lookAfter(DeviceId device, Why why, Object wait) {
    worker.after(
        BETWEEN,
        () -> {
          if (waiting.remove(device, wait)) {
            look(device, why);
          }
        });
  }

  /** Where it is gone again, its return calls for the next look. */
  private void look(DeviceId device, Why why) {
    if (!devices.isAvailable(device)) {
      return;
    }
    try {
      if (why == Why.RETURN) {
        Each.of(owners, owner -> owner.returned(device));
      }
      Map<FlowRule, FlowEntry> stored = stored(device);
      Set<FlowRule> wanted = new HashSet<>();
      Set<FlowRule> lost = new HashSet<>();
      Each.of(owners, owner -> writeAgain(owner, device, stored, wanted, lost));
      boolean isLeft = removeAgain(stored, wanted);
      // Finds, too, what ONOS did in another order: a removal after what was written again. That
      // is looked for once, as a switch may refuse a rule for good.
      if (isLeft || !lost.isEmpty() && why != Why.AGAIN) {
        lookAgain(device, Why.AGAIN);
      }
    } catch (RuntimeException | Error bug) {
      lookAgain(device, why);
      throw bug;
    }
  }

  private Map<FlowRule, FlowEntry> stored(DeviceId device) {
    Map<FlowRule, FlowEntry> stored = new HashMap<>();
    for (FlowEntry entry : rules.service().getFlowEntries(device)) {
      if (entry.appId() == rules.app().id() && whose.test(entry)) {
        stored.put(entry, entry);
      }
    }
    return stored;
  }

  private static void writeAgain(
      RuleOwner owner,
      DeviceId device,
      Map<FlowRule, FlowEntry> stored,
      Set<FlowRule> wanted,
      Set<FlowRule> lost) {
    Collection<FlowRule> its = owner.wanted(device);
    wanted.addAll(its);
    Set<FlowRule> itsLost =
        its.stream()
            .filter(rule -> !isToBe(rule, stored.get(rule)))
            .collect(Collectors.toUnmodifiableSet());
    if (!itsLost.isEmpty()) {
      owner.writeAgain(device, itsLost);
      lost.addAll(itsLost);
    }
  }

  private boolean removeAgain(Map<FlowRule, FlowEntry> stored, Set<FlowRule> wanted) {
    FlowRule[] left =
        stored.values().stream()
            .filter(entry -> entry.state() == FlowEntryState.PENDING_REMOVE)
            .filter(entry -> !wanted.contains(entry))
            .toArray(FlowRule[]::new);
    if (left.length > 0) {
      rules.service().removeFlowRules(left);
    }
    return left.length > 0;
  }

  /** Whether ONOS sees to it that the switch holds the rule. */
  private static boolean isToBe(FlowRule rule, @Nullable FlowEntry entry) {
    return entry != null
        && entry.state() != FlowEntryState.PENDING_REMOVE
        && entry.state() != FlowEntryState.REMOVED
        && RuleEffect.isSame(rule, entry);
  }
}
