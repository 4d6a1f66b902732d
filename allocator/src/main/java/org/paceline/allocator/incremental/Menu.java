package org.paceline.allocator.incremental;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import org.paceline.allocator.path.CheapestPaths;
import org.paceline.allocator.path.Topology;

/** What applications of one function may choose between two nodes, and its worth at the prices. */
final class Menu {
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

  /** The way on that path; empty where it is too slow for the floor. */
  Optional<Way> add(int[] path) {
    for (Way way : ways) {
      if (Arrays.equals(way.path, path)) {
        return Optional.of(way);
      }
    }
    Optional<Steps> steps = atDelay.apply(full.delay(path));
    if (steps.isEmpty()) {
      return Optional.empty();
    }
    double price = 0;
    for (int e : path) {
      price += linkPrices[e];
    }
    Way way = new Way(path, steps.get(), price);
    ways.add(way);
    return Optional.of(way);
  }

  /** No copy adds more than this to the bound at these prices, in billionths. */
  double worth() {
    return worth;
  }

  /** In no order that matters; may grow. */
  List<Way> ways() {
    return ways;
  }
}
