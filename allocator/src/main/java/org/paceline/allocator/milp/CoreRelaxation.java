package org.paceline.allocator.milp;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPObjective;
import com.google.ortools.linearsolver.MPVariable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.paceline.allocator.network.core.CoreProblem;

/**
 * The linear relaxation of a core, by OR-Tools' simplex: what its links and quotas are worth.
 *
 * <p>Rates and utilities are scaled to at most 1, which suits its tolerances.
 */
final class CoreRelaxation {
  private final CoreProblem problem;
  private final double greatestRate;
  private final double greatestUtility;

  CoreRelaxation(CoreProblem problem) {
    this.problem = problem;
    double rate = 1;
    double utility = 1;
    for (int g = 0; g < problem.groups(); g++) {
      for (int c = 0; c < problem.columns(g); c++) {
        rate = Math.max(rate, problem.rate(g, c));
        utility = Math.max(utility, problem.utility(g, c));
      }
    }
    this.greatestRate = rate;
    this.greatestUtility = utility;
  }

  /** All 0, which bounds little, where time ran out or numbers are too uneven. */
  double[] prices(Duration limit) {
    double[] prices = new double[problem.links() + problem.quotas()];
    try (Mip lp = Mip.linear()) {
      List<MPConstraint> rows = rows(lp);
      MPObjective objective = lp.newObjective();
      Map<List<Integer>, MPVariable> cells = new HashMap<>();
      Map<List<Integer>, MPConstraint> agreements = new HashMap<>();
      for (int g = 0; g < problem.groups(); g++) {
        MPConstraint all = lp.equal(problem.count(g), "");
        for (int c = 0; c < problem.columns(g); c++) {
          MPVariable taken = lp.number(0, Mip.INFINITY, "");
          objective.setCoefficient(taken, problem.utility(g, c) / greatestUtility);
          all.setCoefficient(taken, 1);
          for (int link : problem.links(g, c)) {
            rows.get(link).setCoefficient(taken, problem.rate(g, c) / greatestRate);
          }
          if (problem.firstQuota(g, c) != CoreProblem.NO_QUOTA) {
            rows.get(problem.links() + problem.quotas() + problem.firstQuota(g, c))
                .setCoefficient(taken, 1);
          }
          if (problem.type(g) != CoreProblem.FREE) {
            agreement(lp, g, c, cells, agreements).setCoefficient(taken, 1);
          }
        }
      }
      shareOneCell(lp, cells);
      if (!lp.maximise(limit, 0).hasSolution()) {
        return prices;
      }
      for (int i = 0; i < prices.length; i++) {
        double unit = i < problem.links() ? greatestRate : 1;
        prices[i] = Math.max(0, rows.get(i).dualValue()) * greatestUtility / unit;
      }
      return prices;
    }
  }

  /** Of links, then of quotas, then those that sum up each quota's own columns. */
  private List<MPConstraint> rows(Mip lp) {
    List<MPConstraint> rows = new ArrayList<>();
    for (int link = 0; link < problem.links(); link++) {
      rows.add(lp.atMost(problem.limit(link) / greatestRate, ""));
    }
    for (int q = 0; q < problem.quotas(); q++) {
      rows.add(lp.atMost(problem.quota(q), ""));
    }
    for (int q = 0; q < problem.quotas(); q++) {
      MPVariable own = lp.number(0, Mip.INFINITY, "");
      MPConstraint sum = lp.equal(0, "");
      sum.setCoefficient(own, -1);
      rows.add(sum);
      for (int later = q; later < problem.quotas(); later++) {
        rows.get(problem.links() + later).setCoefficient(own, 1);
      }
    }
    return rows;
  }

  /** All copies of a group take columns of a cell as far as its type does. */
  private MPConstraint agreement(
      Mip lp,
      int group,
      int column,
      Map<List<Integer>, MPVariable> cells,
      Map<List<Integer>, MPConstraint> agreements) {
    int cell = problem.cell(group, column);
    return agreements.computeIfAbsent(
        List.of(group, cell),
        key -> {
          MPConstraint agreement = lp.equal(0, "");
          agreement.setCoefficient(
              cells.computeIfAbsent(List.of(problem.type(group), cell), k -> lp.number(0, 1, "")),
              -problem.count(group));
          return agreement;
        });
  }

  /** A cell that a group of the type has no column of is no cell of the type. */
  private void shareOneCell(Mip lp, Map<List<Integer>, MPVariable> cells) {
    Map<Integer, MPConstraint> one = new HashMap<>();
    cells.forEach(
        (key, cell) ->
            one.computeIfAbsent(key.get(0), type -> lp.equal(1, "")).setCoefficient(cell, 1));
    for (int g = 0; g < problem.groups(); g++) {
      Set<Integer> own = new HashSet<>();
      for (int c = 0; c < problem.columns(g); c++) {
        own.add(problem.cell(g, c));
      }
      int type = problem.type(g);
      cells.forEach(
          (key, cell) -> {
            if (key.get(0) == type && !own.contains(key.get(1))) {
              cell.setUb(0);
            }
          });
    }
  }
}
