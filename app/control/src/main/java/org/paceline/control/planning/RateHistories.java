package org.paceline.control.planning;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.paceline.allocator.reservation.Observation;
import org.paceline.control.model.Proof;
import org.paceline.control.scheme.Observations;
import org.paceline.intents.unit.DataRate;

/** What conversations sent in each of the last periods, as adaptive reservations go by it. */
final class RateHistories {
  /** More than the scheme looks at is of no use. */
  private static final int KEPT = 4;

  /** So little that a meter drops by chance, of who sends no more than its rate. */
  private static final double NOISE = 0.005;

  /**
   * Of so many parts a period has meters are seen in each: a switch says at any moment what they
   * have counted, and what they drop says at once who wants more. Agents say once a second what
   * they have paced, and a window that is shorter than a period would be noise.
   */
  static final int PARTS = 2;

  private final Map<String, CounterReading> readings = new HashMap<>();

  /** In which part of which period, as these are counted. */
  private final Map<String, Long> readIn = new HashMap<>();

  private final Map<String, Observation> seen = new HashMap<>();
  private Observations now = Observations.NONE;

  Observations now() {
    return now;
  }

  /** Nobody goes by it for a while. Periods go on counting, so that none is taken for another. */
  void clear() {
    readings.clear();
    readIn.clear();
    seen.clear();
    now = Observations.of(now.period(), Map.of());
  }

  /** A part of a period is over. Of whom nothing new was counted, nothing new is known. */
  void measure(Collection<Proof> proofs) {
    Set<String> here = new HashSet<>();
    Map<String, Observation> fresh = new HashMap<>();
    for (Proof proof : proofs) {
      String id = proof.conversation().id().toString();
      CounterReading.of(proof)
          .ifPresent(
              counted -> {
                here.add(id);
                if (isDue(id, proof)) {
                  readIn.put(id, now.period());
                  Optional.ofNullable(readings.put(id, counted))
                      .ifPresent(before -> follow(id, before, counted));
                  Optional.ofNullable(seen.get(id)).ifPresent(known -> fresh.put(id, known));
                }
              });
    }
    readings.keySet().retainAll(here);
    readIn.keySet().retainAll(here);
    seen.keySet().retainAll(here);
    now = Observations.of(now.period() + 1, fresh);
  }

  private boolean isDue(String id, Proof proof) {
    return proof.conversation().isMetered()
        || Optional.ofNullable(readIn.get(id))
            .filter(last -> now.period() - last < PARTS)
            .isEmpty();
  }

  private void follow(String id, CounterReading before, CounterReading counted) {
    Optional<Double> rate = counted.rateSince(before);
    if (rate.isEmpty()) {
      seen.remove(id);
      return;
    }
    List<DataRate> sent = new ArrayList<>();
    sent.add(DataRate.ofMillibitsPerSecond(Math.round(rate.get())));
    Optional.ofNullable(seen.get(id))
        .ifPresent(
            known -> sent.addAll(known.sent().subList(0, Math.min(KEPT - 1, known.sent().size()))));
    Optional<Double> dropped = counted.droppedSince(before);
    seen.put(
        id,
        Observation.of(
            counted.heldSince(before),
            sent,
            dropped
                .map(part -> part > NOISE)
                .orElseGet(() -> counted.isHeldBack(before, rate.get())),
            dropped.map(
                part -> DataRate.ofMillibitsPerSecond(Math.round(rate.get() / (1 - part))))));
  }
}
