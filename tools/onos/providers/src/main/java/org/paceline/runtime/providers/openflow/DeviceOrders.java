package org.paceline.runtime.providers.openflow;

import java.util.EnumSet;
import org.onosproject.net.DeviceId;
import org.onosproject.net.MastershipRole;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceProvider;
import org.onosproject.net.provider.AbstractProvider;
import org.onosproject.net.provider.ProviderId;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.paceline.runtime.providers.openflow.translation.Ids;
import org.projectfloodlight.openflow.protocol.OFPortConfig;
import org.projectfloodlight.openflow.protocol.OFPortDesc;

/** What ONOS asks of a switch itself: roles, port states, connections. */
final class DeviceOrders extends AbstractProvider implements DeviceProvider {
  private final Switches switches;
  private final Connections connections;

  DeviceOrders(ProviderId id, Switches switches, Connections connections) {
    super(id);
    this.switches = switches;
    this.connections = connections;
  }

  @Override
  public void triggerProbe(DeviceId device) {
    // The controller's own echo requests find a dead switch.
  }

  @Override
  public void roleChanged(DeviceId device, MastershipRole role) {
    switches.find(device).ifPresent(of -> of.setRole(Roles.openFlow(role)));
  }

  @Override
  public boolean isReachable(DeviceId device) {
    return connections.isThere(device);
  }

  @Override
  public void changePortState(DeviceId device, PortNumber port, boolean enable) {
    switches.findMastered(device).ifPresent(of -> changePortState(of, port, enable));
  }

  private static void changePortState(OpenFlowSwitch of, PortNumber port, boolean enable) {
    for (OFPortDesc each : of.getPorts()) {
      if (each.getPortNo().equals(Ids.port(port))) {
        of.sendMsg(
            of.factory()
                .buildPortMod()
                .setPortNo(each.getPortNo())
                .setHwAddr(each.getHwAddr())
                .setConfig(
                    enable
                        ? EnumSet.noneOf(OFPortConfig.class)
                        : EnumSet.of(OFPortConfig.PORT_DOWN))
                .setMask(EnumSet.of(OFPortConfig.PORT_DOWN))
                .build());
      }
    }
  }

  @Override
  public void triggerDisconnect(DeviceId device) {
    switches.find(device).ifPresent(OpenFlowSwitch::disconnectSwitch);
  }
}
