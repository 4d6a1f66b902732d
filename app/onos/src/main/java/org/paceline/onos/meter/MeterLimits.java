package org.paceline.onos.meter;

import java.util.Optional;
import org.onosproject.net.DeviceId;

/** What is known of a switch's meters. */
public interface MeterLimits {
  /** How many it says that it has; empty where it does not say. */
  Optional<Long> held(DeviceId device);

  /** How many the operator allows us. */
  long allowed(DeviceId device);
}
