package org.paceline.onos.queue;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.device.DeviceService;
import org.paceline.control.directive.Capabilities;
import org.paceline.control.directive.PortScheduler;
import org.paceline.control.port.DeviceCapabilities;

/** What each switch can do: as it says itself, and as its operator says where it does not. */
public final class SwitchCapabilities implements DeviceCapabilities {
  /** How many meters a switch has; set by the device providers of tools/onos, not by ONOS's own. */
  private static final String METERS = "meters";

  private static final String SWITCH = "of:";

  private final DeviceService devices;
  private final NetworkConfigService settings;
  private final Function<DeviceId, Optional<Long>> tableSizes;
  private final Function<String, Optional<PortScheduler>> schedulers;
  private final int maxRules;
  private final int maxMeters;

  /**
   * @param schedulers who divides a switch's ports, by its id
   */
  public SwitchCapabilities(
      DeviceService devices,
      NetworkConfigService settings,
      Function<DeviceId, Optional<Long>> tableSizes,
      Function<String, Optional<PortScheduler>> schedulers,
      int maxRules,
      int maxMeters) {
    this.settings = settings;
    this.tableSizes = tableSizes;
    this.devices = devices;
    this.schedulers = schedulers;
    this.maxRules = maxRules;
    this.maxMeters = maxMeters;
  }

  private Optional<SwitchSettings> settings(DeviceId device) {
    return Optional.ofNullable(settings.getConfig(device, SwitchSettings.class));
  }

  /** What it can do now. */
  public Capabilities of(DeviceId device) {
    Optional<Long> tableSize = tableSizes.apply(device);
    int rules = settings(device).flatMap(SwitchSettings::maxRules).orElse(maxRules);
    return Capabilities.ofSwitch(device.toString())
        .meters(held(device))
        .metersAllowed(settings(device).flatMap(SwitchSettings::maxMeters).orElse(maxMeters))
        .tableSize(tableSize)
        .rulesAllowed((int) Math.min(rules, tableSize.orElse((long) Integer.MAX_VALUE)))
        .managedQueue(settings(device).flatMap(SwitchSettings::managedQueue))
        .scheduler(schedulers.apply(device.toString()))
        .build();
  }

  /** The host whose agent may divide the switch's ports. */
  public Optional<String> queueAgent(DeviceId device) {
    return settings(device).flatMap(SwitchSettings::queueAgent);
  }

  /** The ports at which packets from others' addresses are dropped. */
  public Set<ConnectPoint> guardedPorts() {
    Set<ConnectPoint> guarded = new HashSet<>();
    for (Device device : devices.getDevices()) {
      settings(device.id())
          .map(SwitchSettings::guardedPorts)
          .orElseGet(Set::of)
          .forEach(port -> guarded.add(new ConnectPoint(device.id(), PortNumber.portNumber(port))));
    }
    return guarded;
  }

  private Optional<Long> held(DeviceId device) {
    return Optional.ofNullable(devices.getDevice(device))
        .map(known -> known.annotations().value(METERS))
        .filter(text -> text.matches("[0-9]{1,18}"))
        .map(Long::valueOf);
  }

  /** Empty for what is no switch. */
  @Override
  public Optional<Capabilities> of(String node) {
    return node.startsWith(SWITCH) ? Optional.of(of(DeviceId.deviceId(node))) : Optional.empty();
  }
}
