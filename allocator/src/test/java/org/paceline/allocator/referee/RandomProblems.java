package org.paceline.allocator.referee;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
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
 * Small problems that are nasty rather than typical: tables that are not monotone, equal utilities,
 * links without room or full to the last bit, one application, copies, ties, delay that grows with
 * load, odd rates. The same seed gives the same problem.
 */
final class RandomProblems {
  /** The measured tables' unit of rate, 50/29 kbit/s, in millibits. */
  private static final double LATTICE = 50e6 / 29;

  private static final double MOST_LEAVES = 30_000;

  private final Random random;

  private RandomProblems(long seed) {
    this.random = new Random(seed * 0x9E3779B97F4A7C15L + 1);
  }

  /** One link from a to b. */
  static Problem oneLink(long seed) {
    return new RandomProblems(seed).smallEnough(false, 2);
  }

  /** A link from a to b and one back, either may be missing. */
  static Problem line(long seed) {
    return new RandomProblems(seed).smallEnough(true, 2);
  }

  /** Three or four nodes with links at random, most of them both ways. */
  static Problem network(long seed) {
    return new RandomProblems(seed).smallEnough(true, 0);
  }

  /** The same problem, everything listed in another order. */
  static Problem shuffled(Problem problem, long seed) {
    Random random = new Random(seed);
    List<String> nodes = new ArrayList<>(problem.network().nodes());
    List<Link> links = new ArrayList<>(problem.network().links());
    List<Application> applications = new ArrayList<>(problem.applications());
    Collections.shuffle(nodes, random);
    Collections.shuffle(links, random);
    Collections.shuffle(applications, random);
    return problem.withNetwork(Network.of(nodes, links)).withApplications(applications);
  }

  /**
   * @param nodes 0 for three or four
   */
  private Problem smallEnough(boolean manyLinks, int nodes) {
    while (true) {
      Problem problem = problem(manyLinks, nodes);
      if (BruteForce.leaves(problem) <= MOST_LEAVES) {
        return problem;
      }
    }
  }

  private Problem problem(boolean manyLinks, int ends) {
    double unit = pick(1e6, 1e6, LATTICE, 1, 123_457);
    List<String> nodes =
        List.of("a", "b", "c", "d").subList(0, ends > 0 ? ends : 3 + random.nextInt(2));
    List<UtilityFunction> functions = new ArrayList<>();
    for (int f = 0; f <= random.nextInt(3); f++) {
      functions.add(function("f" + f, unit));
    }
    List<Application> applications = new ArrayList<>();
    int copies = 1 + random.nextInt(5);
    while (copies > 0) {
      int count = random.nextInt(3) == 0 ? 1 + random.nextInt(copies) : 1;
      String from = manyLinks ? nodes.get(random.nextInt(nodes.size())) : "a";
      String to = manyLinks ? nodes.get(random.nextInt(nodes.size())) : "b";
      if (!from.equals(to)) {
        UtilityFunction function = functions.get(random.nextInt(functions.size()));
        String id = "x" + random.nextInt(20) + "-" + applications.size();
        applications.add(Application.of(id, from, to, function, count, 0));
        copies -= count;
      }
    }
    // Half of the networks have no link whose delay depends on its load, most others have one.
    boolean steady = manyLinks && random.nextBoolean();
    List<Link> links = new ArrayList<>();
    for (String from : nodes) {
      for (String to : nodes) {
        boolean there = manyLinks ? random.nextInt(10) < 8 : from.equals("a");
        if (there && !from.equals(to)) {
          links.add(link(from, to, unit, steady, applications));
        }
      }
    }
    return Problem.of(
        "random",
        Network.of(nodes, links),
        applications,
        (long) pick(0, 0.3e9, 0.3e9, 1e9, 4e9),
        random.nextInt(3) == 0 ? Sharing.SAME_UTILITY_PER_TYPE : Sharing.FREE);
  }

  private UtilityFunction function(String name, double unit) {
    TreeSet<Integer> rates = new TreeSet<>();
    int rows = 1 + random.nextInt(5);
    while (rates.size() < rows) {
      rates.add(random.nextInt(random.nextBoolean() ? 8 : 30));
    }
    TreeSet<Integer> delays = new TreeSet<>();
    int columns = 1 + random.nextInt(3);
    while (delays.size() < columns) {
      delays.add(random.nextInt(40));
    }
    int style = random.nextInt(4);
    List<List<Utility>> table = new ArrayList<>();
    for (int t = 0; t < rows; t++) {
      List<Utility> row = new ArrayList<>();
      for (int d = 0; d < columns; d++) {
        row.add(utility(style, (t + 1.0) / rows * (1 - d / 4.0)));
      }
      table.add(row);
    }
    return UtilityFunction.of(
        name,
        rates.stream().map(r -> rate(r, unit)).collect(Collectors.toList()),
        delays.stream().map(Latency::ofMillis).collect(Collectors.toList()),
        table);
  }

  private Utility utility(int style, double goodness) {
    switch (style) {
      case 0:
        // Few levels: ties all over.
        return Utility.of(1.0 + random.nextInt(5));
      case 1:
        // Anything: not monotone.
        return Utility.ofBillionths(1_000_000_000L + (long) (random.nextDouble() * 4e9));
      case 2:
        // All the same.
        return Utility.of(3.0);
      default:
        // As measured: mostly monotone, with a dip here and there.
        double noisy = 1 + 4 * goodness + random.nextGaussian() * 0.2;
        return Utility.of(Math.round(Math.max(1, Math.min(5, noisy)) * 1e4) / 1e4);
    }
  }

  private Link link(
      String from, String to, double unit, boolean steady, List<Application> applications) {
    int shape = random.nextInt(8);
    DataRate capacity;
    if (shape == 0) {
      capacity = rate(random.nextInt(4), unit);
    } else if (shape == 1) {
      // Exactly what some choice needs, to the last bit.
      long load = 0;
      for (Application application : applications) {
        UtilityFunction function = application.utilityFunction();
        int bin = random.nextInt(function.throughputBins());
        load += application.count() * function.rateMillibits(bin);
      }
      capacity = DataRate.ofMillibitsPerSecond(load);
    } else {
      capacity = rate(5 + random.nextInt(80), unit);
    }
    Latency base = Latency.ofMillis(random.nextInt(12));
    if (steady || random.nextInt(3) > 0) {
      return Link.of(from, to, capacity, LinkDelay.constant(base));
    }
    List<DataRate> loads = new ArrayList<>(List.of(rate(random.nextInt(5), unit)));
    List<Latency> delays = new ArrayList<>(List.of(base));
    for (int p = 0; p <= random.nextInt(3); p++) {
      loads.add(loads.get(p).plus(rate(1 + random.nextInt(20), unit)));
      delays.add(delays.get(p).plus(Latency.ofMillis(random.nextInt(15))));
    }
    return Link.of(from, to, capacity, LinkDelay.piecewise(loads, delays));
  }

  private static DataRate rate(int units, double unit) {
    return DataRate.ofMillibitsPerSecond(Math.round(units * unit));
  }

  private double pick(double... values) {
    return values[random.nextInt(values.length)];
  }
}
