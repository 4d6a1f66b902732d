package org.paceline.control.planning;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.paceline.control.model.Proof;
import org.paceline.intents.unit.DataRate;

/**
 * What conversations reach, averaged over periods: x &lt;- delta x + (1 - delta) of the last
 * period's rate. Aljoby et al. 2021, section III-A 2.
 *
 * <p>A conversation that uses its rate fully is held back by that rate and not by its path, so its
 * throughput does not tell what it could reach. It is left out until it leaves some of its rate.
 */
final class ThroughputAverages {
  private static final double MILLIBITS_PER_KILOBIT = 1e6;

  private final Map<String, Reading> readings = new HashMap<>();
  private Map<String, DataRate> averages = Map.of();

  /** By application id; whole kilobits, so that noise changes no rates. */
  Map<String, DataRate> now() {
    return averages;
  }

  void clear() {
    readings.clear();
    averages = Map.of();
  }

  /**
   * A period is over.
   *
   * @param delta how much of the average before stays, from 0 to 1
   */
  void measure(Collection<Proof> proofs, double delta) {
    Map<String, DataRate> reached = new HashMap<>();
    Set<String> here = new HashSet<>();
    for (Proof proof : proofs) {
      String id = proof.conversation().id().toString();
      CounterReading.of(proof)
          .ifPresent(
              counted -> {
                Reading now = new Reading(counted);
                Reading before = readings.put(id, now);
                if (before != null) {
                  now.follow(before, delta);
                }
                here.add(id);
                now.reached().ifPresent(rate -> reached.put(id, rate));
              });
    }
    readings.keySet().retainAll(here);
    averages = Map.copyOf(reached);
  }

  /** The counters of a conversation at the end of a period, and its average by then. */
  private static final class Reading {
    private final CounterReading counted;
    private Optional<Double> average = Optional.empty();
    private boolean isHeldBack;

    Reading(CounterReading counted) {
      this.counted = counted;
    }

    /** Without new counters, or where they began anew, what was known before stays. */
    void follow(Reading before, double delta) {
      average = before.average;
      isHeldBack = before.isHeldBack;
      counted
          .rateSince(before.counted)
          .ifPresent(
              rate -> {
                average =
                    Optional.of(average.map(was -> delta * was + (1 - delta) * rate).orElse(rate));
                isHeldBack = counted.isHeldBack(before.counted, rate);
              });
    }

    Optional<DataRate> reached() {
      return average
          .filter(rate -> !isHeldBack)
          .map(rate -> DataRate.ofKilobitsPerSecond(Math.round(rate / MILLIBITS_PER_KILOBIT)));
    }
  }
}
