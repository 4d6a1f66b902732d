package org.paceline.runtime.providers.openflow;

import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.ChassisId;
import org.onosproject.net.AnnotationKeys;
import org.onosproject.net.DefaultAnnotations;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DefaultDeviceDescription;
import org.onosproject.net.device.DeviceProviderService;
import org.onosproject.openflow.controller.Dpid;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.onosproject.openflow.controller.OpenFlowSwitchListener;
import org.onosproject.openflow.controller.RoleState;
import org.paceline.runtime.providers.openflow.translation.Ids;
import org.paceline.runtime.providers.openflow.translation.PortTranslation;
import org.projectfloodlight.openflow.protocol.OFPortReason;
import org.projectfloodlight.openflow.protocol.OFPortStatsReply;
import org.projectfloodlight.openflow.protocol.OFPortStatus;

/** Tells ONOS of each switch that connects or goes, of its ports and of our role with it. */
final class SwitchDevices implements OpenFlowSwitchListener, Connections.Listener {
  /** ONOS has no place of its own for what applications want to know here. */
  private static final String METERS = "meters";

  private final Switches switches;
  private final Connections connections;
  private final DeviceProviderService service;
  private final FlowOrders flows;
  private final MeterOrders meters;
  private final SwitchPolls polls;

  SwitchDevices(
      Switches switches,
      Connections connections,
      DeviceProviderService service,
      FlowOrders flows,
      MeterOrders meters,
      SwitchPolls polls) {
    this.switches = switches;
    this.connections = connections;
    this.service = service;
    this.flows = flows;
    this.meters = meters;
    this.polls = polls;
  }

  @Override
  public void switchAdded(Dpid switchId) {
    connections.begun(Ids.device(switchId), this);
  }

  @Override
  public void came(OpenFlowSwitch of) {
    DeviceId device = Ids.device(of.getDpid());
    // First: whoever hears of the device may ask for a meter at once.
    meters.connected(of);
    service.deviceConnected(
        device,
        new DefaultDeviceDescription(
            device.uri(),
            of.deviceType(),
            of.manufacturerDescription(),
            of.hardwareDescription(),
            of.softwareDescription(),
            of.serialNumber(),
            new ChassisId(of.getId()),
            DefaultAnnotations.builder()
                .set(METERS, Long.toString(metersOf(of)))
                .set(AnnotationKeys.PROTOCOL, of.factory().getVersion().toString())
                .set(AnnotationKeys.CHANNEL_ID, of.channelId())
                .set(AnnotationKeys.MANAGEMENT_ADDRESS, of.channelId().split(":", -1)[0])
                .build()));
    service.updatePorts(device, PortTranslation.describe(of.getPorts()));
  }

  private static long metersOf(OpenFlowSwitch of) {
    return of.getMeterFeatures() == null ? 0 : of.getMeterFeatures().getMaxMeter();
  }

  @Override
  public void switchRemoved(Dpid switchId) {
    connections.ended(Ids.device(switchId), this);
  }

  @Override
  public void went(DeviceId device) {
    try {
      service.deviceDisconnected(device);
    } finally {
      flows.lost(device);
      meters.lost(device);
    }
  }

  @Override
  public void switchChanged(Dpid switchId) {
    DeviceId device = Ids.device(switchId);
    switches
        .find(device)
        .ifPresent(of -> service.updatePorts(device, PortTranslation.describe(of.getPorts())));
  }

  @Override
  public void portChanged(Dpid switchId, OFPortStatus status) {
    DeviceId device = Ids.device(switchId);
    if (status.getReason() == OFPortReason.DELETE) {
      service.deletePort(device, PortTranslation.describe(status.getDesc()));
    } else {
      service.portStatusChanged(device, PortTranslation.describe(status.getDesc()));
    }
  }

  @Override
  public void receivedRoleReply(
      Dpid switchId, @Nullable RoleState requested, @Nullable RoleState response) {
    service.receivedRoleReply(Ids.device(switchId), Roles.onos(requested), Roles.onos(response));
    if (response == RoleState.MASTER) {
      // Whatever was lost while it was away is to be found at once, not at the next round.
      polls.metersSoon(Ids.device(switchId));
      polls.flowsSoon(Ids.device(switchId));
    }
  }

  void countersReceived(DeviceId device, OFPortStatsReply reply) {
    service.updatePortStatistics(
        device,
        reply.getEntries().stream()
            .map(entry -> PortTranslation.count(device, entry))
            .collect(Collectors.toList()));
  }
}
