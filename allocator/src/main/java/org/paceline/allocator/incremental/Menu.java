package org.paceline.allocator.incremental;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.paceline.allocator.exact.Staircase;
import org.paceline.allocator.path.CheapestPaths;
import org.paceline.allocator.path.Topology;
import org.paceline.intents.utility.UtilityFunction;

/** What applications of one function may choose between two nodes, and its worth at the prices. */
final class Menu {
  private final List<int[]> paths = new ArrayList<>();
  private final List<Double> prices = new ArrayList<>();
  private final List<Staircase> stairs = new ArrayList<>();
  private final List<Integer> first = new ArrayList<>();
  private final UtilityFunction function;
  private final Topology full;
  private final double[] linkPrices;
  private final long floor;
  private double worth = Double.NEGATIVE_INFINITY;

  /** Labels hold for idle links: what bounds everybody. Only paths that hold when full are used. */
  Menu(
      UtilityFunction function,
      List<CheapestPaths.Label> labels,
      Topology full,
      double[] linkPrices,
      long floor) {
    this.function = function;
    this.full = full;
    this.linkPrices = linkPrices;
    this.floor = floor;
    for (CheapestPaths.Label label : labels) {
      Optional<Staircase> at = Staircase.of(function, label.delay());
      if (at.isPresent()) {
        for (int s = at.get().firstAtLeast(floor); s < at.get().size(); s++) {
          worth =
              Math.max(
                  worth, at.get().utilityBillionths(s) - at.get().rateMillibits(s) * label.price());
        }
      }
      add(label.path());
    }
  }

  /** The number of the path; -1 where it is too slow for the floor. */
  int add(int[] path) {
    for (int j = 0; j < paths.size(); j++) {
      if (java.util.Arrays.equals(paths.get(j), path)) {
        return j;
      }
    }
    Optional<Staircase> at = Staircase.of(function, full.delay(path));
    if (at.isEmpty() || at.get().firstAtLeast(floor) == at.get().size()) {
      return -1;
    }
    double price = 0;
    for (int e : path) {
      price += linkPrices[e];
    }
    paths.add(path);
    prices.add(price);
    stairs.add(at.get());
    first.add(at.get().firstAtLeast(floor));
    return paths.size() - 1;
  }

  /** No copy adds more than this to the bound at these prices, in billionths. */
  double worth() {
    return worth;
  }

  int ways() {
    return paths.size();
  }

  int[] path(int way) {
    return paths.get(way);
  }

  double price(int way) {
    return prices.get(way);
  }

  Staircase stairs(int way) {
    return stairs.get(way);
  }

  /** The least step at the floor. */
  int first(int way) {
    return first.get(way);
  }

  /** The step that is worth most at the prices, if there is room for it. */
  int wanted(int way) {
    int wanted = first(way);
    for (int s = wanted + 1; s < stairs(way).size(); s++) {
      if (utility(way, s) - utility(way, wanted)
          > (rate(way, s) - rate(way, wanted)) * price(way)) {
        wanted = s;
      }
    }
    return wanted;
  }

  long rate(int way, int step) {
    return stairs.get(way).rateMillibits(step);
  }

  long utility(int way, int step) {
    return stairs.get(way).utilityBillionths(step);
  }
}
