package org.paceline.onos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.IntSupplier;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceService;
import org.paceline.control.directive.Capabilities;
import org.paceline.control.view.SwitchReport;
import org.paceline.onos.flow.ConversationRules;
import org.paceline.onos.meter.FirstHopMeters;
import org.paceline.onos.queue.SwitchCapabilities;

/** Brings together what is known of each switch, and what conversations use of it. */
final class SwitchReports {
  private final DeviceService devices;
  private final SwitchCapabilities capabilities;
  private final ConversationRules rules;
  private final FirstHopMeters meters;
  private final IntSupplier dscp;

  /**
   * @param dscp 0 where managed traffic is not kept apart
   */
  SwitchReports(
      DeviceService devices,
      SwitchCapabilities capabilities,
      ConversationRules rules,
      FirstHopMeters meters,
      IntSupplier dscp) {
    this.devices = devices;
    this.capabilities = capabilities;
    this.rules = rules;
    this.meters = meters;
    this.dscp = dscp;
  }

  List<SwitchReport> all() {
    List<SwitchReport> reports = new ArrayList<>();
    devices.getDevices(Device.Type.SWITCH).forEach(device -> reports.add(report(device)));
    reports.sort(Comparator.comparing(SwitchReport::id));
    return reports;
  }

  /**
   * How many rules conversations may have on the switch that takes the fewest, of those that have
   * said how many their table takes.
   */
  OptionalLong leastTable() {
    return all().stream()
        .filter(report -> report.tableSize().isPresent())
        .mapToLong(SwitchReport::rulesAllowed)
        .min();
  }

  private SwitchReport report(Device device) {
    DeviceId id = device.id();
    Capabilities can = capabilities.of(id);
    return SwitchReport.builder()
        .id(id.toString())
        .isConnected(devices.isAvailable(id))
        .description(
            String.join(" ", device.manufacturer(), device.hwVersion(), device.swVersion()))
        .meters(can.meters())
        .metersAllowed(can.metersAllowed())
        .metersUsed(meters.used(id))
        .tableSize(can.tableSize())
        .rulesAllowed(can.rulesAllowed())
        .rulesUsed(rules.used(id))
        .separation(separation(can))
        .scheduler(can.scheduler())
        .build();
  }

  private String separation(Capabilities can) {
    if (dscp.getAsInt() == 0) {
      return "none";
    }
    return can.managedQueue().map(queue -> "queue " + queue).orElse("dscp " + dscp.getAsInt());
  }
}
