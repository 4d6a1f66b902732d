package org.paceline.allocator.network;

import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Moves the units of an allocation from column to column by simulated annealing (Kirkpatrick,
 * Gelatt, Vecchi 1983).
 *
 * <p>The cost is what keeps the sum below the bound of the prices: what choices are worth less than
 * the best, and what links have left at their prices; and in place of what may not be, what links
 * carry too much at a multiple of their prices. O(path length) a proposal.
 */
final class Annealing {
  private static final int PROPOSALS_A_TEMPERATURE = 4_096;

  /** What excess costs on a link without a price, as a share of what is typical. */
  private static final double UNPRICED = 0.1;

  private final Allocation allocation;
  private final NearColumns[] near;
  private final double[] price;
  private final double[] charge;
  private final long[] over;
  private final int[] at;
  private final int[] sizes;
  private final int[] movable;
  private final SplittableRandom random;

  /**
   * @param within how much less than the best a column may be worth to be proposed
   * @param harshness how many times its price a link's excess costs
   */
  Annealing(
      Allocation allocation,
      NearColumns[] near,
      double[] prices,
      double typical,
      double within,
      double harshness,
      SplittableRandom random) {
    this.allocation = allocation;
    this.near = near;
    this.random = random;
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
      charge[e] = harshness * Math.max(prices[e], UNPRICED * typical) / Profile.SCALE;
      over[e] = allocation.over(e);
    }
  }

  /** About so many proposals, cooling from one temperature to another. */
  void run(double from, double to, long proposals, BooleanSupplier stop) {
    long rounds = movable.length == 0 ? 0 : Math.max(1, proposals / PROPOSALS_A_TEMPERATURE);
    int next = 0;
    for (long i = 0; i < rounds && !stop.getAsBoolean(); i++) {
      double temperature = from * Math.pow(to / from, i / (double) rounds);
      for (int r = 0; r < PROPOSALS_A_TEMPERATURE; r++) {
        // One after the other: what belongs together lies together in memory.
        propose(movable[next], temperature);
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

  private void propose(int u, double temperature) {
    int group = allocation.group(u);
    NearColumns columns = near[group];
    double draw = random.nextDouble();
    // Near columns more often than far ones.
    int next = (int) (draw * draw * sizes[group]);
    int now = at[u];
    if (next == now) {
      return;
    }
    double most = temperature * -Math.log(1 - random.nextDouble());
    double change = columns.loss[next] - columns.loss[now];
    long oldRate = columns.rate[now];
    long newRate = columns.rate[next];
    int[] oldHops = columns.hops[now];
    int[] newHops = columns.hops[next];
    boolean accepted;
    if (oldHops == newHops) {
      change += move(oldHops, newRate - oldRate);
      accepted = change <= most;
      if (!accepted) {
        shift(oldHops, oldRate - newRate);
      }
    } else {
      change += move(oldHops, -oldRate) + move(newHops, newRate);
      accepted = change <= most;
      if (!accepted) {
        shift(oldHops, oldRate);
        shift(newHops, -newRate);
      }
    }
    if (accepted) {
      at[u] = next;
    }
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

  private void shift(int[] hops, long more) {
    for (int e : hops) {
      over[e] += more;
    }
  }
}
