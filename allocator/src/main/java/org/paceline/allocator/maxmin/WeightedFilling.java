package org.paceline.allocator.maxmin;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/**
 * Weighted max-min fair rates on a network, between what each flow was promised and what it can
 * use: all rates grow together, each in proportion to its weight, until a link of the flow is full
 * or it has the most that it can use. On one link this is theorem 1 of Aljoby et al. 2021 for
 * weights w_s^(1/alpha); on more, flows with the same bottleneck stand in the ratio of their
 * weights, and what a flow held back elsewhere leaves is shared by the others. Bertsekas and
 * Gallager, Data Networks (1992), 6.5.2.
 *
 * <p>The level t is the rate of weight 1. It never falls: a link's level is what it has left over
 * the weights that still grow on it, and whoever is settled at or below t leaves at least as much
 * to each of the others. So the lowest of all link levels is final. Rates are rounded down and
 * never exceed what is left, so that sums are within each link exactly. O((L + n) L + n log n + L
 * H) for L links and n flows with H hops together, less where few flows end at their most.
 */
public final class WeightedFilling {
  private final List<Sharer> sharers = new ArrayList<>();
  private final Map<LinkId, Room> rooms = new TreeMap<>();

  private WeightedFilling() {}

  /** What one link has, in millibits per second. */
  private static final class Room {
    final LinkId id;
    final long whole;
    final List<Sharer> sharers = new ArrayList<>();
    private long left;
    private double level;
    private boolean isLevelKnown;

    Room(LinkId id, long whole) {
      this.id = id;
      this.whole = whole;
      this.left = whole;
    }

    void take(long rate) {
      left -= rate;
      isLevelKnown = false;
    }

    /** Infinite where nobody grows on it any more. Summed anew, for differences would drift. */
    double level() {
      if (!isLevelKnown) {
        double weights = 0;
        for (Sharer sharer : sharers) {
          weights += sharer.state == State.GROWING ? sharer.flow.weight() : 0;
        }
        level = weights == 0 ? Double.POSITIVE_INFINITY : left / weights;
        isLevelKnown = true;
      }
      return level;
    }
  }

  private enum State {
    /** Has what it was promised, which is more than its share yet. */
    PROMISED,
    GROWING,
    SETTLED
  }

  private static final class Sharer {
    final WeightedFlow flow;
    final List<Room> path = new ArrayList<>();
    long least;
    long rate;
    State state = State.GROWING;

    Sharer(WeightedFlow flow) {
      this.flow = flow;
      this.least = flow.least().millibitsPerSecond();
    }

    /** From which level on its share is more than it was promised. */
    double promisedTo() {
      return least / flow.weight();
    }

    /** At which level it has the most that it can use. */
    double mostAt() {
      return flow.most().millibitsPerSecond() / flow.weight();
    }

    /** From now on has this much of each link of its path, and no more than there is. */
    void keep(State then, double wanted) {
      long most = (long) wanted;
      for (Room room : path) {
        most = Math.min(most, room.left);
      }
      rate = most;
      state = then;
      path.forEach(room -> room.take(rate));
    }

    void grow() {
      state = State.GROWING;
      path.forEach(room -> room.take(-rate));
      rate = 0;
    }
  }

  /**
   * @param limits what each link carries, in millibits per second; a link that is missing carries
   *     nothing
   * @param flows each with an id of its own, in the order in which equals come
   */
  public static FlowRates fill(Map<LinkId, Long> limits, List<WeightedFlow> flows) {
    WeightedFilling filling = new WeightedFilling();
    for (WeightedFlow flow : flows) {
      filling.add(flow, limits);
    }
    filling.keepPromises();
    return filling.grow();
  }

  private void add(WeightedFlow flow, Map<LinkId, Long> limits) {
    Sharer sharer = new Sharer(flow);
    sharers.add(sharer);
    for (LinkId link : flow.links()) {
      Room room = rooms.computeIfAbsent(link, id -> new Room(id, limits.getOrDefault(id, 0L)));
      room.sharers.add(sharer);
      sharer.path.add(room);
    }
  }

