package org.paceline.allocator.incremental;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.paceline.allocator.path.CheapestPaths;
import org.paceline.allocator.path.Topology;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;

/**
 * Who sits where, at frozen prices: loads, the sum, and the bound, kept up to date by the event.
 */
final class Seating {
  /** In billionths of utility for a millibit per second: nothing is worth as much. */
  private static final double ABSURD = 1e12;

  private final Topology idle;
  private final Map<LinkId, Integer> numbers = new HashMap<>();
  private final double[] prices;
  private final long[] limits;
  private final long[] loads;
  private final List<List<Seat>> seatsByLink = new ArrayList<>();
  private final Map<String, Party> parties = new HashMap<>();

  /** The applications of all parties: copied as a whole when a solve begins. */
  private final ArrayList<Application> present = new ArrayList<>();

  private final Menus menus;
  private double bound;
  private long sum;

  /**
   * @param problem what the solution solves
   * @param network its network, with the links that were lost
   */
  Seating(Problem problem, Network network, Solution solution) {
    this.idle = Topology.whenIdle(network);
    Certificate certificate = solution.certificate();
    this.prices = new double[idle.links()];
    this.limits = new long[idle.links()];
    this.loads = new long[idle.links()];
    for (int e = 0; e < prices.length; e++) {
      numbers.put(idle.id(e), e);
      prices[e] = certificate.prices().getOrDefault(idle.id(e), 0.0);
      limits[e] = idle.limit(e);
      bound += prices[e] * limits[e];
      seatsByLink.add(new ArrayList<>());
    }
    priceLost();
    long floor = solution.theta1().billionths() - problem.epsilonBillionths();
    this.menus = new Menus(idle, Topology.whenFull(network), prices, floor);
    Map<String, Application> byId = new HashMap<>();
    problem.applications().forEach(a -> byId.put(a.id(), a));
    for (Grant grant : solution.grants()) {
      Application application = byId.get(grant.applicationId());
      if (application == null) {
        throw new IllegalArgumentException(
            "The solution grants to (" + grant.applicationId() + "), who is not in the problem.");
      }
      Menu menu = menu(application);
      int[] hops =
          grant.path().hops().stream().mapToInt(h -> numbers.getOrDefault(h, -1)).toArray();
      Way way =
          menu.add(hops)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "The path ("
                              + grant.path()
                              + ") of ("
                              + grant.applicationId()
                              + ") is too slow once its links are full. Maybe solve with the network"
                              + " method."));
      Seat seat = new Seat(application, grant.count(), menu, way);
      enter(seat);
      sit(seat, way, way.steps.stairs().firstAtLeast(grant.utility().billionths()));
    }
  }

  /**
   * A lost link costs what the cheapest way around costs: it adds nothing to the bound while it has
   * no capacity, and makes nobody's term greater than it is without the link.
   */
  private void priceLost() {
    List<Integer> lost =
        IntStream.range(0, limits.length)
            .filter(e -> limits[e] == 0)
            .boxed()
            .collect(Collectors.toList());
    lost.forEach(e -> prices[e] = ABSURD);
    Map<Integer, Double> detours = new HashMap<>();
    for (int e : lost) {
      new CheapestPaths(idle)
          .from(idle.from(e), prices, Long.MAX_VALUE / 4).get(idle.to(e)).stream()
              .mapToDouble(CheapestPaths.Label::price)
              .filter(price -> price < ABSURD)
              .min()
              .ifPresent(price -> detours.put(e, price));
    }
    lost.forEach(e -> prices[e] = detours.getOrDefault(e, ABSURD));
  }

  Menu menu(Application application) {
    return menus.of(application);
  }

  Topology topology() {
    return idle;
  }

  int number(LinkId link) {
    Integer number = numbers.get(link);
    if (number == null) {
      throw new IllegalArgumentException(
          "There is no link (" + link + "). Maybe the network gained it: then solve anew.");
    }
    return number;
  }

  double price(int link) {
    return prices[link];
  }

  long limit(int link) {
    return limits[link];
  }

  long load(int link) {
    return loads[link];
  }

  /** Negative where more is there than can be carried, until somebody has moved. */
  long room(int link) {
    return limits[link] - loads[link];
  }

  long sum() {
    return sum;
  }

  /** No allocation of those who are here has a greater sum at the floor, in billionths. */
  double bound() {
    return bound;
  }

  List<Seat> seatsOn(int link) {
    return seatsByLink.get(link);
  }

  Map<String, Party> parties() {
    return parties;
  }

  List<Seat> seatsOf(String id) {
    Party party = parties.get(id);
    return party == null ? List.of() : party.seats;
  }

  /** Those who are here now, in no order. */
  List<Application> present() {
    return new ArrayList<>(present);
  }

  /** The bound knows of the seat from now on. */
  void enter(Seat seat) {
    Party party = parties.get(seat.application.id());
    if (party == null) {
      party = new Party(seat.application, present.size());
      parties.put(seat.application.id(), party);
      present.add(seat.application);
    }
    party.seats.add(seat);
    bound += seat.menu.worth() * seat.count;
  }

  void leave(String id) {
    Party party = parties.remove(id);
    if (party == null) {
      return;
    }
    for (Seat seat : party.seats) {
      rise(seat);
      bound -= seat.menu.worth() * seat.count;
    }
    Application last = present.remove(present.size() - 1);
    if (last != party.application) {
      present.set(party.place, last);
      Party moved = parties.get(last.id());
      if (moved != null) {
        moved.place = party.place;
      }
    }
  }

  void sit(Seat seat, Way way, int step) {
    rise(seat);
    seat.way = way;
    seat.step = step;
    int[] hops = way.path;
    seat.places = new int[hops.length];
    long load = seat.rate() * seat.count;
    for (int i = 0; i < hops.length; i++) {
      loads[hops[i]] += load;
      List<Seat> list = seatsByLink.get(hops[i]);
      seat.places[i] = list.size();
      list.add(seat);
    }
    sum += seat.utility() * seat.count;
  }

  void rise(Seat seat) {
    if (!seat.isSeated()) {
      return;
    }
    int[] hops = seat.way.path;
    long load = seat.rate() * seat.count;
    for (int i = 0; i < hops.length; i++) {
      int e = hops[i];
      loads[e] -= load;
      List<Seat> list = seatsByLink.get(e);
      Seat last = list.remove(list.size() - 1);
      if (last != seat) {
        list.set(seat.places[i], last);
        int[] others = last.way.path;
        for (int k = 0; k < others.length; k++) {
          last.places[k] = others[k] == e ? seat.places[i] : last.places[k];
        }
      }
    }
    sum -= seat.utility() * seat.count;
    seat.rise();
  }

  /** Moves a seat to another step of its path. */
  void step(Seat seat, int step) {
    long before = seat.rate() * seat.count;
    sum -= seat.utility() * seat.count;
    seat.step = step;
    long more = seat.rate() * seat.count - before;
    for (int e : seat.way.path) {
      loads[e] += more;
    }
    sum += seat.utility() * seat.count;
  }

  /** What each copy of the seat could have on the path. */
  long room(Seat seat, Way way) {
    long room = Long.MAX_VALUE;
    for (int e : way.path) {
      room = Math.min(room, limits[e] - loads[e]);
    }
    return Math.floorDiv(room, seat.count);
  }

  void limit(int link, long limit) {
    bound += prices[link] * (limit - limits[link]);
    limits[link] = limit;
  }
}
