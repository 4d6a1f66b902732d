package org.paceline.onos.tables;

import java.util.Collection;
import java.util.Set;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowRule;

/** Writes rules, and says which. Asked on the worker that its rules are written on. */
public interface RuleOwner {
  /** The switch was gone: what was refused in its name says nothing of what it takes now. */
  default void returned(DeviceId device) {}

  /** The rules that a switch is to hold. */
  Collection<FlowRule> wanted(DeviceId device);

  /**
   * Writes wanted rules once more.
   *
   * @param lost which ONOS did not take in when it was told, or is not told yet
   */
  void writeAgain(DeviceId device, Set<FlowRule> lost);
}
