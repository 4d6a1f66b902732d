package org.paceline.onos.tables;

import java.util.Collection;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowRule;

/** Writes rules, and says which. Asked on the worker that its rules are written on. */
public interface RuleOwner {
  /** The rules that a switch is to hold. */
  Collection<FlowRule> wanted(DeviceId device);
}
