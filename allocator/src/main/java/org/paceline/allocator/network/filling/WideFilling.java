package org.paceline.allocator.network.filling;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.paceline.allocator.network.groups.Allocation;
import org.paceline.allocator.network.groups.Demands;
import org.paceline.allocator.network.groups.Offers;
import org.paceline.allocator.network.groups.Profile;
import org.paceline.allocator.network.groups.Ways;
import org.paceline.allocator.network.prices.PriceSearch;
import org.paceline.allocator.path.Topology;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.LevelBound;
import org.paceline.intents.unit.Utility;

/**
 * Water-filling of networks that are too large to search: from an allocation at theta the lowest
 * are lifted first, each by the least that some known path has room for, until nobody can rise
 * while the others stay.
 *
 * <p>That need not be the best lexicographically. How far from it is bounded level by level, for as
 * long as there is time: how many can be above a level at most, while nobody is below theta, is a
 * linear programme of the same form as the others, and its prices prove it over all paths. O(steps
 * taken times columns of a group), and a {@link PriceSearch} for each bound.
 */
public final class WideFilling {
  private static final double ACCURACY = 1e-4;

  /** Beyond these the bounds hardly serve anybody, and each takes as long as the whole rest. */
  private static final int MOST_BOUNDS = 12;

  private final Demands demands;
  private final Ways ways;
  private final Topology idle;
  private final long theta;
  private final Allocation allocation;

  /**
   * @param start among all offers from theta, every copy a unit
   */
  public WideFilling(Demands demands, Ways ways, Topology idle, long theta, Allocation start) {
    this.demands = demands;
    this.ways = ways;
    this.idle = idle;
    this.theta = theta;
    this.allocation = start;
  }

  public Allocation lift(BooleanSupplier stop) {
    PriorityQueue<Integer> open =
        new PriorityQueue<>(
            Comparator.<Integer>comparingLong(allocation::utility)
                .thenComparingInt(Integer::intValue));
    for (int u = 0; u < allocation.units(); u++) {
      open.add(u);
    }
    for (Integer unit = open.poll(); unit != null && !stop.getAsBoolean(); unit = open.poll()) {
      if (rises(unit)) {
        open.add(unit);
      }
    }
    return allocation;
  }

  /** To the least better step on any path; of equals the one with the least rate. */
  private boolean rises(int unit) {
    int way = allocation.path(unit);
    int step = allocation.step(unit);
    long now = allocation.utility(unit);
    allocation.take(unit);
    int bestWay = way;
    int bestStep = step;
    long least = Long.MAX_VALUE;
    long rate = Long.MAX_VALUE;
    for (int j = 0; j < allocation.ways(unit); j++) {
      if (!allocation.offers().open(allocation.group(unit), j)) {
        continue;
      }
      Profile profile = allocation.profile(unit, j);
      int next = profile.firstAtLeast(now + 1);
      long utility = profile.utility(next);
      boolean better = utility < least || (utility == least && profile.rate(next) < rate);
      if (utility > now && better && profile.rate(next) <= allocation.room(unit, j)) {
        bestWay = j;
        bestStep = next;
        least = utility;
        rate = profile.rate(next);
      }
    }
    allocation.put(unit, bestWay, bestStep);
    return least < Long.MAX_VALUE;
  }

  /** Of the lowest levels of the allocation. */
  public List<LevelBound> bounds(BooleanSupplier stop) {
    TreeMap<Long, Long> counts = new TreeMap<>();
    for (int u = 0; u < allocation.units(); u++) {
      counts.merge(allocation.utility(u), 1L, Long::sum);
    }
    List<LevelBound> bounds = new ArrayList<>();
    double[] prices = new double[0];
    for (long level : counts.keySet()) {
      if (bounds.size() == MOST_BOUNDS || stop.getAsBoolean()) {
        break;
      }
      PriceSearch search = new PriceSearch(Offers.above(demands, ways, theta, level), idle, stop);
      if (prices.length > 0) {
        search.from(prices, 0.02);
      }
      search.run(ACCURACY);
      prices = search.prices();
      long above = search.billionths() / Utility.SCALE;
      bounds.add(
          LevelBound.of(
              Utility.ofBillionths(level),
              Math.max(0, demands.copies() - above),
              Certificate.Proof.PRICES,
              inApplications(prices),
              Map.of()));
    }
    return bounds;
  }

  /** The programme counts an application as a utility of 1. */
  private Map<LinkId, Double> inApplications(double[] prices) {
    Map<LinkId, Double> byLink = new HashMap<>();
    for (int e = 0; e < prices.length; e++) {
      if (prices[e] > 0) {
        byLink.put(idle.id(e), prices[e] / Profile.SCALE);
      }
    }
    return byLink;
  }
}
