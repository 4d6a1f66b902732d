package org.paceline.allocator.referee;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Tries every path and every rate bin for every copy of every application: too simple to be wrong.
 * The delay bin follows: the best one that the path's delay at the resulting loads allows.
 */
final class BruteForce {
  /** Both optima, in billionths. */
  static final class Optimum {
    final long theta;
    final long sum;

    Optimum(long theta, long sum) {
      this.theta = theta;
      this.sum = sum;
    }

    @Override
    public String toString() {
      return "theta " + theta + ", sum " + sum;
    }
  }

  private final Problem problem;
  private final List<Link> links;
  private final List<Application> copies = new ArrayList<>();
  private final List<List<int[]>> paths = new ArrayList<>();
  private final Map<String, Integer> rateOfType = new HashMap<>();
  private final long[] loads;
  private final int[] chosenPath;
  private final int[] chosenRate;
  private final List<long[]> feasible = new ArrayList<>();
  private long[] fullest = new long[0];

  private BruteForce(Problem problem) {
    this.problem = problem;
    this.links = new ArrayList<>(problem.network().links());
    for (Application application : problem.applications()) {
      List<int[]> ways = new ArrayList<>();
      Set<String> visited = new LinkedHashSet<>(List.of(application.from()));
      simplePaths(application.to(), application.from(), visited, new ArrayList<>(), ways);
      for (int i = 0; i < application.count(); i++) {
        copies.add(application);
        paths.add(ways);
      }
    }
    this.loads = new long[links.size()];
    this.chosenPath = new int[copies.size()];
    this.chosenRate = new int[copies.size()];
  }

  static Optional<Optimum> solve(Problem problem) {
    BruteForce search = new BruteForce(problem);
    search.choose(0);
    return search.optimum();
  }

  /** The lexicographically best of all allocations' utilities, sorted; empty if there is none. */
  static long[] fullest(Problem problem) {
    BruteForce search = new BruteForce(problem);
    search.choose(0);
    return search.fullest;
  }

  /** How many leaves the search may have. */
  static double leaves(Problem problem) {
    BruteForce search = new BruteForce(problem);
    double leaves = 1;
    for (int a = 0; a < search.copies.size(); a++) {
      UtilityFunction function = search.copies.get(a).utilityFunction();
      leaves *= Math.max(1, search.paths.get(a).size()) * (double) function.throughputBins();
    }
    return leaves;
  }

  private void simplePaths(
      String to, String node, Set<String> visited, List<Integer> hops, List<int[]> found) {
    if (node.equals(to)) {
      found.add(hops.stream().mapToInt(Integer::intValue).toArray());
      return;
    }
    Network network = problem.network();
    for (Link link : network.outgoing(node)) {
      if (visited.add(link.to())) {
        hops.add(links.indexOf(link));
        simplePaths(to, link.to(), visited, hops, found);
        hops.remove(hops.size() - 1);
        visited.remove(link.to());
      }
    }
  }

  private void choose(int a) {
    if (a == copies.size()) {
      weigh();
      return;
    }
    UtilityFunction function = copies.get(a).utilityFunction();
    boolean together = problem.sharing() == Sharing.SAME_UTILITY_PER_TYPE;
    Integer fixed = together ? rateOfType.get(function.name()) : null;
    int firstRate = fixed == null ? 0 : fixed;
    int lastRate = fixed == null ? function.throughputBins() - 1 : fixed;
    for (int t = firstRate; t <= lastRate; t++) {
      if (together && fixed == null) {
        rateOfType.put(function.name(), t);
      }
      for (int p = 0; p < paths.get(a).size(); p++) {
        int[] path = paths.get(a).get(p);
        chosenPath[a] = p;
        chosenRate[a] = t;
        if (load(path, function.rateMillibits(t))) {
          choose(a + 1);
        }
        load(path, -function.rateMillibits(t));
      }
    }
    if (together && fixed == null) {
      rateOfType.remove(function.name());
    }
  }

  private boolean load(int[] path, long rate) {
    boolean fits = true;
    for (int link : path) {
      loads[link] += rate;
      fits &= loads[link] <= links.get(link).limitMillibits();
    }
    return fits;
  }

  private void weigh() {
    long[] delays = new long[copies.size()];
    Map<String, Long> slowest = new HashMap<>();
    for (int a = 0; a < delays.length; a++) {
      for (int link : paths.get(a).get(chosenPath[a])) {
        delays[a] += links.get(link).delay().nanosAt(loads[link]);
      }
      slowest.merge(copies.get(a).utilityFunction().name(), delays[a], Math::max);
    }
    long least = Long.MAX_VALUE;
    long sum = 0;
    long[] utilities = new long[delays.length];
    for (int a = 0; a < delays.length; a++) {
      UtilityFunction function = copies.get(a).utilityFunction();
      long delay =
          problem.sharing() == Sharing.FREE
              ? delays[a]
              : slowest.getOrDefault(function.name(), Long.MAX_VALUE);
      long best = -1;
      for (int d = 0; d < function.delayBins(); d++) {
        if (function.delayNanos(d) >= delay) {
          best = Math.max(best, function.utilityBillionths(chosenRate[a], d));
        }
      }
      if (best < 0) {
        return;
      }
      least = Math.min(least, best);
      sum += best;
      utilities[a] = best;
    }
    Arrays.sort(utilities);
    if (fullest.length == 0 || Arrays.compare(utilities, fullest) > 0) {
      fullest = utilities;
    }
    feasible.add(new long[] {least, sum});
  }

  private Optional<Optimum> optimum() {
    long theta = feasible.stream().mapToLong(f -> f[0]).max().orElse(-1);
    return feasible.stream()
        .filter(f -> f[0] >= theta - problem.epsilonBillionths())
        .max((x, y) -> Long.compare(x[1], y[1]))
        .map(f -> new Optimum(theta, f[1]));
  }
}
