package org.paceline.onos.tables;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
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
 * Asks a switch that is back once more to remove what it was to remove, until it has. ONOS brings
 * rules again that a switch did not hear of, but no removals: such a rule would stay on the switch
 * for good, and be on its way out in ONOS's store.
 */
public final class LostRemovals {
  /**
   * By the first look links are found again, and rules that are wanted because of them stand: ONOS
   * does what it is told at one time in any order.
   */
  private static final Duration BETWEEN = Duration.ofSeconds(10);

  private final OwnRules rules;
  private final DeviceService devices;
  private final Worker worker;
  private final Predicate<FlowRule> whose;
  private final Function<FlowRule, Optional<FlowRule>> wanted;
  private final Set<DeviceId> looking = ConcurrentHashMap.newKeySet();

  /**
   * @param worker on which these rules are written: in between no rule is wanted again
   * @param whose of the application's rules, those that are looked after
   * @param wanted the rule with this match as it is wanted now: ONOS may have carried out its
   *     removal after the order to write it once more
   */
  public LostRemovals(
      OwnRules rules,
      DeviceService devices,
      Worker worker,
      Predicate<FlowRule> whose,
      Function<FlowRule, Optional<FlowRule>> wanted) {
    this.rules = rules;
    this.devices = devices;
    this.worker = worker;
    this.whose = whose;
    this.wanted = wanted;
  }

  public void open(Listening listening) {
    listening.devices(devices, this::changed);
  }

  private void changed(DeviceEvent event) {
    if (event.type() == DeviceEvent.Type.DEVICE_ADDED
        || event.type() == DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED) {
      lookSoon(event.subject().id());
    }
  }

  private void lookSoon(DeviceId device) {
    if (looking.add(device)) {
      worker.after(
          BETWEEN,
          () -> {
            looking.remove(device);
            look(device);
          });
    }
  }

  /** Where it is gone again, its return calls for the next look. */
  private void look(DeviceId device) {
    if (!devices.isAvailable(device)) {
      return;
    }
    List<FlowEntry> left =
        StreamSupport.stream(rules.service().getFlowEntries(device).spliterator(), false)
            .filter(entry -> entry.state() == FlowEntryState.PENDING_REMOVE)
            .filter(entry -> entry.appId() == rules.app().id())
            .filter(whose)
            .collect(Collectors.toList());
    if (!left.isEmpty()) {
      rules
          .service()
          .applyFlowRules(
              left.stream().map(wanted).flatMap(Optional::stream).toArray(FlowRule[]::new));
      rules
          .service()
          .removeFlowRules(
              left.stream().filter(rule -> wanted.apply(rule).isEmpty()).toArray(FlowRule[]::new));
      lookSoon(device);
    }
  }
}
