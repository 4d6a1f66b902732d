package org.paceline.onos.flow;

import com.google.auto.value.AutoValue;
import java.util.function.Predicate;
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

  abstract Predicate<DeviceId> there();

  public boolean isThere(DeviceId device) {
    return there().test(device);
  }

  /**
   * @param there whether a switch is connected: of one that is not ONOS says that all is done
   */
  public static OwnRules of(FlowRuleService service, ApplicationId app, Predicate<DeviceId> there) {
    return new AutoValue_OwnRules(service, app, there);
  }
}
