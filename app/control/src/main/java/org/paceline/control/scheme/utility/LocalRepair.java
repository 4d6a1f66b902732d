package org.paceline.control.scheme.utility;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.paceline.control.inventory.Routes;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * The plan in force with as little changed as a changed network, or a few who came, call for: what
 * holds until a solver has an answer, or where it has run out of time.
 *
 * <p>Whoever is worth as much as before, on links that carry what is on them, keeps way and rate.
 * The others are seated anew in the room that is left: step by step of their tables, the worst off
 * first, until nobody gains by another. Where one of them finds no room for the least, those who
 * are in its way are seated anew as well. Nothing is certified. O(bins (hops + (V + E) log V)) for
 * each of them.
 */
final class LocalRepair {
  /** More than these would take as long as a solver. */
  private static final int FEW = 256;

  private final Network network;
  private final Routes routes;
  private final Map<LinkId, Long> loads = new HashMap<>();
  private final Map<String, Grant> seats = new HashMap<>();

  private LocalRepair(Network network) {
    this.network = network;
    this.routes = new Routes(network);
  }

  /** A grant for each; empty where there are too many to seat, or somebody has no seat. */
  static Optional<Map<String, Grant>> of(
      List<Application> applications, Map<String, Grant> before, Network network) {
    LocalRepair repair = new LocalRepair(network);
    applications.stream()
        .flatMap(application -> Optional.ofNullable(before.get(application.id())).stream())
        .forEach(repair::seat);
    List<Application> displaced = repair.displaced(applications);
    while (displaced.size() <= FEW) {
      Optional<Application> homeless = repair.seatEvenly(displaced, before);
      if (homeless.isEmpty()) {
        return Holdover.still(applications, repair.seats, network);
      }
      List<Application> makeRoom = repair.inTheWay(homeless.get(), applications);
      makeRoom.removeAll(displaced);
      if (makeRoom.isEmpty()) {
        break;
      }
      displaced.addAll(makeRoom);
      displaced.forEach(repair::unseat);
    }
    return Optional.empty();
  }

  /** Takes away the seats of all who lost theirs, or share a link that cannot carry all of them. */
  private List<Application> displaced(List<Application> applications) {
    List<Application> displaced =
        applications.stream().filter(a -> !isAsGood(a)).collect(Collectors.toList());
    displaced.forEach(this::unseat);
    List<Application> crowded =
        applications.stream().filter(this::isCrowded).collect(Collectors.toList());
    crowded.forEach(this::unseat);
    displaced.addAll(crowded);
    return displaced;
  }

  private boolean isAsGood(Application application) {
    return Optional.ofNullable(seats.get(application.id()))
        .filter(grant -> isThere(grant.path()))
        .flatMap(
            grant ->
                Holdover.again(application, grant, loads, network)
                    .filter(now -> now.utility().compareTo(grant.utility()) >= 0))
        .isPresent();
  }

  private boolean isThere(Path path) {
    return path.hops().stream().allMatch(hop -> network.link(hop).isPresent());
  }

  private boolean isCrowded(Application application) {
    return Optional.ofNullable(seats.get(application.id()))
        .filter(grant -> !hasRoom(grant.path(), 0))
        .isPresent();
  }

  /** Who has a seat on a link that has no room for the least that the homeless one can do with. */
  private List<Application> inTheWay(Application homeless, List<Application> applications) {
    long least = homeless.utilityFunction().throughput(0).millibitsPerSecond();
    Set<LinkId> full =
        routes.quickest(homeless.from(), homeless.to()).stream()
            .flatMap(way -> way.hops().stream())
            .filter(hop -> network.link(hop).filter(link -> hasRoom(link, least)).isEmpty())
            .collect(Collectors.toUnmodifiableSet());
    return applications.stream()
        .filter(
            application ->
                Optional.ofNullable(seats.get(application.id()))
                    .filter(seat -> seat.path().hops().stream().anyMatch(full::contains))
                    .isPresent())
        .collect(Collectors.toList());
  }

