package org.paceline.runtime.providers.openflow;

import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.openflow.controller.Dpid;
import org.projectfloodlight.openflow.types.OFPort;

/** The same switch and port in ONOS's and in OpenFlow's words. */
final class Ids {
  private Ids() {}

  static DeviceId device(Dpid switchId) {
    return DeviceId.deviceId(Dpid.uri(switchId));
  }

  static Dpid switchId(DeviceId device) {
    return Dpid.dpid(device.uri());
  }

  /**
   * OpenFlow's port numbers are unsigned; its reserved ones, such as LOCAL, become ONOS's logical.
   */
  static PortNumber port(OFPort port) {
    return PortNumber.portNumber(Integer.toUnsignedLong(port.getPortNumber()));
  }

  static OFPort port(PortNumber port) {
    return OFPort.of((int) port.toLong());
  }
}
