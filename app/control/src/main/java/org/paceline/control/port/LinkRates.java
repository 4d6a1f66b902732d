package org.paceline.control.port;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.util.Map;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/** What links carry, all traffic together, by their switches' counters. */
public interface LinkRates {
  LinkRates UNKNOWN = () -> Map.of();

  /** The newest of each link that was read twice, and lately. Any thread may ask. */
  Map<LinkId, Reading> rates();

  /**
   * Of the same links, how many packets each dropped since its counters began: nobody has to look
   * at each reading to see all drops.
   */
  default Map<LinkId, Long> dropped() {
    return Map.of();
  }

  /** The mean between two readings of a link's counters. */
  @AutoValue
  abstract class Reading {
    public abstract DataRate rate();

    /** When the second one came. */
    public abstract Instant at();

    public static Reading of(DataRate rate, Instant at) {
      return new AutoValue_LinkRates_Reading(rate, at);
    }
  }
}
