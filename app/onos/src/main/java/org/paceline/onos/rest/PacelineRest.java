package org.paceline.onos.rest;

import java.util.Set;
import javax.ws.rs.core.Application;

/** The web application. */
public final class PacelineRest extends Application {
  @Override
  public Set<Class<?>> getClasses() {
    return Set.of(
        StateResource.class,
        AlarmsResource.class,
        ConversationsResource.class,
        ExplainResource.class,
        IntentsResource.class,
        PlanResource.class,
        NetworkResource.class,
        SwitchesResource.class,
        Problems.class);
  }
}
