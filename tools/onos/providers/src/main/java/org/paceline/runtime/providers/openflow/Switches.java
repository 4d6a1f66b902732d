package org.paceline.runtime.providers.openflow;

import java.util.Optional;
import org.onosproject.net.DeviceId;
import org.onosproject.openflow.controller.OpenFlowController;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.onosproject.openflow.controller.RoleState;
import org.paceline.runtime.providers.openflow.translation.Ids;

/** The connected switches, by ONOS's name. */
final class Switches {
  static final String SCHEME = "of";

  private final OpenFlowController controller;

  Switches(OpenFlowController controller) {
    this.controller = controller;
  }

  /** The switch where it is connected. */
  Optional<OpenFlowSwitch> find(DeviceId device) {
    if (!SCHEME.equals(device.uri().getScheme())) {
      return Optional.empty();
    }
    return Optional.ofNullable(controller.getSwitch(Ids.switchId(device)));
  }

  /** The switch where it is connected and takes our orders: others drop what we send. */
  Optional<OpenFlowSwitch> findMastered(DeviceId device) {
    return find(device).filter(each -> each.getRole() == RoleState.MASTER);
  }

  Iterable<OpenFlowSwitch> all() {
    return controller.getSwitches();
  }
}
