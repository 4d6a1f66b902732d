package org.paceline.allocator.exact;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The linear relaxation of the multiple-choice knapsack: all groups climb their hulls, steepest
 * segment first, until one does not fit. Its slope is the price that proves the bound. O(S log S)
 * for S segments. Sinha and Zoltners 1979.
 */
final class HullGreedy {
  /** A step along a group's hull. */
  private static final class Segment {
    final int group;
    final int from;
    final int to;
    final double slope;

    Segment(int group, int from, int to, double slope) {
      this.group = group;
      this.from = from;
      this.to = to;
      this.slope = slope;
    }
  }

  /** Per group the item that all its copies have before the break segment. */
  final int[] base;

  final long baseWeight;
  final long baseValue;

  /** Value per weight at the margin; 0 where everybody has the best item. */
  final double price;

  /** Group of the break segment, or -1 where there is none. */
  final int breakGroup;

  /** The break segment's upper item. */
  final int breakItem;

  /** A feasible choice: per group and item how many copies. */
  final long[][] counts;

  final long value;

  HullGreedy(List<Choices> groups, long capacity) {
    Segment[] segments = segments(groups);
    base = new int[groups.size()];
    long weight = 0;
    long worth = 0;
    for (Choices group : groups) {
      weight += group.copies * group.weights[0];
      worth += group.copies * group.values[0];
    }
    int next = 0;
    while (next < segments.length) {
      Segment s = segments[next];
      Choices g = groups.get(s.group);
      long more = g.copies * (g.weights[s.to] - g.weights[s.from]);
      if (weight + more > capacity) {
        break;
      }
      weight += more;
      worth += g.copies * (g.values[s.to] - g.values[s.from]);
      base[s.group] = s.to;
      next++;
    }
    baseWeight = weight;
    baseValue = worth;
    boolean breaks = next < segments.length;
    price = breaks ? segments[next].slope : 0;
    breakGroup = breaks ? segments[next].group : -1;
    breakItem = breaks ? segments[next].to : -1;
    counts = new long[groups.size()][];
    for (int g = 0; g < base.length; g++) {
      counts[g] = new long[groups.get(g).size()];
      counts[g][base[g]] = groups.get(g).copies;
    }
    value = worth + fill(groups, segments, next, capacity - weight);
  }

  private static Segment[] segments(List<Choices> groups) {
    java.util.ArrayList<Segment> all = new java.util.ArrayList<>();
    for (int g = 0; g < groups.size(); g++) {
      int[] hull = groups.get(g).hull();
      for (int i = 1; i < hull.length; i++) {
        all.add(new Segment(g, hull[i - 1], hull[i], groups.get(g).slope(hull[i - 1], hull[i])));
      }
    }
    Segment[] sorted = all.toArray(new Segment[0]);
    // The sort is stable: of equal slopes a group's lower segment and the earlier group come first.
    Arrays.sort(sorted, Comparator.comparingDouble(s -> -s.slope));
    return sorted;
  }

  /** Uses what is left from the break segment on, as far as single copies fit. */
  private long fill(List<Choices> groups, Segment[] segments, int from, long left) {
    long gained = 0;
    for (int i = from; i < segments.length && left > 0; i++) {
      Segment s = segments[i];
      Choices g = groups.get(s.group);
      long weight = g.weights[s.to] - g.weights[s.from];
      long copies = Math.min(counts[s.group][s.from], left / weight);
      counts[s.group][s.from] -= copies;
      counts[s.group][s.to] += copies;
      left -= copies * weight;
      gained += copies * (g.values[s.to] - g.values[s.from]);
    }
    return gained;
  }
}
