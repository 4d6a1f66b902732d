package org.paceline.allocator.incremental;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import org.paceline.allocator.exact.Staircase;
import org.paceline.allocator.path.CheapestPaths;
import org.paceline.allocator.path.Topology;

/** What applications of one function may choose between two nodes, and its worth at the prices. */
final class Menu {
  /** One path, with what it costs and which step is worth most at that price. */
  private static final class Way {
    final int[] path;
    final Steps steps;
    final double price;
    final int wanted;

    Way(int[] path, Steps steps, double price) {
      this.path = path;
      this.steps = steps;
      this.price = price;
      this.wanted = steps.wanted(price);
    }
  }

  private final List<Way> ways = new ArrayList<>();
  private final LongFunction<Optional<Steps>> atDelay;
  private final Topology full;
  private final double[] linkPrices;
  private double worth = Double.NEGATIVE_INFINITY;

  /**
   * Labels hold for idle links: what bounds everybody. Only paths that hold when full are used.
   *
   * @param atDelay what a path of a delay offers, empty where it is too slow for the floor
   */
  Menu(
      LongFunction<Optional<Steps>> atDelay,
      List<CheapestPaths.Label> labels,
      Topology full,
      double[] linkPrices) {
    this.atDelay = atDelay;
    this.full = full;
    this.linkPrices = linkPrices;
    for (CheapestPaths.Label label : labels) {
      Optional<Steps> steps = atDelay.apply(label.delay());
      if (steps.isPresent()) {
        worth = Math.max(worth, steps.get().worth(label.price()));
      }
      add(label.path());
    }
  }

  /** The number of the path; -1 where it is too slow for the floor. */
  int add(int[] path) {
    for (int j = 0; j < ways.size(); j++) {
      if (Arrays.equals(ways.get(j).path, path)) {
        return j;
      }
    }
    Optional<Steps> steps = atDelay.apply(full.delay(path));
    if (steps.isEmpty()) {
      return -1;
    }
    double price = 0;
    for (int e : path) {
      price += linkPrices[e];
    }
    ways.add(new Way(path, steps.get(), price));
    return ways.size() - 1;
  }

  /** No copy adds more than this to the bound at these prices, in billionths. */
  double worth() {
    return worth;
  }

  int ways() {
    return ways.size();
  }

  int[] path(int way) {
    return ways.get(way).path;
  }

  double price(int way) {
    return ways.get(way).price;
  }

  Steps steps(int way) {
    return ways.get(way).steps;
  }

  Staircase stairs(int way) {
    return steps(way).stairs();
  }

  /** The least step at the floor. */
  int first(int way) {
    return steps(way).first();
  }

  /** The step that is worth most at the prices, if there is room for it. */
  int wanted(int way) {
    return ways.get(way).wanted;
  }

  long rate(int way, int step) {
    return steps(way).rate(step);
  }

  long utility(int way, int step) {
    return steps(way).utility(step);
  }
}
