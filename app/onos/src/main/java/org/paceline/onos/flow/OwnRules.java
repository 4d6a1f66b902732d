package org.paceline.onos.flow;

import com.google.auto.value.AutoValue;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.flow.FlowRuleService;

/** Flow rules as this application has them: ONOS's service for them, and in whose name. */
@AutoValue
public abstract class OwnRules {
  public abstract FlowRuleService service();

  public abstract ApplicationId app();

  public static OwnRules of(FlowRuleService service, ApplicationId app) {
    return new AutoValue_OwnRules(service, app);
  }
}
