package org.paceline.allocator.exact;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Searches all choices near the linear optimum: those in which a few copies deviate from it.
 *
 * <p>At the price p each copy that takes another item than its group's base loses {@code p dw - dv
 * >= 0} against the bound, and so does every unit of capacity left over. A choice that is better
 * than a known one therefore loses less than the known gap in all, which few copies can. States are
 * (weight, value) sums of deviations; a state that weighs no less and is worth no more than another
 * is dropped, and so is one whose loss is above the budget: exact, and small while the budget is.
 *
 * <p>The copies of the break segment lose nothing and are filled in last. Each copy of their group
 * may deviate or climb the break segment, never both; so that group goes through the states last, a
 * layer for each number of its deviating copies. Pisinger 1995, "A minimal algorithm for the
 * multiple-choice knapsack problem", extended to copies.
 */
final class Deviations {
  /** Losses are doubles of a magnitude of 1e9; this is far above their error, far below a step. */
  private static final double ROUNDING = 1.0;

  private final List<Choices> groups;
  private final HullGreedy linear;
  private final long room;
  private final int mostStates;
  private final long mostWork;

  // The arena: a state's sums, the state that it came from and the deviation that was added.
  private long[] weights = new long[256];
  private long[] values = new long[256];
  private int[] parents = new int[256];
  private int[] groupOf = new int[256];
  private int[] itemOf = new int[256];
  private int states;
  private long work;

  private double budget;
  private boolean exhausted;
  private long bestValue;
  private long @Nullable [][] bestCounts;

  Deviations(List<Choices> groups, HullGreedy linear, long capacity, int mostStates) {
    this.groups = groups;
    this.linear = linear;
    this.room = capacity - linear.baseWeight;
    this.mostStates = mostStates;
    this.mostWork = 64L * mostStates;
    this.bestValue = linear.value - linear.baseValue;
  }

  /**
   * Looks at every choice that loses at most the budget.
   *
   * @return whether it could look at all of them within the limit on states
   */
  boolean search(double lossBudget) {
    budget = lossBudget;
    exhausted = true;
    states = 0;
    work = 0;
    int[] front = {add(0, 0, -1, -1, -1)};
    for (int g = 0; g < groups.size() && exhausted; g++) {
      if (g != linear.breakGroup) {
        front = throughGroup(g, front);
      }
    }
    if (exhausted) {
      throughBreakGroup(front);
    }
    return exhausted;
  }

  /** The best choice's value, the search's or the greedy one's. */
  long value() {
    return linear.baseValue + bestValue;
  }

  /** The gap that the best choice leaves to the linear bound. */
  double gap() {
    return linear.price * room - bestValue;
  }

  private int[] throughGroup(int g, int[] front) {
    int[] items = itemsWithin(g);
    if (items.length == 0) {
      return front;
    }
    int[] all = front;
    int[] layer = front;
    for (long copy = 0; copy < groups.get(g).copies && layer.length > 0 && exhausted; copy++) {
      layer = withoutDominated(oneMoreCopy(g, items, layer), all);
      all = merge(all, layer);
    }
    return all;
  }

  private void throughBreakGroup(int[] front) {
    int g = linear.breakGroup;
    Choices group = groups.get(g);
    int[] items = itemsWithin(g);
    int[] all = front;
    int[] layer = front;
    for (long copy = 0; ; copy++) {
      for (int state : layer) {
        consider(state, group.copies - copy);
      }
      if (copy == group.copies || layer.length == 0 || items.length == 0 || !exhausted) {
        return;
      }
      layer = withoutDominated(oneMoreCopy(g, items, layer), all);
      all = merge(all, layer);
    }
  }

  /** Completes a state with as many copies on the break segment as fit. */
  private void consider(int state, long copiesLeft) {
    long left = room - weights[state];
    if (left < 0) {
      return;
    }
    Choices group = groups.get(linear.breakGroup);
    int base = linear.base[linear.breakGroup];
    long fill =
        Math.min(copiesLeft, left / (group.weights[linear.breakItem] - group.weights[base]));
    long value = values[state] + fill * (group.values[linear.breakItem] - group.values[base]);
    if (value > bestValue) {
      bestValue = value;
      budget = Math.min(budget, gap());
      bestCounts = countsOf(state, fill);
    }
  }

