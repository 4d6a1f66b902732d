package org.paceline.onos.tables;

import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;

/** Makes rules of an application for one of a switch's tables. They stay until they are removed. */
public final class TableRule {
  private TableRule() {}

  /**
   * @param table from 0, where each packet begins
   */
  public static FlowRule of(
      ApplicationId app,
      DeviceId device,
      int table,
      int priority,
      TrafficSelector.Builder selector,
      TrafficTreatment.Builder treatment) {
    return DefaultFlowRule.builder()
        .forDevice(device)
        .forTable(table)
        .fromApp(app)
        .withPriority(priority)
        .makePermanent()
        .withSelector(selector.build())
        .withTreatment(treatment.build())
        .build();
  }
}
