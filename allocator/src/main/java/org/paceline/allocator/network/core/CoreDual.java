package org.paceline.allocator.network.core;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What prices of a core's links and quotas prove: that no choice is worth more than {@link #bound},
 * and that one with a column is worth less by what the column loses. Weak duality; reduced costs.
 */
public final class CoreDual {
  private final CoreProblem problem;
  private final double[] prices;
  private final double bound;
  private final double[] bestOfGroup;
  private final Map<Integer, Double> bestOfType = new HashMap<>();
  private final Map<Integer, Map<Integer, Double>> cellsOfGroup = new HashMap<>();
  private final Map<Integer, Map<Integer, Double>> cellsOfType = new TreeMap<>();

  /**
   * @param prices of links, then of quotas, from 0
   */
  public CoreDual(CoreProblem problem, double[] prices) {
    this.problem = problem;
    this.prices = prices;
    this.bestOfGroup = new double[problem.groups()];
    double sum = 0;
    for (int e = 0; e < problem.links(); e++) {
      sum += prices[e] * problem.limit(e);
    }
    for (int q = 0; q < problem.quotas(); q++) {
      sum += prices[problem.links() + q] * problem.quota(q);
    }
    for (int g = 0; g < problem.groups(); g++) {
      Map<Integer, Double> cells = new HashMap<>();
      double best = Double.NEGATIVE_INFINITY;
      for (int c = 0; c < problem.columns(g); c++) {
        double worth = worth(g, c);
        best = Math.max(best, worth);
        cells.merge(problem.cell(g, c), worth, Math::max);
      }
      bestOfGroup[g] = best;
      if (problem.type(g) == CoreProblem.FREE) {
        sum += problem.count(g) * best;
      } else {
        cellsOfGroup.put(g, cells);
        addToType(g, cells);
      }
    }
    for (Map.Entry<Integer, Map<Integer, Double>> type : cellsOfType.entrySet()) {
      double best = best(type.getValue());
      bestOfType.put(type.getKey(), best);
      sum += best;
    }
    this.bound = sum;
  }

  /** A cell that one of a type's groups has no column of is none of the type. */
  private void addToType(int group, Map<Integer, Double> cells) {
    Map<Integer, Double> type = cellsOfType.get(problem.type(group));
    int copies = problem.count(group);
    if (type == null) {
      type = new HashMap<>(cells);
      type.replaceAll((cell, worth) -> copies * worth);
      cellsOfType.put(problem.type(group), type);
    } else {
      type.keySet().retainAll(cells.keySet());
      type.replaceAll((cell, worth) -> worth + copies * cells.getOrDefault(cell, 0.0));
    }
  }

  private static double best(Map<Integer, Double> cells) {
    return cells.values().stream()
        .mapToDouble(Double::doubleValue)
        .max()
        .orElse(Double.NEGATIVE_INFINITY);
  }

  private double worth(int group, int column) {
    double worth = problem.utility(group, column);
    double rate = problem.rate(group, column);
    for (int link : problem.links(group, column)) {
      worth -= prices[link] * rate;
    }
    for (int q = problem.firstQuota(group, column); q < problem.quotas(); q++) {
      worth -= prices[problem.links() + q];
    }
    return worth;
  }

  /** In the problem's units of utility; the arithmetic may be off by a trillionth of it. */
  public double bound() {
    return bound;
  }

  /** By how much a choice in which one copy takes the column is below the bound, at least. */
  double loss(int group, int column) {
    double worth = worth(group, column);
    int type = problem.type(group);
    if (type == CoreProblem.FREE) {
      return bestOfGroup[group] - worth;
    }
    int cell = problem.cell(group, column);
    double ofCell =
        cellsOfType.getOrDefault(type, Map.of()).getOrDefault(cell, Double.NEGATIVE_INFINITY);
    double bestWay =
        cellsOfGroup.getOrDefault(group, Map.of()).getOrDefault(cell, Double.NEGATIVE_INFINITY);
    return bestOfType.getOrDefault(type, 0.0) - ofCell + bestWay - worth;
  }
}
