package org.paceline.allocator.network;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;
import org.paceline.json.catalogue.Catalogue;

/** Networks by rule and seed. */
public final class GeneratedProblems {
  private final SplittableRandom random;
  private final List<UtilityFunction> functions = new ArrayList<>(Catalogue.load().values());

  public GeneratedProblems(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** A ring with chords, every link both ways; capacity for about the share of what all want. */
  public Problem wan(int nodes, int links, int applications, double kbpsEach) {
    Map<LinkId, double[]> edges = new LinkedHashMap<>();
    for (int n = 0; n < nodes; n++) {
      both(edges, n, (n + 1) % nodes, 1 + random.nextInt(4), 1 + random.nextInt(3));
    }
    while (edges.size() < links) {
      int a = random.nextInt(nodes);
      int b = (a + 2 + random.nextInt(Math.max(1, nodes / 4))) % nodes;
      if (a != b && !edges.containsKey(LinkId.of(name(a), name(b)))) {
        both(edges, a, b, 1 + random.nextInt(6), 1 + random.nextInt(3));
      }
    }
    return problem("wan", nodes, edges, applications, kbpsEach * applications * 3 / links, false);
  }

  /** Core of four, distribution and access switches, each joined to two above. */
  public Problem campus(int nodes, int applications, double kbpsEach) {
    Map<LinkId, double[]> edges = new LinkedHashMap<>();
    int core = 4;
    int distribution = Math.max(4, nodes / 5);
    for (int a = 0; a < core; a++) {
      for (int b = a + 1; b < core; b++) {
        both(edges, a, b, 1, 12);
      }
    }
    for (int n = core; n < nodes; n++) {
      boolean isDistribution = n < core + distribution;
      int above = isDistribution ? core : distribution;
      int first = isDistribution ? 0 : core;
      int one = random.nextInt(above);
      both(edges, n, first + one, 1, isDistribution ? 5 : 1);
      both(
          edges,
          n,
          first + (one + 1 + random.nextInt(above - 1)) % above,
          2,
          isDistribution ? 5 : 1);
    }
    return problem("campus", nodes, edges, applications, kbpsEach * applications / nodes, true);
  }

  /** A few nodes and random links, some slow. */
  public Problem small(int nodes, int applications) {
    Map<LinkId, double[]> edges = new LinkedHashMap<>();
    for (int n = 1; n < nodes; n++) {
      both(edges, n, random.nextInt(n), 1 + random.nextInt(40), 1 + random.nextInt(4));
    }
    for (int i = 0; i < nodes; i++) {
      int a = random.nextInt(nodes);
      int b = random.nextInt(nodes);
      if (a != b && !edges.containsKey(LinkId.of(name(a), name(b)))) {
        both(edges, a, b, 1 + random.nextInt(60), 1 + random.nextInt(4));
      }
    }
    return problem("small", nodes, edges, applications, 600.0 * applications / nodes, false);
  }

  /**
   * Nodes around a hub, one application from each to each other, which has 1 Mbit/s (utility 3) or
   * 2 (utility 4).
   *
   * @param perMille capacity of every link, of what all with 1 Mbit/s take of it
   */
  static Problem star(int nodes, int perMille) {
    UtilityFunction function =
        UtilityFunction.of(
            "two-steps",
            List.of(DataRate.ofKilobitsPerSecond(1_000), DataRate.ofKilobitsPerSecond(2_000)),
            List.of(Latency.ofMillis(100)),
            List.of(List.of(Utility.of(3)), List.of(Utility.of(4))));
    List<String> names = new ArrayList<>(List.of("hub"));
    List<Link> links = new ArrayList<>();
    List<Application> applications = new ArrayList<>();
    DataRate capacity = DataRate.ofKilobitsPerSecond((nodes - 1L) * perMille);
    for (int a = 0; a < nodes; a++) {
      names.add(name(a));
      links.add(Link.of(name(a), "hub", capacity, LinkDelay.constant(Latency.ofMillis(1))));
      links.add(Link.of("hub", name(a), capacity, LinkDelay.constant(Latency.ofMillis(1))));
      for (int b = 0; b < nodes; b++) {
        if (a != b) {
          applications.add(Application.of(name(a) + name(b), name(a), name(b), function));
        }
      }
    }
    return Problem.of("star", Network.of(names, links), applications, 0, Sharing.FREE);
  }

  private static void both(Map<LinkId, double[]> edges, int a, int b, double delay, double size) {
    edges.put(LinkId.of(name(a), name(b)), new double[] {delay, size});
    edges.put(LinkId.of(name(b), name(a)), new double[] {delay, size});
  }

  private static String name(int node) {
    return String.format("n%03d", node);
  }

  private Problem problem(
      String name,
      int nodes,
      Map<LinkId, double[]> edges,
      int applications,
      double unitKbps,
      boolean atTheEdge) {
    List<Link> links = new ArrayList<>();
    edges.forEach(
        (id, e) ->
            links.add(
                Link.of(
                    id.from(),
                    id.to(),
                    DataRate.ofKilobitsPerSecond(BigDecimal.valueOf(Math.ceil(unitKbps * e[1]))),
                    LinkDelay.constant(Latency.ofNanos((long) (e[0] * 1e6))))));
    List<String> names = new ArrayList<>();
    for (int n = 0; n < nodes; n++) {
      names.add(name(n));
    }
    int first = atTheEdge ? 4 + Math.max(4, nodes / 5) : 0;
    List<Application> all = new ArrayList<>();
    for (int a = 0; a < applications; a++) {
      int from = first + random.nextInt(nodes - first);
      int to = first + random.nextInt(nodes - first);
      while (to == from) {
        to = first + random.nextInt(nodes - first);
      }
      UtilityFunction function = functions.get(random.nextInt(functions.size()));
      all.add(Application.of("a" + a, name(from), name(to), function));
    }
    return Problem.of(name, Network.of(names, links), all, Problem.PAPER_EPSILON, Sharing.FREE);
  }
}
