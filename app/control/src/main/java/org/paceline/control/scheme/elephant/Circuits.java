package org.paceline.control.scheme.elephant;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
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
 * whatever others want. Whoever had a seat by the decision before is seated first, so that a new
 * booking neither moves nor unseats it. Of one that was booked to be lent nothing is kept from
 * others while its conversation sends next to nothing. Belongs to one decision.
 */
final class Circuits {
  /** Whoever sends less than this part of its promise has no use for it. */
  private static final long LITTLE = 10;

  /**
   * Whoever sends less than this part of its turn among the elephants of a link wants no more: one
   * that wants more is given about its turn, though two may have to share one queue.
   */
  private static final long OF_ITS_TURN = 4;

  private final Map<String, ReservedRate> booked = new HashMap<>();
  private final SeatedCircuits before;
  private final Set<String> quiet;
  private final Network bookable;
  private final Map<LinkId, Long> loads = new HashMap<>();
  private final Map<LinkId, Long> kept = new HashMap<>();
  private final Set<String> seated = new LinkedHashSet<>();

  Circuits(Snapshot snapshot, SeatedCircuits before) {
    this.before = before;
    this.quiet = before.quietBy(snapshot.observations());
    snapshot.reservations().forEach((id, reserved) -> book(id, reserved));
    bookable =
        booked.isEmpty()
            ? snapshot.promisable().network()
            : PlannerSettings.scaled(
                snapshot.promisable().network(), ReservableNetwork.CIRCUIT_THOUSANDTHS);
  }

  private void book(String id, ReservedRate reserved) {
    if (!reserved.rate().equals(DataRate.ZERO)) {
      booked.put(id, reserved);
    }
  }

  boolean isBooked(String id) {
    return booked.containsKey(id);
  }

  /** When it is its turn to be seated: those in force first, as they were, then new bookings. */
  int turn(String id) {
    int place = isBooked(id) ? before.inOrder().indexOf(id) : -1;
    if (place >= 0) {
      return place;
    }
    return before.inOrder().size() + (isBooked(id) ? 0 : 1);
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
    seated.add(id);
    path.hops().forEach(hop -> loads.merge(hop, rate, Long::sum));
    if (!isLending(id)) {
      path.hops().forEach(hop -> kept.merge(hop, rate, Long::sum));
    }
    return rate;
  }

  private long rate(String id) {
    return Objects.requireNonNull(booked.get(id)).rate().millibitsPerSecond();
  }

  boolean isSeated(String id) {
    return seated.contains(id);
  }

  /** Whether others have what was promised to it, for it sends next to nothing. */
  boolean isLending(String id) {
    return isSeated(id) && quiet.contains(id) && Objects.requireNonNull(booked.get(id)).isLent();
  }

  long lending() {
    return seated.stream().filter(this::isLending).count();
  }

  /**
   * The links on which something is kept from others, and how much, in millibits per second: what
   * was promised there and is not lent.
   */
  Map<LinkId, Long> kept() {
    return kept;
  }

  /** How many have no seat, so that nothing is promised to them. */
  int withoutSeat() {
    return booked.size() - seated.size();
  }

  /** The max-min fair share of each, and no less than its promise for those with a seat. */
  Map<String, DataRate> shares(
      Map<LinkId, Long> limits, Map<String, Path> apart, Map<String, Path> among) {
    List<WeightedFlow> flows = new ArrayList<>();
    apart.forEach((id, path) -> flows.add(promised(id, path)));
    among.forEach((id, path) -> flows.add(WeightedFlow.builder(id, path.hops()).build()));
    return WeightedFilling.fill(limits, flows).rates();
  }

  /** Those that are kept apart, with what is kept for them. Whoever lends wants a little. */
  List<WeightedFlow> flows(Map<String, Path> apart) {
    List<WeightedFlow> flows = new ArrayList<>();
    apart.forEach(
        (id, path) ->
            flows.add(
                isLending(id)
                    ? WeightedFlow.builder(id, path.hops())
                        .most(Objects.requireNonNull(before.awakeFrom().get(id)))
                        .build()
                    : promised(id, path)));
    return flows;
  }

  private WeightedFlow promised(String id, Path path) {
    return WeightedFlow.builder(id, path.hops())
        .least(isSeated(id) ? DataRate.ofMillibitsPerSecond(rate(id)) : DataRate.ZERO)
        .build();
  }

  /**
   * For the next decision.
   *
   * @param room what elephants have of each link, in millibits per second
   */
  SeatedCircuits seated(Map<String, Path> apart, ToLongFunction<LinkId> room) {
    Map<LinkId, Integer> crossing = new HashMap<>();
    apart
        .values()
        .forEach(path -> path.hops().forEach(hop -> crossing.merge(hop, 1, Math::addExact)));
    Map<String, DataRate> awakeFrom = new HashMap<>();
    for (String id : seated) {
      if (Objects.requireNonNull(booked.get(id)).isLent()) {
        long turn =
            Objects.requireNonNull(apart.get(id)).hops().stream()
                .mapToLong(hop -> room.applyAsLong(hop) / crossing.getOrDefault(hop, 1))
                .min()
                .orElse(0);
        awakeFrom.put(
            id,
            DataRate.ofMillibitsPerSecond(
                Math.max(0, Math.min(rate(id) / LITTLE, turn / OF_ITS_TURN))));
      }
    }
    return new SeatedCircuits(
        new ArrayList<>(seated),
        awakeFrom,
        seated.stream().filter(this::isLending).collect(Collectors.toUnmodifiableSet()));
  }
}
