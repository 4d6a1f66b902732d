package org.paceline.allocator.network.groups;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Who has which step on which path, and what each link carries: the one thing here that changes.
 *
 * <p>Of a group with many copies most are placed in bulk as the prices say; the others, the units,
 * are what a search moves about. {@code prices.Dealing} makes the first one.
 */
public final class Allocation {
  public static final int NOWHERE = -1;

  private final Offers offers;
  private final long[] limits;
  private final long[] loads;
  private final int[] group;
  private final int[] path;
  private final int[] step;
  private final List<long[]> bulk = new ArrayList<>();
  private long sum;

  /** With the group of each unit; nobody has anything yet. */
  public Allocation(Offers offers, int[] group) {
    this.offers = offers;
    this.group = group;
    this.path = new int[group.length];
    this.step = new int[group.length];
    Arrays.fill(path, NOWHERE);
    int links = offers.ways().topology().links();
    this.loads = new long[links];
    this.limits = new long[links];
    for (int e = 0; e < links; e++) {
      limits[e] = offers.ways().topology().limit(e);
    }
  }

  /** Every copy a unit, nobody has anything yet. */
  public static Allocation ofUnits(Offers offers) {
    int total = Math.toIntExact(offers.demands().copies());
    int[] group = new int[total];
    int u = 0;
    for (int g = 0; g < offers.demands().groups(); g++) {
      int next = u + (int) offers.demands().group(g).count();
      Arrays.fill(group, u, next, g);
      u = next;
    }
    return new Allocation(offers, group);
  }

  /** The same choices among other offers: of each path the first step of at least the utility. */
  public Allocation among(Offers others) {
    Allocation same = new Allocation(others, group);
    for (long[] part : bulk) {
      int g = (int) part[0];
      int j = (int) part[1];
      long utility = offers.profile(g, j).utility((int) part[2]);
      same.placeBulk(g, j, others.profile(g, j).firstAtLeast(utility), part[3]);
    }
    for (int u = 0; u < group.length; u++) {
      Profile profile = others.profile(group[u], path[u]);
      same.put(u, path[u], profile.firstAtLeast(utility(u)));
    }
    return same;
  }

  /** The same choices with every copy a unit. */
  public Allocation inUnits() {
    Allocation units = ofUnits(offers);
    int[] next = new int[offers.demands().groups() + 1];
    for (int g = 1; g < next.length; g++) {
      next[g] = next[g - 1] + (int) offers.demands().group(g - 1).count();
    }
    for (long[] part : bulk) {
      for (long i = 0; i < part[3]; i++) {
        units.put(next[(int) part[0]]++, (int) part[1], (int) part[2]);
      }
    }
    for (int u = 0; u < group.length; u++) {
      units.put(next[group[u]]++, path[u], step[u]);
    }
    return units;
  }

  public void placeBulk(int g, int way, int at, long count) {
    Profile profile = offers.profile(g, way);
    bulk.add(new long[] {g, way, at, count});
    sum += profile.utility(at) * count;
    for (int e : offers.ways().path(offers.demands().group(g).pair(), way)) {
      loads[e] += profile.rate(at) * count;
    }
  }

  public Offers offers() {
    return offers;
  }

  public int units() {
    return group.length;
  }

  public int group(int unit) {
    return group[unit];
  }

  public int path(int unit) {
    return path[unit];
  }

  public int step(int unit) {
    return step[unit];
  }

  /** Groups in bulk: group, path, step, count. */
  public List<long[]> bulk() {
    return bulk;
  }

  /** Billionths, of all that are placed. */
  public long sum() {
    return sum;
  }

  public long over(int link) {
    return loads[link] - limits[link];
  }

  public long limit(int link) {
    return limits[link];
  }

  public int links() {
    return limits.length;
  }

  public int[] hops(int unit, int way) {
    return offers.ways().path(offers.demands().group(group[unit]).pair(), way);
  }

  public int ways(int unit) {
    return offers.ways().count(offers.demands().group(group[unit]).pair());
  }

  public Profile profile(int unit, int way) {
    return offers.profile(group[unit], way);
  }

  public long utility(int unit) {
    return path[unit] == NOWHERE ? 0 : profile(unit, path[unit]).utility(step[unit]);
  }

  public void take(int unit) {
    if (path[unit] != NOWHERE) {
      Profile profile = profile(unit, path[unit]);
      sum -= profile.utility(step[unit]);
      long rate = profile.rate(step[unit]);
      for (int e : hops(unit, path[unit])) {
        loads[e] -= rate;
      }
      path[unit] = NOWHERE;
    }
  }

  /** The unit must have nothing. */
  public void put(int unit, int way, int newStep) {
    if (way == NOWHERE) {
      return;
    }
    Profile profile = profile(unit, way);
    sum += profile.utility(newStep);
    long rate = profile.rate(newStep);
    for (int e : hops(unit, way)) {
      loads[e] += rate;
    }
    path[unit] = way;
    step[unit] = newStep;
  }

  /** What fits on the path beside everything else. */
  public long room(int unit, int way) {
    long room = Long.MAX_VALUE;
    for (int e : hops(unit, way)) {
      room = Math.min(room, limits[e] - loads[e]);
    }
    return room;
  }

  public boolean fits() {
    for (int e = 0; e < limits.length; e++) {
      if (loads[e] > limits[e]) {
        return false;
      }
    }
    for (int way : path) {
      if (way == NOWHERE) {
        return false;
      }
    }
    return true;
  }

  /** The choices of all units, to come back to. */
  public int[][] choices() {
    return new int[][] {path.clone(), step.clone()};
  }

  public void restore(int[][] choices) {
    for (int u = 0; u < group.length; u++) {
      if (path[u] != choices[0][u] || step[u] != choices[1][u]) {
        take(u);
        put(u, choices[0][u], choices[1][u]);
      }
    }
  }

  /** Of a unit's way: the sum of the prices of its links. */
  public double price(int unit, int way, double[] prices) {
    double sum = 0;
    for (int e : hops(unit, way)) {
      sum += prices[e];
    }
    return sum;
  }
}
