package org.paceline.onos.conflict;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.onosproject.app.ApplicationService;
import org.onosproject.app.ApplicationState;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreService;
import org.onosproject.net.Device;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.paceline.control.model.Alarm;
import org.paceline.onos.flow.OwnRules;
import org.paceline.onos.forward.DestinationRules;

/**
 * Other applications of this ONOS whose rules may take packets before Paceline's do: those of a
 * priority that default forwarding has or more, and those in other tables, which packets get to by
 * such rules only. One alarm an application. On one thread.
 */
public final class OtherApplications {
  /** Reads all rules that ONOS knows of, so less often than it is asked. */
  private static final Duration EVERY = Duration.ofSeconds(5);

  /** Writes no rules before there are packets, and then for all of them. */
  private static final String REACTIVE_FORWARDING = "org.onosproject.fwd";

  private final CoreService core;
  private final ApplicationService applications;
  private final DeviceService devices;
  private final OwnRules rules;
  private final Clock clock;
  private List<Alarm> alarms = List.of();
  private Instant due = Instant.MIN;

  public OtherApplications(
      CoreService core,
      ApplicationService applications,
      DeviceService devices,
      OwnRules rules,
      Clock clock) {
    this.core = core;
    this.applications = applications;
    this.devices = devices;
    this.rules = rules;
    this.clock = clock;
  }

  /** What an application has on switches. */
  private static final class Found {
    final TreeSet<String> switches = new TreeSet<>();
    final TreeSet<Integer> otherTables = new TreeSet<>();
    int priority;

    void add(FlowEntry entry) {
      switches.add(entry.deviceId().toString());
      if (entry.tableId() == 0) {
        priority = Math.max(priority, entry.priority());
      } else {
        otherTables.add(entry.tableId());
      }
    }

    /** For a person. */
    String sentence() {
      List<String> what = new ArrayList<>();
      if (priority > 0) {
        what.add("of priority " + priority + " in table 0");
      }
      if (!otherTables.isEmpty()) {
        what.add(
            "in table "
                + otherTables.stream().map(String::valueOf).collect(Collectors.joining(", ")));
      }
      int more = switches.size() - 1;
      return "has rules ("
          + String.join("; ", what)
          + ") at the switch ("
          + switches.first()
          + ")"
          + (more > 0 ? " and at (" + more + ") more" : "");
    }
  }

  /** O(rules of all switches), at most every few seconds. */
  public List<Alarm> look() {
    Instant now = clock.instant();
    if (now.isBefore(due)) {
      return alarms;
    }
    due = now.plus(EVERY);
    Map<String, Found> found = found();
    Map<String, Instant> since =
        alarms.stream()
            .collect(Collectors.toMap(alarm -> alarm.application().orElseThrow(), Alarm::since));
    TreeSet<String> names = new TreeSet<>(found.keySet());
    if (isActive(REACTIVE_FORWARDING)) {
      names.add(REACTIVE_FORWARDING);
    }
    alarms =
        names.stream()
            .map(
                name ->
                    Alarm.ofApplication(
                        name,
                        sentence(name, Optional.ofNullable(found.get(name))),
                        since.getOrDefault(name, now)))
            .collect(Collectors.toUnmodifiableList());
    return alarms;
  }

  private static String sentence(String name, Optional<Found> rules) {
    return "The application ("
        + name
        + ") "
        + rules.map(Found::sentence).orElse("is active and forwards by rules of its own")
        + ": packets that these take are not led, marked and metered as planned. Maybe deactivate it"
        + " (onos:app deactivate "
        + name
        + "), or take its rules away (DELETE /onos/v1/flows/application/"
        + name
        + ").";
  }

  private Map<String, Found> found() {
    Map<String, Found> found = new TreeMap<>();
    for (Device device : devices.getAvailableDevices()) {
      for (FlowEntry entry : rules.service().getFlowEntries(device.id())) {
        if (isInTheWay(entry)) {
          found.computeIfAbsent(name(entry.appId()), name -> new Found()).add(entry);
        }
      }
    }
    // What ONOS itself sends to the controller, for whichever application: ARP, LLDP.
    found.remove(CoreService.CORE_APP_NAME);
    return found;
  }

  private boolean isInTheWay(FlowEntry entry) {
    return entry.appId() != rules.app().id()
        && (entry.state() == FlowEntryState.ADDED || entry.state() == FlowEntryState.PENDING_ADD)
        && (entry.tableId() != 0 || entry.priority() >= DestinationRules.PRIORITY);
  }

  private String name(short id) {
    return Optional.ofNullable(core.getAppId(id)).map(ApplicationId::name).orElse("number " + id);
  }

  private boolean isActive(String name) {
    return Optional.ofNullable(core.getAppId(name))
        .map(applications::getState)
        .filter(state -> state == ApplicationState.ACTIVE)
        .isPresent();
  }
}
