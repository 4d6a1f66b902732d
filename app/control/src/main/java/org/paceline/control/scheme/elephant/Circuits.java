package org.paceline.control.scheme.elephant;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.paceline.allocator.maxmin.WeightedFilling;
import org.paceline.allocator.maxmin.WeightedFlow;
import org.paceline.control.scheme.ReservableNetwork;
import org.paceline.control.scheme.ReservedRate;
import org.paceline.control.scheme.Snapshot;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.unit.DataRate;

/**
 * The elephants that have a circuit: a reservation promises them a least rate. Each has a seat on a
 * path where its rate fits beside those seated before it, within what the scheme has of each link
 * whatever others want. Belongs to one decision.
 */
final class Circuits {
  private final Map<String, DataRate> booked = new HashMap<>();
  private final Network bookable;
  private final Map<LinkId, Long> loads = new HashMap<>();
  private final Set<String> seated = new HashSet<>();

  Circuits(Snapshot snapshot) {
    snapshot.reservations().forEach((id, reserved) -> book(id, reserved));
    bookable =
        booked.isEmpty()
            ? snapshot.promisable().network()
            : PlannerSettings.scaled(
                snapshot.promisable().network(), ReservableNetwork.CIRCUIT_THOUSANDTHS);
  }

  private void book(String id, ReservedRate reserved) {
    if (!reserved.rate().equals(DataRate.ZERO)) {
      booked.put(id, reserved.rate());
    }
  }

  boolean isBooked(String id) {
    return booked.containsKey(id);
  }

  /** Whether the rate of one that is booked fits on the link beside those that have a seat. */
  boolean fits(String id, Link link) {
    long limit = bookable.link(link.id()).map(Link::limitMillibits).orElse(0L);
    return loads.getOrDefault(link.id(), 0L) + rate(id) <= limit;
  }

  /**
   * It has its seat on this path.
   *
   * @return its rate, in millibits per second
   */
  long take(String id, Path path) {
    long rate = rate(id);
    path.hops().forEach(hop -> loads.merge(hop, rate, Long::sum));
    seated.add(id);
    return rate;
  }

  private long rate(String id) {
    return Objects.requireNonNull(booked.get(id)).millibitsPerSecond();
  }

  boolean isSeated(String id) {
    return seated.contains(id);
  }

  /** The links on which something is promised, and how much, in millibits per second. */
  Map<LinkId, Long> loads() {
    return loads;
  }

  /** How many have no seat, so that nothing is promised to them. */
  int withoutSeat() {
    return booked.size() - seated.size();
  }

  /** The max-min fair share of each, and no less than its promise for those with a seat. */
  Map<String, DataRate> shares(
      Map<LinkId, Long> limits, Map<String, Path> apart, Map<String, Path> among) {
    List<WeightedFlow> flows = flows(apart);
    among.forEach((id, path) -> flows.add(WeightedFlow.builder(id, path.hops()).build()));
    return WeightedFilling.fill(limits, flows).rates();
  }

  /** Those that are kept apart, with what is promised to them. */
  List<WeightedFlow> flows(Map<String, Path> apart) {
    List<WeightedFlow> flows = new ArrayList<>();
    apart.forEach(
        (id, path) ->
            flows.add(
                WeightedFlow.builder(id, path.hops())
                    .least(isSeated(id) ? DataRate.ofMillibitsPerSecond(rate(id)) : DataRate.ZERO)
                    .build()));
    return flows;
  }
}
