package org.paceline.allocator.network.load;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.paceline.allocator.network.groups.Demands;
import org.paceline.allocator.path.CheapestPaths;
import org.paceline.allocator.path.Topology;
import org.paceline.intents.network.Link;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Loads of a link that matter: its limit, the points where its delay bends, and, in small networks,
 * the most at which a way over it still is within a delay bin of somebody who may use it. The rest
 * of that way is the fastest there is, with all other links idle or full.
 *
 * <p>O(nodes (shortest paths) + links groups bins).
 */
final class LoadThresholds {
  private static final int SMALL_NETWORK = 10;

  /** Each is a problem to solve. */
  private static final int MOST = 12;

  /** Where no other link has any, all are tried. */
  private static final int MOST_OF_ONE = 100;

  private final Demands demands;
  private final List<Topology> states;
  private final int most;

  /** By state, source and destination; nanoseconds. */
  private final List<long[][]> distances = new ArrayList<>();

  LoadThresholds(Problem problem) {
    this.demands = Demands.of(problem.applications());
    this.most =
        problem.network().links().stream().filter(link -> !link.delay().isConstant()).count() == 1
            ? MOST_OF_ONE
            : MOST;
    Topology idle = Topology.whenIdle(problem.network());
    this.states =
        idle.nodes() <= SMALL_NETWORK
            ? List.of(idle, Topology.whenFull(problem.network()))
            : List.of();
    for (Topology state : states) {
      distances.add(distances(state));
    }
  }

  private static long[][] distances(Topology state) {
    CheapestPaths paths = new CheapestPaths(state);
    long[][] distances = new long[state.nodes()][state.nodes()];
    for (int source = 0; source < state.nodes(); source++) {
      List<List<CheapestPaths.Label>> labels =
          paths.from(source, new double[state.links()], Long.MAX_VALUE / 4);
      for (int to = 0; to < state.nodes(); to++) {
        boolean reached = to == source || !labels.get(to).isEmpty();
        distances[source][to] =
            to == source ? 0 : reached ? labels.get(to).get(0).delay() : Long.MAX_VALUE / 4;
      }
    }
    return distances;
  }

  /** From the least; of those between the limit and the points only as many as can be tried. */
  TreeSet<Long> of(Link link) {
    TreeSet<Long> loads = new TreeSet<>(List.of(link.limitMillibits()));
    for (int i = 0; i < link.delay().points(); i++) {
      loads.add(Math.min(link.limitMillibits(), link.delay().load(i).millibitsPerSecond()));
    }
    List<Long> between = new ArrayList<>(withinBins(link));
    int steps = Math.min(most, between.size());
    for (int i = 0; i < steps; i++) {
      loads.add(between.get(i * between.size() / steps));
    }
    return loads;
  }

  private TreeSet<Long> withinBins(Link link) {
    TreeSet<Long> loads = new TreeSet<>();
    for (int s = 0; s < states.size(); s++) {
      Topology state = states.get(s);
      long[][] distance = distances.get(s);
      for (int g = 0; g < demands.groups(); g++) {
        Demands.Pair pair = demands.pair(demands.group(g).pair());
        long rest =
            distance[state.node(pair.from())][state.node(link.from())]
                + distance[state.node(link.to())][state.node(pair.to())];
        UtilityFunction function = demands.function(demands.group(g).function());
        for (int d = 0; d < function.delayBins(); d++) {
          if (function.delayNanos(d) >= rest) {
            link.delay()
                .greatestLoadWithin(Latency.ofNanos(function.delayNanos(d) - rest))
                .map(DataRate::millibitsPerSecond)
                .filter(load -> load < link.limitMillibits())
                .ifPresent(loads::add);
          }
        }
      }
    }
    return loads;
  }
}
