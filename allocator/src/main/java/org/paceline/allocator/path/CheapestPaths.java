package org.paceline.allocator.path;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * For given link prices, from one source: all pairs (delay, price) to every node of which no path
 * has both smaller.
 *
 * <p>Label setting in the order of delay. A walk with a loop is never better in either than the
 * walk without it, so that what is found are loop-free paths and nothing loop-free is better: the
 * bound of the prices holds for all paths, not only for candidates. O(P L log(P L)) for at most P
 * labels a node.
 */
public final class CheapestPaths {
  /** A path that no other beats in both delay and price. */
  public static final class Label implements Comparable<Label> {
    private final int node;
    private final long delay;
    private final double price;
    private final int link;
    private final int hops;
    private final Label before;

    private Label(int node, long delay, double price, int link, int hops, @Nullable Label before) {
      this.node = node;
      this.delay = delay;
      this.price = price;
      this.link = link;
      this.hops = hops;
      this.before = before == null ? this : before;
    }

    /** Nanoseconds. */
    public long delay() {
      return delay;
    }

    public double price() {
      return price;
    }

    public int[] path() {
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
      int byPrice = Double.compare(price, other.price);
      if (byPrice != 0) {
        return byPrice;
      }
      int byHops = Integer.compare(hops, other.hops);
      return byHops != 0 ? byHops : Integer.compare(link, other.link);
    }
  }

  private final Topology topology;

  public CheapestPaths(Topology topology) {
    this.topology = topology;
  }

  /** By node: by delay rising and price falling. */
  public List<List<Label>> from(int source, double[] prices, long mostDelay) {
    List<List<Label>> settled = new ArrayList<>();
    for (int n = 0; n < topology.nodes(); n++) {
      settled.add(new ArrayList<>());
    }
    double[] cheapest = new double[topology.nodes()];
    Arrays.fill(cheapest, Double.POSITIVE_INFINITY);
    PriorityQueue<Label> queue = new PriorityQueue<>();
    queue.add(new Label(source, 0, 0, -1, 0, null));
    while (!queue.isEmpty()) {
      Label label = queue.remove();
      // All settled labels of the node are at most as slow: only a cheaper one is news.
      if (label.price >= cheapest[label.node]) {
        continue;
      }
      cheapest[label.node] = label.price;
      settled.get(label.node).add(label);
      for (int e : topology.outgoing(label.node)) {
        int next = topology.to(e);
        long delay = label.delay + topology.delay(e);
        double price = label.price + prices[e];
        if (delay <= mostDelay && price < cheapest[next]) {
          queue.add(new Label(next, delay, price, e, label.hops + 1, label));
        }
      }
    }
    return settled;
  }
}
