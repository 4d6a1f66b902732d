package org.paceline.control.scheme.elephant;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.paceline.allocator.elephant.IsolatedPaths;
import org.paceline.allocator.elephant.QueueSplit;
import org.paceline.allocator.elephant.QueueSplitRule;
import org.paceline.control.directive.Directive;
import org.paceline.control.directive.Queue;
import org.paceline.control.directive.QueueShares;
import org.paceline.control.directive.Route;
import org.paceline.control.inventory.Routes;
import org.paceline.control.model.Unserved;
import org.paceline.control.scheme.Decision;
import org.paceline.control.scheme.Observations;
import org.paceline.control.scheme.PortState;
import org.paceline.control.scheme.Scheme;
import org.paceline.control.scheme.Snapshot;
import org.paceline.control.scheme.WorstCaseGrant;
import org.paceline.control.settings.ElephantSettings;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/**
 * Leads each elephant where it hurts least ({@link IsolatedPaths}), in queues of its own whose
 * split follows the traffic ({@link QueueSplit}), and holds it to no rate. Yan et al. 2013 (HNTES).
 *
 * <p>What it is granted is its max-min fair share of what others leave: what plans reckon with. For
 * whom a circuit is booked it is no less than that ({@link Circuits}), and elephants that could
 * keep it from that are held to their shares ({@link CrowdedCircuits}). Whom no path keeps apart is
 * held to that share as all others are, and is told why. O(n (V + E) log V) for n elephants, and
 * the filling.
 */
public final class ElephantIsolationScheme implements Scheme {
  private final QueueSplitRule rule;

  public ElephantIsolationScheme(ElephantSettings settings) {
    this.rule = settings.split();
  }

  @Override
  public SchemeName name() {
    return SchemeName.ELEPHANT_ISOLATION;
  }

  @Override
  public Optional<Decision> decide(Snapshot snapshot) {
    long begin = System.nanoTime();
    Splits before = snapshot.before().map(ElephantIsolationScheme::memory).orElse(Splits.NONE);
    Circuits circuits = new Circuits(snapshot, before.circuits());
    Map<String, Path> apart = apart(snapshot, circuits);
    Map<String, Path> among = among(snapshot, apart);
    Map<LinkId, Long> limits = new HashMap<>();
    for (Link link : snapshot.routes().network().links()) {
      limits.put(link.id(), link.limitMillibits());
    }
    Map<String, DataRate> shares = circuits.shares(limits, apart, among);
    Map<String, Grant> held = grants(snapshot, among, shares);
    Splits splits = splits(snapshot, before, apart, held);
    ToLongFunction<LinkId> room = link -> room(snapshot, splits, limits, link);
    CrowdedCircuits crowded =
        CrowdedCircuits.of(circuits, apart, room, path -> reach(snapshot, path));
    Map<String, DataRate> rates = crowded.shares(limits, apart, among, shares);
    Map<String, Grant> isolated = grants(snapshot, apart, rates);
    return Optional.of(
        Decision.settled("elephant isolation", snapshot, begin)
            .isolating(name(), isolated, crowded.paced(), held, queues(snapshot, splits))
            .unserved(unserved(snapshot, apart, among))
            .remarks(remarks(held, circuits, crowded))
            .memory(splits.with(circuits.seated(apart, room)))
            .build());
  }

  /** More time finds nothing better. */
  @Override
  public boolean isWorthTheChange(Decision inForce, Decision fresh) {
    return false;
  }

  /** Whether a circuit begins to lend, or wants its own again. */
  @Override
  public boolean isMovedBy(Observations seen, Decision inForce) {
    return memory(inForce).circuits().isMovedBy(seen);
  }

  /**
   * Whether any port would be split otherwise, others can keep elephants apart than before, or one
   * that was passed over is freer now, so that a way along it may be the better one: what an
   * elephant sends before it is known counts as others', and would keep it off for ever.
   */
  @Override
  public boolean isMovedBy(Map<LinkId, PortState> ports, Decision inForce) {
    Splits splits = memory(inForce);
    return !able(ports).equals(splits.able())
        || splits.passedOver().entrySet().stream()
            .anyMatch(
                one ->
                    Optional.ofNullable(ports.get(one.getKey()))
                        .filter(port -> hurt(port) < one.getValue())
                        .isPresent())
        || splits.others().entrySet().stream()
            .anyMatch(
                one ->
                    Optional.ofNullable(ports.get(one.getKey()))
                        .filter(port -> QueueSplit.canDivide(port.capacity()))
                        .map(port -> split(port, splits.granted(one.getKey()), one.getValue()))
                        .filter(split -> !split.others().equals(one.getValue()))
                        .isPresent());
  }

