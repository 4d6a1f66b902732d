package org.paceline.onos.flow;

import com.google.auto.value.AutoValue;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowRuleService;

/**
 * Flow rules as this application has them: ONOS's service for them, in whose name, and which
 * switches are there to hear of them.
 */
@AutoValue
public abstract class OwnRules {
  public abstract FlowRuleService service();

  public abstract ApplicationId app();

  abstract Presence presence();

  public boolean isThere(DeviceId device) {
    return presence().isThere(device);
  }

  /** Whether a switch is connected and no controller is there yet that could tell it anything. */
  boolean awaitsMaster(DeviceId device) {
    return presence().isThere(device) && !presence().hasMaster(device);
  }

  public static OwnRules of(FlowRuleService service, ApplicationId app, Presence presence) {
    return new AutoValue_OwnRules(service, app, presence);
  }

  /** Who could hear of rules. */
  public interface Presence {
    /** Whether a switch is connected: of one that is not ONOS says that all is done. */
    boolean isThere(DeviceId device);

    /** Whether one of the controllers is its master: else ONOS says at once that it refuses. */
    default boolean hasMaster(DeviceId device) {
      return true;
    }
  }
}
