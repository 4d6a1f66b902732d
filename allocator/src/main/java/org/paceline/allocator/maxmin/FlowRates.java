package org.paceline.allocator.maxmin;

import com.google.auto.value.AutoValue;
import java.util.Collections;
import java.util.Map;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/** What each flow has, and what holds it back. */
@AutoValue
public abstract class FlowRates {
  /** By flow, of all. */
  public abstract Map<String, DataRate> rates();

  /**
   * By flow the full link on which it has its share. Whoever is held at its greatest rate, or has
   * more than its share by a promise, has none.
   */
  public abstract Map<String, LinkId> bottlenecks();

  static FlowRates of(Map<String, DataRate> rates, Map<String, LinkId> bottlenecks) {
    return new AutoValue_FlowRates(
        Collections.unmodifiableMap(rates), Collections.unmodifiableMap(bottlenecks));
  }
}
