package org.paceline.allocator.network;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.paceline.allocator.path.CandidatePaths;
import org.paceline.allocator.path.Topology;

/** The paths known so far between the pairs; grows as prices ask for more. */
final class Ways {
  private final Topology topology;
  private final List<List<int[]>> paths = new ArrayList<>();
  private final List<Set<List<Integer>>> known = new ArrayList<>();
  private boolean complete = true;

  private Ways(Topology topology) {
    this.topology = topology;
  }

  /** All loop-free paths where there are at most {@code all} a pair, else k of the fastest. */
  static Ways of(Topology topology, Demands demands, int k, int all) {
    Ways ways = new Ways(topology);
    CandidatePaths candidates = new CandidatePaths(topology);
    List<List<int[]>> bySource = List.of();
    String source = "";
    for (int p = 0; p < demands.pairs(); p++) {
      Demands.Pair pair = demands.pair(p);
      int from = topology.node(pair.from);
      int to = topology.node(pair.to);
      List<int[]> found =
          ways.complete && all > 0
              ? candidates.all(from, to, demands.mostDelay(p), all)
              : List.of();
      if (found.isEmpty()) {
        if (!pair.from.equals(source)) {
          source = pair.from;
          long most = Long.MIN_VALUE;
          for (int q = 0; q < demands.pairs(); q++) {
            most = Math.max(most, demands.mostDelay(q));
          }
          bySource = candidates.from(from, k, most);
        }
        found = bySource.get(to);
        ways.complete = ways.complete && found.isEmpty();
      }
      ways.paths.add(new ArrayList<>());
      ways.known.add(new HashSet<>());
      for (int[] path : found) {
        ways.add(p, path);
      }
    }
    return ways;
  }

  /** Whether every loop-free path within the delays is known. */
  boolean complete() {
    return complete;
  }

  Topology topology() {
    return topology;
  }

  int count(int pair) {
    return paths.get(pair).size();
  }

  /** Of all pairs. */
  int total() {
    return paths.stream().mapToInt(List::size).sum();
  }

  int[] path(int pair, int path) {
    return paths.get(pair).get(path);
  }

  long delay(int pair, int path) {
    return topology.delay(path(pair, path));
  }

  /** The least limit of the path's links. */
  long narrowest(int pair, int path) {
    return Arrays.stream(path(pair, path)).mapToLong(topology::limit).min().orElse(Long.MAX_VALUE);
  }

  /** False if it was known. */
  boolean add(int pair, int[] path) {
    List<Integer> key = new ArrayList<>(path.length);
    Arrays.stream(path).forEach(key::add);
    return known.get(pair).add(key) && paths.get(pair).add(path);
  }
}