  /** Later searches reuse the arena, so the counts are taken down at once. */
  private long[][] countsOf(int state, long fill) {
    long[][] counts = new long[groups.size()][];
    for (int g = 0; g < counts.length; g++) {
      counts[g] = new long[groups.get(g).size()];
      counts[g][linear.base[g]] = groups.get(g).copies;
    }
    for (int s = state; parents[s] >= 0; s = parents[s]) {
      counts[groupOf[s]][linear.base[groupOf[s]]]--;
      counts[groupOf[s]][itemOf[s]]++;
    }
    counts[linear.breakGroup][linear.base[linear.breakGroup]] -= fill;
    counts[linear.breakGroup][linear.breakItem] += fill;
    return counts;
  }

  long[][] counts() {
    long[][] best = bestCounts;
    return best == null ? linear.counts : best;
  }

  private double loss(long weight, long value) {
    return linear.price * weight - value;
  }

  private int[] itemsWithin(int g) {
    Choices group = groups.get(g);
    int base = linear.base[g];
    int[] items = new int[group.size()];
    int found = 0;
    for (int item = 0; item < group.size(); item++) {
      boolean free = item == base || (g == linear.breakGroup && item == linear.breakItem);
      if (!free
          && loss(
                  group.weights[item] - group.weights[base],
                  group.values[item] - group.values[base])
              <= budget + ROUNDING) {
        items[found++] = item;
      }
    }
    return Arrays.copyOf(items, found);
  }

  /** All states of the layer with one more copy of the group deviating, dominated ones dropped. */
  private int[] oneMoreCopy(int g, int[] items, int[] layer) {
    Choices group = groups.get(g);
    int base = linear.base[g];
    int[] merged = new int[0];
    for (int item : items) {
      long weight = group.weights[item] - group.weights[base];
      long value = group.values[item] - group.values[base];
      int[] shifted = new int[layer.length];
      int kept = 0;
      for (int state : layer) {
        long w = weights[state] + weight;
        long v = values[state] + value;
        if (loss(w, v) <= budget + ROUNDING) {
          if (states >= mostStates) {
            exhausted = false;
            return merged;
          }
          shifted[kept++] = add(w, v, state, g, item);
        }
      }
      merged = merge(merged, Arrays.copyOf(shifted, kept));
    }
    return merged;
  }

  private int add(long weight, long value, int parent, int group, int item) {
    if (states == weights.length) {
      int larger = 2 * states;
      weights = Arrays.copyOf(weights, larger);
      values = Arrays.copyOf(values, larger);
      parents = Arrays.copyOf(parents, larger);
      groupOf = Arrays.copyOf(groupOf, larger);
      itemOf = Arrays.copyOf(itemOf, larger);
    }
    weights[states] = weight;
    values[states] = value;
    parents[states] = parent;
    groupOf[states] = group;
    itemOf[states] = item;
    return states++;
  }

  /** Two fronts, each increasing in weight and value, as one; of equals the first's. */
  private int[] merge(int[] a, int[] b) {
    if (a.length == 0 || b.length == 0) {
      return a.length == 0 ? b : a;
    }
    work += a.length + b.length;
    exhausted &= work < mostWork;
    int[] merged = new int[a.length + b.length];
    int size = 0;
    int i = 0;
    int j = 0;
    long best = Long.MIN_VALUE;
    while (i < a.length || j < b.length) {
      int state = j == b.length || (i < a.length && notAfter(a[i], b[j])) ? a[i++] : b[j++];
      if (values[state] > best) {
        best = values[state];
        merged[size++] = state;
      }
    }
    return Arrays.copyOf(merged, size);
  }

  private boolean notAfter(int a, int b) {
    return weights[a] < weights[b] || (weights[a] == weights[b] && values[a] >= values[b]);
  }

  /** Those of a layer that no state with at most as many deviating copies dominates. */
  private int[] withoutDominated(int[] layer, int[] all) {
    int[] kept = new int[layer.length];
    int size = 0;
    int i = 0;
    long best = Long.MIN_VALUE;
    for (int state : layer) {
      while (i < all.length && weights[all[i]] <= weights[state]) {
        best = Math.max(best, values[all[i++]]);
      }
      if (values[state] > best) {
        kept[size++] = state;
      }
    }
    return Arrays.copyOf(kept, size);
  }
}
