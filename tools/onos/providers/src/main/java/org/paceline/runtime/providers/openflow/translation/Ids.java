package org.paceline.runtime.providers.openflow.translation;

import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.openflow.controller.Dpid;
import org.projectfloodlight.openflow.types.OFPort;

/** The same switch and port in ONOS's and in OpenFlow's words. */
public final class Ids {
  private Ids() {}

  public static DeviceId device(Dpid switchId) {
    return DeviceId.deviceId(Dpid.uri(switchId));
  }

  public static Dpid switchId(DeviceId device) {
    return Dpid.dpid(device.uri());
  }

  /** Port numbers are unsigned, but for the reserved few, such as LOCAL: ONOS has them negative. */
  public static PortNumber port(OFPort port) {
    int number = port.getPortNumber();
    boolean reserved = number < 0 && number >= PortNumber.Logical.IN_PORT.number();
    return PortNumber.portNumber(reserved ? number : Integer.toUnsignedLong(number));
  }

  public static OFPort port(PortNumber port) {
    return OFPort.of((int) port.toLong());
  }
}
