package org.paceline.control.scheme;

import com.google.auto.value.AutoValue;
import java.util.Map;
import org.paceline.allocator.reservation.Observation;

/** What was seen of conversations up to the end of a period. */
@AutoValue
public abstract class Observations {
  public static final Observations NONE = of(0, Map.of());

  /** Counts periods, so that nobody takes one for two. */
  public abstract long period();

  /** By application id, of those that were counted. */
  public abstract Map<String, Observation> seen();

  public static Observations of(long period, Map<String, Observation> seen) {
    return new AutoValue_Observations(period, Map.copyOf(seen));
  }
}
