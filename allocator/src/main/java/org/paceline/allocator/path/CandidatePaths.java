package org.paceline.allocator.path;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The paths that a network solver begins with: per destination up to k of the fastest loop-free
 * ones, from one search a source.
 *
 * <p>Labels leave a queue by delay, then hops, then link numbers; a node passes on its first 2k
 * loop-free labels. Yen's algorithm would give exactly the k fastest at k shortest-path searches a
 * pair; here prices bring in whatever path is missing, so that only speed and determinism matter.
 * O(k L log(k L)) a source for L links. Where a network is small, {@link AllPaths} lists them all.
 */
public final class CandidatePaths {
  private final Topology topology;

  public CandidatePaths(Topology topology) {
    this.topology = topology;
  }

  /** A loop-free way, from its last hop back. */
  private static final class Label implements Comparable<Label> {
    final int node;
    final long delay;
    final int hops;
    final int link;
    final Label before;
    final int order;

    Label(int node, long delay, int link, @Nullable Label before, int order) {
      this.node = node;
      this.delay = delay;
      this.link = link;
      this.before = before == null ? this : before;
      this.hops = before == null ? 0 : before.hops + 1;
      this.order = order;
    }

    boolean visits(int other) {
      Label at = this;
      while (at.hops > 0) {
        if (at.node == other) {
          return true;
        }
        at = at.before;
      }
      return at.node == other;
    }

    int[] path() {
      int[] path = new int[hops];
      Label at = this;
      for (int i = hops - 1; i >= 0; i--) {
        path[i] = at.link;
        at = at.before;
      }
      return path;
    }

    @Override
    public int compareTo(Label other) {
      int byDelay = Long.compare(delay, other.delay);
      if (byDelay != 0) {
        return byDelay;
      }
      int byHops = Integer.compare(hops, other.hops);
      return byHops != 0 ? byHops : Integer.compare(order, other.order);
    }
  }

  /** By destination, the fastest first; none where nothing within the delay leads there. */
  public List<List<int[]>> from(int source, int k, long mostDelay) {
    boolean[] all = new boolean[topology.nodes()];
    Arrays.fill(all, true);
    return from(source, k, mostDelay, all);
  }

  /**
   * The same to some destinations.
   *
   * @param k 1 for the fastest alone, which takes a fraction of the time that two take
   * @param wanted by node, whether it is a destination
   */
  public List<List<int[]>> from(int source, int k, long mostDelay, boolean[] wanted) {
    List<List<int[]>> found = new ArrayList<>();
    for (int n = 0; n < topology.nodes(); n++) {
      found.add(new ArrayList<>());
    }
    int most = k == 1 ? 1 : 2 * k;
    int[] settled = new int[topology.nodes()];
    PriorityQueue<Label> queue = new PriorityQueue<>();
    int order = 0;
    queue.add(new Label(source, 0, -1, null, order++));
    while (!queue.isEmpty()) {
      Label label = queue.remove();
      if (settled[label.node]++ >= most) {
        continue;
      }
      if (wanted[label.node] && label.node != source && found.get(label.node).size() < k) {
        found.get(label.node).add(label.path());
      }
      for (int e : topology.outgoing(label.node)) {
        int next = topology.to(e);
        long delay = label.delay + topology.delay(e);
        if (delay <= mostDelay && settled[next] < most && !label.visits(next)) {
          queue.add(new Label(next, delay, e, label, order++));
        }
      }
    }
    return found;
  }
}
