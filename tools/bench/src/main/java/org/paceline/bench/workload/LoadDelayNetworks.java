package org.paceline.bench.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeSet;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Networks of three to six nodes whose delays depend on load, with two to twelve applications of
 * one to five types. Rates are whole kbit/s and delays whole milliseconds. Not all can be served.
 * Equal arguments give equal problems.
 */
public final class LoadDelayNetworks {
  /** What a network looks like. */
  public enum Shape {
    /** Nodes in a row. */
    CHAIN,
    /** Each node hangs on one before it. */
    TREE,
    /** A tree with one to four chords. */
    MESH;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Random random;
  private final List<Link> links = new ArrayList<>();
  private final List<UtilityFunction> functions = new ArrayList<>();

  private LoadDelayNetworks(Random random) {
    this.random = random;
  }

  public static Problem of(Shape shape, Sharing sharing, long seed) {
    // Seeds that follow each other give random numbers alike, unless they are scattered.
    long scattered = (seed * 8 + shape.ordinal()) * 0x9E3779B97F4A7C15L;
    return new LoadDelayNetworks(new Random(scattered)).problem(shape, sharing, seed);
  }

  private Problem problem(Shape shape, Sharing sharing, long seed) {
    List<String> nodes = new ArrayList<>();
    for (int n = 0; n < between(shape == Shape.CHAIN ? 3 : 4, 6); n++) {
      nodes.add("n" + n);
    }
    int types = between(1, 5);
    for (int f = 0; f < types; f++) {
      functions.add(function("f" + f));
    }
    List<Application> applications = new ArrayList<>();
    int size = between(2, 12);
    while (applications.size() < size) {
      int from = random.nextInt(nodes.size());
      int to = random.nextInt(nodes.size());
      if (from != to) {
        applications.add(
            Application.of(
                "a" + applications.size(),
                nodes.get(from),
                nodes.get(to),
                functions.get(random.nextInt(types))));
      }
    }
    for (int n = 1; n < nodes.size(); n++) {
      cable(nodes.get(shape == Shape.CHAIN ? n - 1 : random.nextInt(n)), nodes.get(n), size);
    }
    int chords = shape == Shape.MESH ? between(1, 4) : 0;
    for (int i = 0; i < chords; i++) {
      int a = random.nextInt(nodes.size());
      int b = random.nextInt(nodes.size());
      if (a != b && links.stream().noneMatch(l -> joins(l, nodes.get(a), nodes.get(b)))) {
        cable(nodes.get(a), nodes.get(b), size);
      }
    }
    return Problem.of(
        shape + " " + seed,
        Network.of(nodes, links),
        applications,
        List.of(0L, 50_000_000L, Problem.PAPER_EPSILON, Problem.PAPER_EPSILON, 4_000_000_000L)
            .get(random.nextInt(5)),
        sharing);
  }

  private static boolean joins(Link link, String a, String b) {
    return link.from().equals(a) && link.to().equals(b);
  }

  private int between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }

  private TreeSet<Integer> distinct(int size, int least, int most) {
    TreeSet<Integer> values = new TreeSet<>();
    while (values.size() < size) {
      values.add(between(least, most));
    }
    return values;
  }

  private UtilityFunction function(String name) {
    List<DataRate> rates = new ArrayList<>();
    for (int rate : distinct(between(1, 12), 5, 220)) {
      rates.add(DataRate.ofKilobitsPerSecond(rate));
    }
    List<Latency> delays = new ArrayList<>();
    for (int delay : distinct(between(1, 8), 5, 120)) {
      delays.add(Latency.ofMillis(delay));
    }
    int style = random.nextInt(3);
    List<List<Utility>> table = new ArrayList<>();
    for (int t = 0; t < rates.size(); t++) {
      List<Utility> row = new ArrayList<>();
      for (int d = 0; d < delays.size(); d++) {
        row.add(utility(style, (t + 1.0) / rates.size(), d / (double) delays.size()));
      }
      table.add(row);
    }
    return UtilityFunction.of(name, rates, delays, table);
  }

  /** As measured with some noise; any; or of few levels. */
  private Utility utility(int style, double share, double late) {
    double value =
        style == 0
            ? 1 + 4 * Math.sqrt(share) * (1 - 0.7 * late) + 0.1 * random.nextGaussian()
            : style == 1 ? 1 + 4 * random.nextDouble() : 1 + random.nextInt(5);
    return Utility.ofBillionths(Math.round(Math.max(1, Math.min(5, value)) * 1e6) * 1_000L);
  }

  /** A link each way, each of its own kind. */
  private void cable(String a, String b, int applications) {
    links.add(link(a, b, applications));
    links.add(link(b, a, applications));
  }

  private Link link(String from, String to, int applications) {
    int capacity = between(40, 100 + 90 * applications);
    List<DataRate> loads = new ArrayList<>();
    List<Latency> delays = new ArrayList<>();
    int points = random.nextInt(4) == 0 ? 1 : between(2, 5);
    int delay = random.nextInt(4);
    for (int load : distinct(points, 0, capacity)) {
      loads.add(DataRate.ofKilobitsPerSecond(load));
      delays.add(Latency.ofMillis(delay));
      delay += random.nextInt(3) == 0 ? 0 : random.nextInt(25);
    }
    return Link.of(
        from, to, DataRate.ofKilobitsPerSecond(capacity), LinkDelay.piecewise(loads, delays));
  }
}