  /** Whoever has found no seat then. */
  private Optional<Application> seatEvenly(List<Application> displaced, Map<String, Grant> before) {
    PriorityQueue<Claim> open =
        new PriorityQueue<>(
            Comparator.<Claim, Boolean>comparing(claim -> claim.seat.isPresent())
                .thenComparing(Claim::utility)
                .thenComparing(claim -> claim.application.id()));
    for (Application application : displaced) {
      Claim claim = new Claim(application);
      claim.way =
          Optional.ofNullable(before.get(application.id())).map(Grant::path).filter(this::isThere);
      open.add(claim);
    }
    while (!open.isEmpty()) {
      Claim worstOff = open.remove();
      if (raise(worstOff)) {
        open.add(worstOff);
      } else if (worstOff.seat.isEmpty()) {
        return Optional.of(worstOff.application);
      }
    }
    return Optional.empty();
  }

  /** By the least step that is worth more, on its own way as long as there is one there. */
  private boolean raise(Claim claim) {
    unseat(claim.application);
    Optional<Grant> better =
        claim.seat.isEmpty()
            ? better(claim, true)
            : better(claim, false).or(() -> better(claim, true));
    better.ifPresent(
        grant -> {
          claim.seat = better;
          claim.way = Optional.of(grant.path());
        });
    claim.seat.ifPresent(this::seat);
    return better.isPresent();
  }

  /**
   * @param anywhere also on the quickest way that has room
   */
  private Optional<Grant> better(Claim claim, boolean anywhere) {
    UtilityFunction function = claim.application.utilityFunction();
    Optional<Path> quickest = Optional.empty();
    for (int bin = claim.bin(); bin < function.throughputBins(); bin++) {
      DataRate rate = function.throughput(bin);
      long more = rate.millibitsPerSecond();
      // Where there is room on what was the quickest with more room, it still is.
      if (anywhere && quickest.filter(way -> hasRoom(way, more)).isEmpty()) {
        quickest =
            routes.quickest(
                claim.application.from(), claim.application.to(), link -> hasRoom(link, more));
      }
      List<Path> ways =
          Stream.concat(claim.way.stream(), quickest.stream())
              .filter(way -> hasRoom(way, more))
              .collect(Collectors.toUnmodifiableList());
      if (ways.isEmpty()) {
        return Optional.empty();
      }
      Optional<Grant> best = claim.seat;
      for (Path way : ways) {
        Optional<Grant> was = best;
        best =
            offer(claim.application, rate, way)
                .filter(o -> was.filter(w -> w.utility().compareTo(o.utility()) >= 0).isEmpty())
                .or(() -> was);
      }
      if (!best.equals(claim.seat)) {
        return best;
      }
    }
    return Optional.empty();
  }

  private Optional<Grant> offer(Application application, DataRate rate, Path path) {
    Grant guess = Grant.of(application.id(), 1, rate, Latency.ZERO, Utility.MIN, path);
    add(guess, rate.millibitsPerSecond());
    Optional<Grant> offer = Holdover.again(application, guess, loads, network);
    add(guess, -rate.millibitsPerSecond());
    return offer;
  }

  private boolean hasRoom(Path path, long rate) {
    return path.hops().stream()
        .allMatch(hop -> network.link(hop).filter(link -> hasRoom(link, rate)).isPresent());
  }

  private boolean hasRoom(Link link, long rate) {
    return loads.getOrDefault(link.id(), 0L) + rate <= link.limitMillibits();
  }

  private void seat(Grant grant) {
    seats.put(grant.applicationId(), grant);
    add(grant, grant.rate().millibitsPerSecond());
  }

  private void unseat(Application application) {
    Optional.ofNullable(seats.remove(application.id()))
        .ifPresent(grant -> add(grant, -grant.rate().millibitsPerSecond()));
  }

  private void add(Grant grant, long rate) {
    grant.path().hops().forEach(hop -> loads.merge(hop, rate, Long::sum));
  }

  /** Of somebody who is to be seated anew. */
  private static final class Claim {
    final Application application;
    Optional<Path> way = Optional.empty();
    Optional<Grant> seat = Optional.empty();

    Claim(Application application) {
      this.application = application;
    }

    Utility utility() {
      return seat.map(Grant::utility).orElse(Utility.MIN);
    }

    int bin() {
      UtilityFunction function = application.utilityFunction();
      int bin = 0;
      while (seat.isPresent() && !function.throughput(bin).equals(seat.get().rate())) {
        bin++;
      }
      return bin;
    }
  }
}
