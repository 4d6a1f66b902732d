package org.paceline.runtime.providers.openflow;

import org.jspecify.annotations.Nullable;
import org.onosproject.net.MastershipRole;
import org.onosproject.openflow.controller.RoleState;

/** ONOS's mastership and OpenFlow's role: two words for one thing. */
final class Roles {
  private Roles() {}

  /** An unsolicited reply has no requested role; ONOS knows that as null too. */
  static @Nullable MastershipRole onos(@Nullable RoleState role) {
    if (role == null) {
      return null;
    }
    switch (role) {
      case MASTER:
        return MastershipRole.MASTER;
      case EQUAL:
        return MastershipRole.STANDBY;
      case SLAVE:
        return MastershipRole.NONE;
    }
    throw new IllegalArgumentException("OpenFlow role " + role + " has no name in ONOS.");
  }

  static RoleState openFlow(MastershipRole role) {
    switch (role) {
      case MASTER:
        return RoleState.MASTER;
      case STANDBY:
        return RoleState.EQUAL;
      case NONE:
        return RoleState.SLAVE;
    }
    throw new IllegalArgumentException("Mastership role " + role + " has no name in OpenFlow.");
  }
}
