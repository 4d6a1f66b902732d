package org.paceline.allocator.network.groups;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.paceline.allocator.path.AllPaths;
import org.paceline.allocator.path.CandidatePaths;
import org.paceline.allocator.path.Topology;

/** The paths known so far between the pairs; grows as prices ask for more. */
public final class Ways {
  /** Links looked at to list all paths of all pairs: about a tenth of a second. */
  private static final long MOST_EFFORT = 5_000_000;

  private final Topology topology;
  private final List<List<int[]>> paths = new ArrayList<>();
  private boolean complete = true;

  private Ways(Topology topology) {
    this.topology = topology;
  }

  /**
   * All loop-free paths where there are at most {@code all} a pair, else k of the fastest.
   *
   * @param stop from then on only the fastest
   */
  public static Ways of(Topology topology, Demands demands, int k, int all, BooleanSupplier stop) {
    Ways ways = new Ways(topology);
    CandidatePaths candidates = new CandidatePaths(topology);
    AllPaths lister = new AllPaths(topology, all, MOST_EFFORT);
    long slowest = 0;
    Map<Integer, boolean[]> wanted = new HashMap<>();
    for (int p = 0; p < demands.pairs(); p++) {
      slowest = Math.max(slowest, demands.mostDelay(p));
      wanted
              .computeIfAbsent(
                  topology.node(demands.pair(p).from()), from -> new boolean[topology.nodes()])[
              topology.node(demands.pair(p).to())] =
          true;
    }
    long most = slowest;
    IntFunction<List<List<int[]>>> search =
        from ->
            candidates.from(
                from,
                stop.getAsBoolean() ? 1 : k,
                most,
                wanted.getOrDefault(from, new boolean[topology.nodes()]));
    Map<Integer, List<List<int[]>>> fastest = new ConcurrentHashMap<>();
    if (all == 0) {
      wanted.keySet().stream().parallel().forEach(from -> fastest.put(from, search.apply(from)));
    }
    for (int p = 0; p < demands.pairs(); p++) {
      Demands.Pair pair = demands.pair(p);
      int from = topology.node(pair.from());
      int to = topology.node(pair.to());
      List<int[]> found =
          ways.complete && all > 0
              ? lister.between(from, to, demands.mostDelay(p)).orElse(List.of())
              : List.of();
      if (found.isEmpty()) {
        found = fastest.computeIfAbsent(from, search::apply).get(to);
        ways.complete = ways.complete && found.isEmpty();
      }
      ways.paths.add(new ArrayList<>(found));
    }
    return ways;
  }

  /**
   * All loop-free paths within the delays.
   *
   * @param all of a pair at most
   * @param most of all pairs together; empty where there are more
   */
  public static Optional<Ways> complete(Topology topology, Demands demands, int all, int most) {
    Ways ways = new Ways(topology);
    AllPaths lister = new AllPaths(topology, all, MOST_EFFORT);
    int left = most;
    for (int p = 0; p < demands.pairs(); p++) {
      Demands.Pair pair = demands.pair(p);
      Optional<List<int[]>> found =
          lister.between(
              topology.node(pair.from()), topology.node(pair.to()), demands.mostDelay(p));
      left -= found.map(List::size).orElse(most + 1);
      if (left < 0) {
        return Optional.empty();
      }
      ways.paths.add(new ArrayList<>(found.orElse(List.of())));
    }
    return Optional.of(ways);
  }

  /** Whether every loop-free path within the delays is known. */
  public boolean complete() {
    return complete;
  }

  public Topology topology() {
    return topology;
  }

  public int count(int pair) {
    return paths.get(pair).size();
  }

  /** Of all pairs. */
  public int total() {
    return paths.stream().mapToInt(List::size).sum();
  }

  public int[] path(int pair, int path) {
    return paths.get(pair).get(path);
  }

  public long delay(int pair, int path) {
    return topology.delay(path(pair, path));
  }

  /** The least limit of the path's links. */
  public long narrowest(int pair, int path) {
    return Arrays.stream(path(pair, path)).mapToLong(topology::limit).min().orElse(Long.MAX_VALUE);
  }

  /** What each path of the pair costs. */
  public double[] prices(int pair, double[] prices) {
    List<int[]> known = paths.get(pair);
    double[] sums = new double[known.size()];
    for (int j = 0; j < sums.length; j++) {
      for (int e : known.get(j)) {
        sums[j] += prices[e];
      }
    }
    return sums;
  }

  /** Unless it is known. */
  public void add(int pair, int[] path) {
    List<int[]> known = paths.get(pair);
    if (known.stream().noneMatch(other -> Arrays.equals(other, path))) {
      known.add(path);
    }
  }
}
