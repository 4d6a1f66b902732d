package org.paceline.control.scheme.elephant;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.paceline.allocator.maxmin.WeightedFilling;
import org.paceline.allocator.maxmin.WeightedFlow;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;
import org.paceline.intents.unit.DataRate;

/**
 * The links where others could take from a circuit what it was promised, and whom that needs to be
 * held to a rate. Elephants of one port are served in turn, each as much as the next, so a queue
 * that they fill together keeps no promise. Held to shares that fit beside the promises, they do
 * not fill it.
 *
 * <p>An elephant reaches the least capacity on its path. Where all that cross a link reach no more
 * together than elephants have of it, none is held. Else all are held, but for a circuit that is
 * the only one there: what others leave is its own. A circuit that lends counts for nothing and is
 * never held, so that it shows when it wants its own again. O(h l) for h hops of all paths and the
 * longest path l, and the filling.
 */
final class CrowdedCircuits {
  private static final long THOUSAND = 1_000;

  /**
   * What shares leave of a crowded link, in thousandths: a port sends a hundredth less than its
   * rate, and frames are longer on the wire than where senders are paced.
   */
  private static final long MARGIN_THOUSANDTHS = 50;

  private final Circuits circuits;
  private final Set<String> paced = new TreeSet<>();
  private final Map<LinkId, Long> rooms = new HashMap<>();

  private CrowdedCircuits(Circuits circuits) {
    this.circuits = circuits;
  }

  /**
   * @param apart the paths of all that are kept apart
   * @param room what elephants have of each link, in millibits per second
   * @param reach what could be sent along a path, in millibits per second
   */
  static CrowdedCircuits of(
      Circuits circuits,
      Map<String, Path> apart,
      ToLongFunction<LinkId> room,
      ToLongFunction<Path> reach) {
    CrowdedCircuits crowded = new CrowdedCircuits(circuits);
    Map<LinkId, List<String>> crossing = new HashMap<>();
    apart.forEach(
        (id, path) -> {
          if (!circuits.isLending(id)) {
            path.hops().stream()
                .filter(circuits.kept()::containsKey)
                .forEach(hop -> crossing.computeIfAbsent(hop, h -> new ArrayList<>()).add(id));
          }
        });
    crossing.forEach(
        (link, ids) -> {
          long all =
              ids.stream()
                  .mapToLong(id -> reach.applyAsLong(Objects.requireNonNull(apart.get(id))))
                  .sum();
          if (ids.size() > 1 && all > room.applyAsLong(link)) {
            crowded.hold(link, ids, room.applyAsLong(link));
          }
        });
    return crowded;
  }

  private void hold(LinkId link, List<String> ids, long room) {
    boolean isTheOnlyOne = ids.stream().filter(circuits::isSeated).count() == 1;
    ids.stream().filter(id -> !isTheOnlyOne || !circuits.isSeated(id)).forEach(paced::add);
    long promised = circuits.kept().getOrDefault(link, 0L);
    rooms.put(link, Math.max(promised, room / THOUSAND * (THOUSAND - MARGIN_THOUSANDTHS)));
  }

  /** Who is held to its grant. */
  Set<String> paced() {
    return paced;
  }

  /**
   * The share of each, so that those who are kept apart fit into what elephants have of crowded
   * links.
   *
   * @param first what each would have otherwise; those among everybody's packets keep it
   */
  Map<String, DataRate> shares(
      Map<LinkId, Long> limits,
      Map<String, Path> apart,
      Map<String, Path> among,
      Map<String, DataRate> first) {
    if (rooms.isEmpty()) {
      return first;
    }
    Map<LinkId, Long> others = new HashMap<>();
    Map<String, WeightedFlow> held = new TreeMap<>();
    among.forEach(
        (id, path) -> {
          DataRate rate = Objects.requireNonNull(first.get(id));
          held.put(id, WeightedFlow.builder(id, path.hops()).least(rate).most(rate).build());
          path.hops().forEach(hop -> others.merge(hop, rate.millibitsPerSecond(), Long::sum));
        });
    Map<LinkId, Long> fewer = new HashMap<>(limits);
    rooms.forEach(
        (link, room) -> fewer.merge(link, room + others.getOrDefault(link, 0L), Math::min));
    List<WeightedFlow> flows = circuits.flows(apart);
    flows.addAll(held.values());
    return WeightedFilling.fill(fewer, flows).rates();
  }
}