  private static long others(PortState port) {
    return port.granted().plus(port.beside()).millibitsPerSecond();
  }

  private static long hurt(PortState port) {
    return IsolatedPaths.hurt(port.capacity(), others(port));
  }

  private static Set<LinkId> able(Map<LinkId, PortState> ports) {
    return ports.entrySet().stream()
        .filter(one -> one.getValue().canIsolate())
        .filter(one -> QueueSplit.canDivide(one.getValue().capacity()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  private QueueSplit split(PortState port, DataRate granted, DataRate before) {
    return QueueSplit.of(
        port.capacity(),
        QueueSplit.Need.of(granted, port.beside(), port.sent()),
        Optional.of(before),
        rule);
  }

  private static Splits memory(Decision decision) {
    return decision.memory() instanceof Splits ? (Splits) decision.memory() : Splits.NONE;
  }

  /**
   * The path of each who can be kept apart: circuits first, then those who are already. Whoever was
   * found while it ran keeps the path that it has, too, unless another is clearly better: each move
   * reorders packets.
   */
  private static Map<String, Path> apart(Snapshot snapshot, Circuits circuits) {
    Map<LinkId, PortState> ports = snapshot.ports();
    Set<LinkId> able = able(ports);
    List<Link> links = new ArrayList<>();
    Map<LinkId, Long> others = new HashMap<>();
    for (Link link : snapshot.routes().network().links()) {
      PortState port = ports.get(link.id());
      if (port != null && able.contains(link.id())) {
        links.add(link.withCapacity(port.capacity()));
        others.put(link.id(), others(port));
      }
    }
    IsolatedPaths choice =
        new IsolatedPaths(Network.of(snapshot.routes().network().nodes(), links), others);
    Map<String, Path> paths = snapshot.paths();
    Set<String> already = new HashSet<>();
    snapshot
        .before()
        .ifPresent(
            decision ->
                decision.directives().routes().values().stream()
                    .filter(Route::isApart)
                    .forEach(route -> already.add(route.conversation().toString())));
    List<Application> order = new ArrayList<>(snapshot.applications());
    order.sort(
        Comparator.comparingInt((Application application) -> circuits.turn(application.id()))
            .thenComparing(application -> !already.contains(application.id())));
    Map<String, Path> apart = new TreeMap<>();
    for (Application application : order) {
      String id = application.id();
      Optional<Path> before = Optional.ofNullable(paths.get(id));
      Optional<Path> seat =
          circuits.isBooked(id)
              ? choice.choose(
                  application.from(), application.to(), before, link -> circuits.fits(id, link))
              : Optional.empty();
      seat.ifPresent(path -> choice.take(path, circuits.take(id, path)));
      if (seat.isEmpty()) {
        seat = choice.choose(application.from(), application.to(), before, link -> true);
        seat.ifPresent(choice::take);
      }
      seat.ifPresent(path -> apart.put(id, path));
    }
    return apart;
  }

  /** What elephants have of a link: their queue's share of a divided port, else what is left. */
  private static long room(
      Snapshot snapshot, Splits splits, Map<LinkId, Long> limits, LinkId link) {
    long left = limits.getOrDefault(link, 0L);
    DataRate others = splits.others().get(link);
    PortState port = snapshot.ports().get(link);
    return others == null || port == null
        ? left
        : Math.min(left, port.capacity().millibitsPerSecond() - others.millibitsPerSecond());
  }

  /** What an elephant could send along a path, whatever it is granted. */
  private static long reach(Snapshot snapshot, Path path) {
    return path.hops().stream()
        .map(snapshot.ports()::get)
        .filter(Objects::nonNull)
        .mapToLong(port -> port.capacity().millibitsPerSecond())
        .min()
        .orElse(0);
  }

  /** The paths of the others of them, among everybody's packets. */
  private static Map<String, Path> among(Snapshot snapshot, Map<String, Path> apart) {
    Map<String, Path> among = new TreeMap<>();
    for (Application application : snapshot.applications()) {
      if (!apart.containsKey(application.id())) {
        snapshot
            .routes()
            .quickest(application.from(), application.to())
            .ifPresent(path -> among.put(application.id(), path));
      }
    }
    return among;
  }

  private static Map<String, Grant> grants(
      Snapshot snapshot, Map<String, Path> paths, Map<String, DataRate> rates) {
    Map<String, Grant> grants = new TreeMap<>();
    for (Application application : snapshot.applications()) {
      Optional.ofNullable(paths.get(application.id()))
          .ifPresent(
              path ->
                  grants.put(
                      application.id(),
                      WorstCaseGrant.of(
                          application,
                          Objects.requireNonNull(rates.get(application.id())),
                          path,
                          snapshot.routes().network())));
    }
    return grants;
  }

  /** Of each switch's port that elephants leave by. What others have not left them, others have. */
  private Splits splits(
      Snapshot snapshot, Splits before, Map<String, Path> apart, Map<String, Grant> held) {
    Map<LinkId, Long> among = new HashMap<>();
    held.values()
        .forEach(
            grant -> {
              long rate = grant.rate().times(grant.count()).millibitsPerSecond();
              grant.path().hops().forEach(hop -> among.merge(hop, rate, Long::sum));
            });
    Set<LinkId> crossed = new HashSet<>();
    apart.values().forEach(path -> crossed.addAll(path.hops()));
    Map<LinkId, DataRate> others = new HashMap<>();
    Map<LinkId, DataRate> granted = new HashMap<>();
    for (LinkId link : crossed) {
      PortState port = Objects.requireNonNull(snapshot.ports().get(link));
      if (port.takesQueues()) {
        DataRate theirs = granted(port, link, snapshot.routes(), among);
        granted.put(link, theirs);
        others.put(
            link, split(port, theirs, before.others().getOrDefault(link, DataRate.ZERO)).others());
      }
    }
    Set<LinkId> able = able(snapshot.ports());
    Map<LinkId, Long> passedOver = new HashMap<>();
    for (LinkId link : able) {
      if (!crossed.contains(link)) {
        passedOver.put(link, hurt(Objects.requireNonNull(snapshot.ports().get(link))));
      }
    }
    return new Splits(able, others, granted, passedOver, before.circuits());
  }

  private static DataRate granted(
      PortState port, LinkId link, Routes routes, Map<LinkId, Long> among) {
    long taken =
        routes
            .network()
            .link(link)
            .map(
                left -> left.withCapacity(port.capacity()).limitMillibits() - left.limitMillibits())
            .orElse(0L);
    return DataRate.ofMillibitsPerSecond(Math.max(0, taken) + among.getOrDefault(link, 0L));
  }

  private List<Queue> queues(Snapshot snapshot, Splits splits) {
    List<Queue> queues = new ArrayList<>();
    splits
        .others()
        .forEach(
            (link, others) -> {
              PortState port = Objects.requireNonNull(snapshot.ports().get(link));
              DataRate elephants =
                  DataRate.ofMillibitsPerSecond(
                      port.capacity().millibitsPerSecond() - others.millibitsPerSecond());
              queues.add(
                  Queue.of(
                      name(), Directive.Reason.ELEPHANTS, link, QueueShares.of(elephants, others)));
            });
    return queues;
  }

  private static Map<String, Unserved> unserved(
      Snapshot snapshot, Map<String, Path> apart, Map<String, Path> among) {
    Map<String, Unserved> unserved = new TreeMap<>();
    for (Application application : snapshot.applications()) {
      String id = application.id();
      if (!apart.containsKey(id)) {
        unserved.put(
            id,
            Unserved.of(
                among.containsKey(id) ? Unserved.Code.NOT_KEPT_APART : Unserved.Code.NO_PATH,
                application.from(),
                application.to()));
      }
    }
    return unserved;
  }

  private static List<String> remarks(
      Map<String, Grant> held, Circuits circuits, CrowdedCircuits crowded) {
    List<String> remarks = new ArrayList<>();
    if (!held.isEmpty()) {
      remarks.add(
          held.size()
              + " elephants are held to a rate, for no path has queues that keep them apart.");
    }
    if (!crowded.paced().isEmpty()) {
      remarks.add(
          crowded.paced().size()
              + " elephants are held to their grants, for they share links with circuits that are"
              + " booked.");
    }
    if (circuits.lending() > 0) {
      remarks.add(
          circuits.lending()
              + " circuits lend what they were promised, for their conversations send little.");
    }
    if (circuits.withoutSeat() > 0) {
      remarks.add(
          circuits.withoutSeat()
              + " elephants have no circuit though one is booked, for no path has room for it.");
    }
    return remarks;
  }
}
