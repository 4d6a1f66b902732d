package org.paceline.control.scheme.elephant;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.paceline.allocator.reservation.Observation;
import org.paceline.control.scheme.Observations;
import org.paceline.intents.unit.DataRate;

/**
 * The circuits of one decision, for the next: which come first, and which lend what they were
 * promised because their conversations send next to nothing.
 */
final class SeatedCircuits {
  static final SeatedCircuits NONE = new SeatedCircuits(List.of(), Map.of(), Set.of());

  /** A pause between two files is none in which rates of others should change twice. */
  private static final int QUIET_PERIODS = 2;

  private final List<String> inOrder;
  private final Map<String, DataRate> awakeFrom;
  private final Set<String> quiet;

  /**
   * @param inOrder who had a seat, in the order of seating
   * @param awakeFrom what those that may lend send at least while they are in use
   * @param quiet who of these lent
   */
  SeatedCircuits(List<String> inOrder, Map<String, DataRate> awakeFrom, Set<String> quiet) {
    this.inOrder = List.copyOf(inOrder);
    this.awakeFrom = Map.copyOf(awakeFrom);
    this.quiet = Set.copyOf(quiet);
  }

  List<String> inOrder() {
    return inOrder;
  }

  Map<String, DataRate> awakeFrom() {
    return awakeFrom;
  }

  /** Whether others lend or have back than by the decision that this is of. */
  boolean isMovedBy(Observations seen) {
    return !quietBy(seen).equals(quiet);
  }

  /** Who lends by what was seen since. Nobody does whom nobody counts. */
  Set<String> quietBy(Observations seen) {
    return awakeFrom.keySet().stream()
        .filter(id -> isQuiet(id, seen))
        .collect(Collectors.toUnmodifiableSet());
  }

  private boolean isQuiet(String id, Observations seen) {
    Observation of = seen.seen().get(id);
    DataRate least = awakeFrom.getOrDefault(id, DataRate.ZERO);
    int periods = quiet.contains(id) ? 1 : QUIET_PERIODS;
    return of != null
        && of.sent().size() >= periods
        && of.sent().subList(0, periods).stream().allMatch(rate -> rate.compareTo(least) < 0);
  }
}