  /** Where promises do not fit, which admission is to prevent, all of a link shrink alike. */
  private void keepPromises() {
    Map<LinkId, Double> fits = new HashMap<>();
    for (Room room : rooms.values()) {
      double promised = room.sharers.stream().mapToDouble(sharer -> sharer.least).sum();
      fits.put(room.id, promised <= room.whole ? 1 : room.whole / promised);
    }
    for (Sharer sharer : sharers) {
      if (sharer.least > 0) {
        double part =
            sharer.path.stream()
                .mapToDouble(room -> fits.getOrDefault(room.id, 1.0))
                .min()
                .orElse(1);
        sharer.least = part < 1 ? (long) (sharer.least * part) : sharer.least;
        sharer.keep(State.PROMISED, sharer.least);
      }
    }
  }

  private FlowRates grow() {
    Deque<Sharer> byMost =
        sharers.stream()
            .sorted(Comparator.comparingDouble(Sharer::mostAt).thenComparing(s -> s.flow.id()))
            .collect(Collectors.toCollection(ArrayDeque::new));
    Deque<Sharer> byPromise =
        sharers.stream()
            .filter(sharer -> sharer.state == State.PROMISED)
            .sorted(Comparator.comparingDouble(Sharer::promisedTo).thenComparing(s -> s.flow.id()))
            .collect(Collectors.toCollection(ArrayDeque::new));
    Map<String, LinkId> bottlenecks = new TreeMap<>();
    for (Optional<Room> next = lowest();
        next.isPresent() || !byPromise.isEmpty();
        next = lowest()) {
      double full = next.map(Room::level).orElse(Double.POSITIVE_INFINITY);
      double promised =
          byPromise.isEmpty() ? Double.POSITIVE_INFINITY : byPromise.element().promisedTo();
      if (settleWhoHasTheMost(byMost, Math.min(full, promised))) {
        continue;
      }
      if (promised < full) {
        Sharer woken = byPromise.remove();
        if (woken.state == State.PROMISED) {
          woken.grow();
        }
      } else if (next.isPresent()) {
        settle(next.get(), full, bottlenecks);
      } else {
        break;
      }
    }
    Map<String, DataRate> rates = new TreeMap<>();
    for (Sharer sharer : sharers) {
      rates.put(sharer.flow.id(), DataRate.ofMillibitsPerSecond(sharer.rate));
    }
    return FlowRates.of(rates, bottlenecks);
  }

  /** The link that is full first; among equals the first by name. */
  private Optional<Room> lowest() {
    return rooms.values().stream()
        .filter(room -> room.level() < Double.POSITIVE_INFINITY)
        .min(Comparator.comparingDouble(Room::level));
  }

  /**
   * Those who have all that they can use before the level is reached; whether any grew till then.
   */
  private static boolean settleWhoHasTheMost(Deque<Sharer> byMost, double level) {
    boolean any = false;
    while (!byMost.isEmpty() && byMost.element().mostAt() <= level) {
      Sharer first = byMost.remove();
      if (first.state == State.GROWING) {
        first.keep(State.SETTLED, first.flow.most().millibitsPerSecond());
        any = true;
      } else {
        // Was promised just the most that it can use, and has it.
        first.state = State.SETTLED;
      }
    }
    return any;
  }

  /** The link is full: whoever grows on it has its share, and promises stay what they are. */
  private static void settle(Room full, double level, Map<String, LinkId> bottlenecks) {
    for (Sharer sharer : full.sharers) {
      if (sharer.state == State.GROWING) {
        sharer.keep(State.SETTLED, Math.max(sharer.least, sharer.flow.weight() * level));
        bottlenecks.put(sharer.flow.id(), full.id);
      } else {
        sharer.state = State.SETTLED;
      }
    }
  }
}
