package org.paceline.allocator.network.packing;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.paceline.allocator.Deadline;
import org.paceline.allocator.network.groups.Allocation;
import org.paceline.allocator.network.groups.Profile;

/**
 * Moves the units of an allocation from column to column by simulated annealing (Kirkpatrick,
 * Gelatt, Vecchi 1983).
 *
 * <p>The cost is what keeps the sum below the bound of the prices: what choices are worth less than
 * the best, and what links have left at their prices; and in place of what may not be, what links
 * carry too much at a multiple of their prices, which rises until nearly nothing is over. O(path
 * length) a proposal.
 *
 * <p>Where a move is too dear alone, a neighbour's move may make up for it: what one leaves free
 * another takes. Alone either would leave room or excess behind, at more than annealing accepts.
 */
final class Annealing {
  private static final int PROPOSALS_A_TEMPERATURE = 4_096;

  /** Units that lie so near each other often have the same ends. */
  private static final int NEIGHBOURS = 8;

  /** What excess costs on a link without a price, as a share of what is typical. */
  private static final double UNPRICED = 0.1;

  private final Allocation allocation;
  private final NearColumns[] near;
  private final double[] price;
  private final double[] charge;
  private final double rise;
  private final long[] over;
  private final int[] at;
  private final int[] sizes;
  private final int[] movable;
  private final SplittableRandom random;

  /**
   * @param within how much less than the best a column may be worth to be proposed
   * @param harshness of a link's excess
   */
  Annealing(
      Allocation allocation,
      NearColumns[] near,
      double[] prices,
      double typical,
      double within,
      Harshness harshness,
      SplittableRandom random) {
    this.allocation = allocation;
    this.near = near;
    this.random = random;
    this.rise = harshness.rise;
    this.price = new double[prices.length];
    this.charge = new double[prices.length];
    this.over = new long[prices.length];
    this.at = new int[allocation.units()];
    for (int u = 0; u < at.length; u++) {
      NearColumns columns = near[allocation.group(u)];
      at[u] = columns.find(allocation.path(u), allocation.step(u));
      if (at[u] < 0) {
        at[u] = 0;
        allocation.take(u);
        allocation.put(u, columns.path[0], columns.step[0]);
      }
    }
    this.sizes = new int[near.length];
    for (int u = 0; u < at.length; u++) {
      int g = allocation.group(u);
      if (sizes[g] == 0) {
        sizes[g] = near[g].count(within);
      }
      // Whoever has less may keep it.
      sizes[g] = Math.max(sizes[g], at[u] + 1);
    }
    this.movable =
        IntStream.range(0, at.length).filter(u -> sizes[allocation.group(u)] > 1).toArray();
    for (int e = 0; e < prices.length; e++) {
      price[e] = prices[e] / Profile.SCALE;
      charge[e] = harshness.first * Math.max(prices[e], UNPRICED * typical) / Profile.SCALE;
      over[e] = allocation.over(e);
    }
  }

  /**
   * Cools from one temperature to another in about so many proposals, or in fewer where time would
   * be over first.
   */
  void run(double from, double to, long proposals, Deadline end) {
    long rounds = movable.length == 0 ? 0 : Math.max(1, proposals / PROPOSALS_A_TEMPERATURE);
    double time = Math.max(1, end.nanosLeft());
    double done = 0;
    int next = 0;
    for (long i = 0; i < rounds && done < 1; i++) {
      double before = done;
      done = Math.max((i + 1.0) / rounds, 1 - end.nanosLeft() / time);
      harshen(Math.pow(rise, done - before));
      double temperature = from * Math.pow(to / from, done);
      for (int r = 0; r < PROPOSALS_A_TEMPERATURE; r++) {
        // One after the other: what belongs together lies together in memory.
        propose(next, temperature);
        next = next + 1 < movable.length ? next + 1 : 0;
      }
    }
    for (int u = 0; u < at.length; u++) {
      NearColumns columns = near[allocation.group(u)];
      if (columns.path[at[u]] != allocation.path(u) || columns.step[at[u]] != allocation.step(u)) {
        allocation.take(u);
        allocation.put(u, columns.path[at[u]], columns.step[at[u]]);
      }
    }
  }

  private void harshen(double times) {
    for (int e = 0; e < charge.length; e++) {
      charge[e] *= times;
    }
  }

  private void propose(int place, double temperature) {
    int u = movable[place];
    int now = at[u];
    double most = temperature * -Math.log(1 - random.nextDouble());
    double change = change(u, drawn(u));
    if (change <= most) {
      return;
    }
    int v = movable[(place + 1 + random.nextInt(NEIGHBOURS)) % movable.length];
    if (v != u) {
      int was = at[v];
      change += change(v, drawn(v));
      if (change <= most) {
        return;
      }
      change(v, was);
    }
    change(u, now);
  }

  /** Near columns more often than far ones. */
  private int drawn(int unit) {
    double draw = random.nextDouble();
    return (int) (draw * draw * sizes[allocation.group(unit)]);
  }

  /** What it costs to move a unit to another column, which is done. */
  private double change(int unit, int next) {
    NearColumns columns = near[allocation.group(unit)];
    int now = at[unit];
    at[unit] = next;
    if (next == now) {
      return 0;
    }
    double change = columns.loss[next] - columns.loss[now];
    return columns.hops[now] == columns.hops[next]
        ? change + move(columns.hops[now], columns.rate[next] - columns.rate[now])
        : change
            + move(columns.hops[now], -columns.rate[now])
            + move(columns.hops[next], columns.rate[next]);
  }

  /** What it costs to put so much more on the links, which is done. */
  private double move(int[] hops, long more) {
    double change = 0;
    for (int e : hops) {
      long before = over[e];
      long after = before + more;
      over[e] = after;
      change += after > 0 ? charge[e] * after : -price[e] * after;
      change -= before > 0 ? charge[e] * before : -price[e] * before;
    }
    return change;
  }
}
