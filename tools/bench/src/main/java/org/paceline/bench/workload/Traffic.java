package org.paceline.bench.workload;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.utility.UtilityFunction;
import org.paceline.json.catalogue.Catalogue;

/**
 * Applications between random edges of a topology, and links dimensioned for them.
 *
 * <p>Every application draws its function from the six measured ones, its ends and its direction
 * evenly. Equal draws become one entry with a count. Links are given, for what shortest paths would
 * put on them at 1.25 Mbit/s an application, between 60 and 120 % at random: some are bottlenecks,
 * some are not, and detours pay.
 */
public final class Traffic {
  private static final long KBPS_OF_ONE = 1_250;

  /** Who talks to whom. */
  public enum Pattern {
    /** Any edge to or from one of the four best connected: clients and data centres. */
    HUBS,
    /** Any edge to any other: nearly every application has a pair of ends of its own. */
    ANY
  }

  private Traffic() {}

  public static Problem on(Topology topology, Pattern pattern, int applications, long seed) {
    Random random = new Random(seed);
    List<UtilityFunction> functions = new ArrayList<>(Catalogue.load().values());
    List<String> edges = topology.edges();
    List<String> hubs = topology.hubs();
    Map<String, Integer> counts = new TreeMap<>();
    Map<String, Application> drawn = new HashMap<>();
    for (int a = 0; a < applications; a++) {
      UtilityFunction function = functions.get(random.nextInt(functions.size()));
      List<String> others = pattern == Pattern.HUBS ? hubs : edges;
      String other = others.get(random.nextInt(others.size()));
      String edge = edges.get(random.nextInt(edges.size()));
      while (edge.equals(other)) {
        edge = edges.get(random.nextInt(edges.size()));
      }
      boolean outwards = random.nextBoolean();
      String from = outwards ? edge : other;
      String to = outwards ? other : edge;
      String id = function.name() + ":" + from + ":" + to;
      drawn.putIfAbsent(id, Application.of(id, from, to, function));
      counts.merge(id, 1, Integer::sum);
    }
    List<Application> all = new ArrayList<>();
    counts.forEach(
        (id, count) -> {
          Application one = drawn.get(id);
          if (one != null) {
            all.add(one.withCount(count));
          }
        });
    Network network = dimensioned(topology.network(), all, random);
    return Problem.of(
        topology.name() + " " + pattern, network, all, Problem.PAPER_EPSILON, Sharing.FREE);
  }

  private static Network dimensioned(Network network, List<Application> all, Random random) {
    Map<LinkId, Long> load = new HashMap<>();
    Map<String, Map<String, Link>> trees = new HashMap<>();
    for (Application application : all) {
      Map<String, Link> tree =
          trees.computeIfAbsent(application.from(), from -> shortestPaths(network, from));
      String at = application.to();
      while (!at.equals(application.from())) {
        Link link = tree.get(at);
        if (link == null) {
          throw new IllegalStateException("The network does not hang together at " + at + ".");
        }
        load.merge(link.id(), application.count() * KBPS_OF_ONE, Long::sum);
        at = link.from();
      }
    }
    List<Link> links = new ArrayList<>();
    for (Link link : network.links()) {
      double share = 0.6 + 0.6 * random.nextDouble();
      // A link off all shortest paths is still there for detours.
      long kbps = Math.max(50_000, Math.round(load.getOrDefault(link.id(), 0L) * share));
      links.add(link.withCapacity(DataRate.ofKilobitsPerSecond(kbps)));
    }
    return Network.of(network.nodes(), links);
  }

  /** For every other node the last link of the way to it with the least delay. */
  private static Map<String, Link> shortestPaths(Network network, String from) {
    Map<String, Long> delays = new HashMap<>(Map.of(from, 0L));
    Map<String, Link> last = new HashMap<>();
    PriorityQueue<Map.Entry<String, Long>> open =
        new PriorityQueue<>(
            Map.Entry.<String, Long>comparingByValue()
                .thenComparing(Comparator.comparing(Map.Entry::getKey)));
    open.add(Map.entry(from, 0L));
    while (!open.isEmpty()) {
      Map.Entry<String, Long> nearest = open.remove();
      if (nearest.getValue() > delays.getOrDefault(nearest.getKey(), Long.MAX_VALUE)) {
        continue;
      }
      for (Link link : network.outgoing(nearest.getKey())) {
        long delay = nearest.getValue() + link.delay().least().nanos() + 1;
        if (delay < delays.getOrDefault(link.to(), Long.MAX_VALUE)) {
          delays.put(link.to(), delay);
          last.put(link.to(), link);
          open.add(Map.entry(link.to(), delay));
        }
      }
    }
    return last;
  }
}
