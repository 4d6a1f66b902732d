package org.paceline.allocator.path;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * All loop-free paths within a delay between pairs of nodes, as long as there are few.
 *
 * <p>Depth first; a branch from which the destination cannot be reached in time is not entered. The
 * number of paths can grow exponentially with the network and the branches without an end faster
 * still, so that the links looked at for all pairs together are counted and bounded.
 */
public final class AllPaths {
  private final Topology topology;
  private final int most;
  private long effort;
  private final long[][] toDestination;
  private final int[][] incoming;

  /**
   * @param most paths of a pair
   * @param effort the links that may be looked at for all pairs together
   */
  public AllPaths(Topology topology, int most, long effort) {
    this.topology = topology;
    this.most = most;
    this.effort = effort;
    this.toDestination = new long[topology.nodes()][];
    List<List<Integer>> entering = new ArrayList<>();
    for (int n = 0; n < topology.nodes(); n++) {
      entering.add(new ArrayList<>());
    }
    for (int e = 0; e < topology.links(); e++) {
      entering.get(topology.to(e)).add(e);
    }
    this.incoming =
        entering.stream()
            .map(links -> links.stream().mapToInt(Integer::intValue).toArray())
            .toArray(int[][]::new);
  }

  /**
   * The fastest first; none where nothing leads there in time. Empty if there are more than most,
   * or the effort is used up.
   */
  public Optional<List<int[]>> between(int source, int destination, long mostDelay) {
    if (effort <= 0) {
      return Optional.empty();
    }
    List<int[]> found = new ArrayList<>();
    Search search = new Search(found, leastDelays(destination), destination);
    if (!search.extend(source, mostDelay, 0)) {
      return Optional.empty();
    }
    found.sort(
        (a, b) -> {
          int byDelay = Long.compare(topology.delay(a), topology.delay(b));
          int byHops = byDelay != 0 ? byDelay : Integer.compare(a.length, b.length);
          return byHops != 0 ? byHops : Arrays.compare(a, b);
        });
    return Optional.of(found);
  }

  /** From every node; half of the greatest long where no way leads to the destination. */
  private long[] leastDelays(int destination) {
    long[] known = toDestination[destination];
    if (known != null) {
      return known;
    }
    long[] least = new long[topology.nodes()];
    Arrays.fill(least, Long.MAX_VALUE / 2);
    least[destination] = 0;
    PriorityQueue<long[]> queue = new PriorityQueue<>((a, b) -> Long.compare(a[1], b[1]));
    queue.add(new long[] {destination, 0});
    while (!queue.isEmpty()) {
      long[] next = queue.remove();
      int node = (int) next[0];
      if (next[1] > least[node]) {
        continue;
      }
      effort -= incoming[node].length;
      for (int e : incoming[node]) {
        int before = topology.from(e);
        long delay = next[1] + topology.delay(e);
        if (delay < least[before]) {
          least[before] = delay;
          queue.add(new long[] {before, delay});
        }
      }
    }
    toDestination[destination] = least;
    return least;
  }

  /** From one source to one destination. */
  private final class Search {
    private final List<int[]> found;
    private final long[] least;
    private final int destination;
    private final boolean[] visited = new boolean[topology.nodes()];
    private final int[] hops = new int[topology.nodes()];

    Search(List<int[]> found, long[] least, int destination) {
      this.found = found;
      this.least = least;
      this.destination = destination;
    }

    /** False if there are too many. */
    boolean extend(int at, long room, int depth) {
      if (at == destination) {
        found.add(Arrays.copyOf(hops, depth));
        return found.size() <= most;
      }
      int[] outgoing = topology.outgoing(at);
      effort -= outgoing.length;
      if (effort <= 0) {
        return false;
      }
      visited[at] = true;
      boolean complete = true;
      for (int e : outgoing) {
        int next = topology.to(e);
        if (complete && !visited[next] && topology.delay(e) + least[next] <= room) {
          hops[depth] = e;
          complete = extend(next, room - topology.delay(e), depth + 1);
        }
      }
      visited[at] = false;
      return complete;
    }
  }
}
