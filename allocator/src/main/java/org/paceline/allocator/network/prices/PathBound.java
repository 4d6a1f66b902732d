package org.paceline.allocator.network.prices;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.paceline.allocator.network.groups.Demands;
import org.paceline.allocator.network.groups.Offers;
import org.paceline.allocator.network.groups.Profile;
import org.paceline.allocator.path.CheapestPaths;
import org.paceline.allocator.path.Topology;

/**
 * The bound at given prices over all loop-free paths, and the paths that it asks for.
 *
 * <p>Links are taken at the delay that they have when idle: whatever load an allocation puts on
 * them, its paths are no faster. Of tight offers whose delays do not depend on load all paths are
 * known, and the bound is over these. Sources are looked at side by side, what they say is added up
 * in their order.
 */
final class PathBound {
  private static final double WORTH_A_PATH = 1e-7;

  private final Offers offers;
  private final Topology idle;
  private final boolean complete;

  /** The first pair of each source, and one more than the last of all. */
  private final int[] firstPair;

  /** A path that is worth more than those its pair has. */
  private static final class Asked {
    final int pair;
    final int[] path;

    Asked(int pair, int[] path) {
      this.pair = pair;
      this.path = path;
    }
  }

  PathBound(Offers offers, Topology idle) {
    this.offers = offers;
    this.idle = idle;
    this.complete = offers.isTight() && offers.ways().topology().sameDelays(idle);
    Demands demands = offers.demands();
    IntStream starts =
        IntStream.range(0, demands.pairs())
            .filter(p -> p == 0 || !demands.pair(p).from().equals(demands.pair(p - 1).from()));
    this.firstPair = IntStream.concat(starts, IntStream.of(demands.pairs())).toArray();
  }

  /**
   * A value in billionths, rounded up by more than the arithmetic can be off; the greatest long
   * where it is more than that.
   */
  static long billionths(double value) {
    return (long) Math.ceil(value * Profile.SCALE + Math.abs(value) * Profile.SCALE * 1e-13 + 1);
  }

  /**
   * In units of 1; paths come in that improve on what the known ones are worth. Infinite where time
   * was over before all sources were looked at.
   */
  double valueAddingPaths(double[] prices, BooleanSupplier stop) {
    List<List<Asked>> asked = new ArrayList<>();
    for (int source = 0; source < firstPair.length - 1; source++) {
      asked.add(new ArrayList<>());
    }
    double value =
        sum(
            prices,
            source ->
                stop.getAsBoolean()
                    ? Double.POSITIVE_INFINITY
                    : worthFrom(source, prices, asked.get(source)::add));
    asked.forEach(ofSource -> ofSource.forEach(one -> offers.ways().add(one.pair, one.path)));
    offers.refresh();
    return value;
  }

  private double sum(double[] prices, IntToDoubleFunction worthFrom) {
    double[] worths =
        IntStream.range(0, firstPair.length - 1).parallel().mapToDouble(worthFrom).toArray();
    double sum = 0;
    for (int e = 0; e < prices.length; e++) {
      sum += prices[e] * idle.limit(e) / Profile.SCALE;
    }
    for (double worth : worths) {
      sum += worth;
    }
    return sum;
  }

  private double worthFrom(int source, double[] prices, Consumer<Asked> asked) {
    Demands demands = offers.demands();
    int first = firstPair[source];
    int end = firstPair[source + 1];
    List<List<CheapestPaths.Label>> labels = complete ? List.of() : labelsFrom(first, end, prices);
    double sum = 0;
    for (int p = first; p < end; p++) {
      double[] known = offers.ways().prices(p, prices);
      if (complete) {
        for (int g : demands.pair(p).groups()) {
          sum += demands.group(g).count() * offers.worth(g, known);
        }
        continue;
      }
      List<CheapestPaths.Label> here = labels.get(idle.node(demands.pair(p).to()));
      for (int g : demands.pair(p).groups()) {
        double worth = offers.worth(g, here);
        sum += demands.group(g).count() * worth;
        if (worth > offers.worth(g, known) + WORTH_A_PATH) {
          ask(g, here, worth, asked);
        }
      }
    }
    return sum;
  }

  /** From the source that these pairs share. */
  private List<List<CheapestPaths.Label>> labelsFrom(int first, int end, double[] prices) {
    Demands demands = offers.demands();
    long mostDelay = 0;
    for (int p = first; p < end; p++) {
      mostDelay = Math.max(mostDelay, demands.mostDelay(p));
    }
    return new CheapestPaths(idle).from(idle.node(demands.pair(first).from()), prices, mostDelay);
  }

  private void ask(
      int group, List<CheapestPaths.Label> labels, double worth, Consumer<Asked> asked) {
    for (CheapestPaths.Label label : labels) {
      double here =
          offers
              .atDelay(group, label.delay())
              .map(f -> f.worth(label.price()))
              .orElse(Double.NEGATIVE_INFINITY);
      if (here >= worth - WORTH_A_PATH / 2) {
        asked.accept(new Asked(offers.demands().group(group).pair(), label.path()));
        return;
      }
    }
  }
}
