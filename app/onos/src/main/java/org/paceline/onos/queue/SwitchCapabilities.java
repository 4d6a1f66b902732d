package org.paceline.onos.queue;

import java.util.Optional;
import java.util.function.Function;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.device.DeviceService;
import org.paceline.onos.meter.MeterLimits;

/** What each switch can do: as it says itself, and as its operator says where it does not. */
public final class SwitchCapabilities implements MeterLimits {
  /** How many meters a switch has; set by the device providers of tools/onos, not by ONOS's own. */
  private static final String METERS = "meters";

  private final DeviceService devices;
  private final NetworkConfigService settings;
  private final Function<DeviceId, Optional<Long>> tableSizes;
  private final int maxRules;
  private final int maxMeters;

  public SwitchCapabilities(
      DeviceService devices,
      NetworkConfigService settings,
      Function<DeviceId, Optional<Long>> tableSizes,
      int maxRules,
      int maxMeters) {
    this.settings = settings;
    this.tableSizes = tableSizes;
    this.devices = devices;
    this.maxRules = maxRules;
    this.maxMeters = maxMeters;
  }

  private Optional<SwitchSettings> settings(DeviceId device) {
    return Optional.ofNullable(settings.getConfig(device, SwitchSettings.class));
  }

  /** How many rules conversations may have there. */
  public int maxRules(DeviceId device) {
    int allowed = settings(device).flatMap(SwitchSettings::maxRules).orElse(maxRules);
    return (int) Math.min(allowed, tableSize(device).orElse((long) Integer.MAX_VALUE));
  }

  /** The size of its first table, where it tells. */
  public Optional<Long> tableSize(DeviceId device) {
    return tableSizes.apply(device);
  }

  /** The queue for managed traffic where it honours set_queue. */
  public Optional<Integer> managedQueue(DeviceId device) {
    return settings(device).flatMap(SwitchSettings::managedQueue);
  }

  @Override
  public Optional<Long> held(DeviceId device) {
    return Optional.ofNullable(devices.getDevice(device))
        .map(known -> known.annotations().value(METERS))
        .filter(text -> text.matches("[0-9]{1,18}"))
        .map(Long::valueOf);
  }

  @Override
  public long allowed(DeviceId device) {
    return settings(device).flatMap(SwitchSettings::maxMeters).orElse(maxMeters);
  }
}
