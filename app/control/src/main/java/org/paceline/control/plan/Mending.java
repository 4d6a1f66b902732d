package org.paceline.control.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
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
 * The plan in force with as little changed as a changed network, or a few who came, call for. It is
 * for when a solver has run out of time: what that has found by then may be next to nothing.
 *
 * <p>Whoever is worth as much as before keeps way and rate; the others are seated one by one, each
 * where it is worth most to itself. Nothing is certified. O(few bins (V + E) log V).
 */
final class Mending {
  /** Seated one by one, more than these would take as long as a solver. */
  private static final int FEW = 32;

  private final Network network;
  private final Routes idle;
  private final Map<LinkId, Long> loads = new HashMap<>();
  private final Map<String, Grant> seats = new HashMap<>();

  private Mending(Network network) {
    this.network = network;
    this.idle = new Routes(network);
  }

  /** A grant for each; empty where links cannot carry what is kept, or somebody has no seat. */
  static Optional<Map<String, Grant>> of(
      List<Application> applications, Map<String, Grant> before, Network network) {
    Mending mending = new Mending(network);
    applications.stream()
        .flatMap(application -> Optional.ofNullable(before.get(application.id())).stream())
        .forEach(mending::seat);
    List<Application> displaced =
        applications.stream()
            .filter(application -> !mending.isAsGood(application))
            .collect(Collectors.toList());
    displaced.forEach(mending::unseat);
    return displaced.size() <= FEW && displaced.stream().allMatch(mending::seatAtBest)
        ? Holdover.still(applications, mending.seats, network)
        : Optional.empty();
  }

  private boolean isAsGood(Application application) {
    return Optional.ofNullable(seats.get(application.id()))
        .filter(grant -> grant.path().hops().stream().allMatch(h -> network.link(h).isPresent()))
        .flatMap(
            grant ->
                Holdover.again(application, grant, loads, network)
                    .filter(now -> now.utility().compareTo(grant.utility()) >= 0))
        .isPresent();
  }

  private boolean seatAtBest(Application application) {
    UtilityFunction function = application.utilityFunction();
    Optional<Path> quickest = idle.quickest(application.from(), application.to());
    List<Grant> offers = new ArrayList<>();
    boolean more = quickest.isPresent();
    for (int bin = function.throughputBins() - 1; more && bin >= 0; bin--) {
      DataRate rate = function.throughput(bin);
      Optional<Path> way =
          new Routes(withRoomFor(rate.millibitsPerSecond()))
              .quickest(application.from(), application.to());
      way.flatMap(path -> offer(application, rate, path)).ifPresent(offers::add);
      // Less of it is worth no more.
      more = !way.equals(quickest);
    }
    offers.stream().max(Comparator.comparing(Grant::utility)).ifPresent(this::seat);
    return !offers.isEmpty();
  }

  private Optional<Grant> offer(Application application, DataRate rate, Path path) {
    Grant guess = Grant.of(application.id(), 1, rate, Latency.ZERO, Utility.MIN, path);
    add(guess, rate.millibitsPerSecond());
    Optional<Grant> offer = Holdover.again(application, guess, loads, network);
    add(guess, -rate.millibitsPerSecond());
    return offer;
  }

  private Network withRoomFor(long rate) {
    return Network.of(
        network.nodes(),
        network.links().stream()
            .filter(link -> loads.getOrDefault(link.id(), 0L) + rate <= link.limitMillibits())
            .collect(Collectors.toList()));
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
}
