package org.paceline.control.port;

import java.util.Map;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/** What links carry, as their switches count it. */
public interface LinkLoads {
  /**
   * All traffic, managed or not, between the last two readings of the counters. A link whose
   * counters nobody has read twice is absent.
   */
  Map<LinkId, DataRate> measured();
}
