package org.paceline.intents.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.utility.UtilityFunction;

/**
 * What the cells of a table cost at given link prices, for applications that choose together: those
 * with the same function, source and destination, or, where a type shares one cell, all with the
 * same function.
 *
 * <p>A path serves a cell if its least delay is within the cell's and each of its links alone could
 * carry the cell's rate: every allocation keeps at least that.
 */
final class CellPrices {
  /** Applications that choose together. */
  static final class Choosers {
    final UtilityFunction function;
    private final Map<LinkId, Long> countByEnds = new LinkedHashMap<>();
    private long count;

    private Choosers(UtilityFunction function) {
      this.function = function;
    }

    long count() {
      return count;
    }

    boolean has(Application application) {
      return function.name().equals(application.utilityFunction().name())
          && countByEnds.containsKey(LinkId.of(application.from(), application.to()));
    }

    private void add(Application application) {
      count += application.count();
      countByEnds.merge(
          LinkId.of(application.from(), application.to()), (long) application.count(), Long::sum);
    }

    @Override
    public String toString() {
      LinkId first = countByEnds.keySet().iterator().next();
      return function.name() + " from " + first.from() + " to " + first.to();
    }
  }

  private final Problem problem;
  private final Map<LinkId, Double> prices;
  private final long[] limits;
  private final long mostDelay;
  private final Map<String, PricedPaths> searches = new HashMap<>();

  CellPrices(Problem problem, Map<LinkId, Double> prices) {
    this.problem = problem;
    this.prices = prices;
    TreeSet<Long> distinct = new TreeSet<>();
    problem.network().links().forEach(l -> distinct.add(l.limitMillibits()));
    this.limits = distinct.stream().mapToLong(Long::longValue).toArray();
    this.mostDelay =
        problem.applications().stream()
            .map(Application::utilityFunction)
            .mapToLong(f -> f.delayNanos(f.delayBins() - 1))
            .max()
            .orElse(0);
  }

  /** False, with a sentence for each that is none. */
  static boolean arePrices(
      Problem problem, String what, Map<LinkId, Double> prices, List<String> violations) {
    int before = violations.size();
    prices.forEach(
        (link, price) -> {
          if (problem.network().link(link).isEmpty()) {
            violations.add("There is a " + what + " for (" + link + "), which is no link.");
          }
          if (!(price >= 0 && price < Double.POSITIVE_INFINITY)) {
            violations.add(
                "The " + what + " (" + price + ") of (" + link + ") must be finite and from 0.");
          }
        });
    return violations.size() == before;
  }

  static List<Choosers> choosers(Problem problem) {
    Map<List<String>, Choosers> groups = new LinkedHashMap<>();
    for (Application application : problem.applications()) {
      UtilityFunction function = application.utilityFunction();
      List<String> key =
          problem.sharing() == Sharing.SAME_UTILITY_PER_TYPE
              ? List.of(function.name())
              : List.of(function.name(), application.from(), application.to());
      groups.computeIfAbsent(key, k -> new Choosers(function)).add(application);
    }
    return new ArrayList<>(groups.values());
  }

  /**
   * The price of one millibit per second for every chooser, each on its cheapest path, by rate bin
   * and delay bin; infinite where one of them has no path.
   */
  double[][] unitPrices(Choosers choosers) {
    UtilityFunction function = choosers.function;
    double[][] byRate = new double[function.throughputBins()][];
    int known = -1;
    for (int t = 0; t < byRate.length; t++) {
      int narrow = narrowerThan(function.rateMillibits(t));
      byRate[t] = narrow == known ? byRate[t - 1] : unitPrices(choosers, t, narrow);
      known = narrow;
    }
    return byRate;
  }

  private double[] unitPrices(Choosers choosers, int rateBin, int narrow) {
    UtilityFunction function = choosers.function;
    double[] sums = new double[function.delayBins()];
    choosers.countByEnds.forEach(
        (ends, count) -> {
          PricedPaths paths =
              searches.computeIfAbsent(
                  narrow + " " + ends.from(),
                  key ->
                      new PricedPaths(
                          problem.network(),
                          ends.from(),
                          prices,
                          function.rateMillibits(rateBin),
                          mostDelay));
          for (int d = 0; d < sums.length; d++) {
            sums[d] += count * paths.leastPrice(ends.to(), function.delayNanos(d));
          }
        });
    return sums;
  }

  /** How many of the distinct limits are too narrow for the rate: one path search serves each. */
  private int narrowerThan(long rate) {
    int narrow = 0;
    while (narrow < limits.length && limits[narrow] < rate) {
      narrow++;
    }
    return narrow;
  }
}
