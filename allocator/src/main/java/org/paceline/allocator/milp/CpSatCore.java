package org.paceline.allocator.milp;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.google.ortools.sat.SatParameters;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.paceline.allocator.network.core.CoreProblem;
import org.paceline.allocator.network.core.CoreResult;
import org.paceline.allocator.network.core.CoreSolver;

/**
 * Closes the core of a network by CP-SAT, with native integers only: how many copies of each group
 * take each column.
 *
 * <p>Rates are brought to the coarsest whole-number scale that provably admits the same choices
 * ({@link LinkScale}), for small coefficients make the search much faster. A single worker gives
 * equal answers to equal problems; on the reference networks, with the full linear relaxation, it
 * is also the fastest way, two interleaved workers being a hundred times slower.
 */
public final class CpSatCore implements CoreSolver {
  /** CP-SAT refuses sums that may leave 63 bits; this keeps clear of that. */
  private static final BigInteger MOST = BigInteger.ONE.shiftLeft(60);

  /** All constraints go into the linear relaxation: cores are knapsacks, it is their best guide. */
  private static final int FULL_RELAXATION = 2;

  @Override
  public CoreResult attempt(CoreProblem problem, Duration timeLimit, double effort, int seed) {
    OrTools.require();
    if (mayOverflow(problem)) {
      return CoreResult.unknown(problem.bound());
    }
    Model model = new Model(problem);
    CpSolver solver = new CpSolver();
    SatParameters.Builder parameters = solver.getParameters();
    parameters.setMaxTimeInSeconds(Math.max(1e-3, timeLimit.toNanos() / 1e9));
    parameters.setMaxDeterministicTime(effort);
    parameters.setRandomSeed(seed);
    parameters.setNumWorkers(1);
    parameters.setLinearizationLevel(FULL_RELAXATION);
    CpSolverStatus status = solver.solve(model.cp);
    switch (status) {
      case OPTIMAL:
        int[][] best = model.counts(solver);
        return sum(problem, best) > problem.known()
            ? CoreResult.optimal(sum(problem, best), best)
            : CoreResult.noneBetter(problem.known());
      case FEASIBLE:
        int[][] counts = model.counts(solver);
        long bound = bound(problem, solver);
        if (sum(problem, counts) <= problem.known()) {
          return CoreResult.unknown(bound);
        }
        return CoreResult.better(Math.max(bound, sum(problem, counts)), counts);
      case INFEASIBLE:
        return CoreResult.noneBetter(problem.known());
      case UNKNOWN:
        return CoreResult.unknown(bound(problem, solver));
      case MODEL_INVALID:
      case UNRECOGNIZED:
      default:
        throw new IllegalStateException(
            "CP-SAT gave up with (" + status + ") on " + problem + ": " + model.cp.validate());
    }
  }

  @Override
  public double[] prices(CoreProblem problem, Duration timeLimit) {
    return new CoreRelaxation(problem).prices(timeLimit);
  }

  /** CP-SAT's bound, which it gives as a double, rounded to the safe side. */
  private static long bound(CoreProblem problem, CpSolver solver) {
    double bound = solver.bestObjectiveBound();
    boolean usable = bound > 0 && bound < 0x1p62;
    long rounded = usable ? (long) Math.ceil(Math.nextUp(bound)) : Long.MAX_VALUE;
    return Math.max(problem.known(), Math.min(problem.bound(), rounded));
  }

  private static boolean mayOverflow(CoreProblem problem) {
    BigInteger sum = BigInteger.ZERO;
    BigInteger load = BigInteger.ZERO;
    for (int g = 0; g < problem.groups(); g++) {
      BigInteger count = BigInteger.valueOf(problem.count(g));
      for (int c = 0; c < problem.columns(g); c++) {
        sum = sum.add(count.multiply(BigInteger.valueOf(problem.utility(g, c))));
        load = load.add(count.multiply(BigInteger.valueOf(problem.rate(g, c))));
      }
    }
    return sum.max(load).compareTo(MOST) > 0;
  }

  private static long sum(CoreProblem problem, int[][] counts) {
    long sum = 0;
    for (int g = 0; g < counts.length; g++) {
      for (int c = 0; c < counts[g].length; c++) {
        sum += counts[g][c] * problem.utility(g, c);
      }
    }
    return sum;
  }

  /** The core in CP-SAT's words. */
  private static final class Model {
    final CpModel cp = new CpModel();
    private final CoreProblem problem;
    private final List<IntVar[]> taken = new ArrayList<>();

    Model(CoreProblem problem) {
      this.problem = problem;
      LinearExprBuilder sum = LinearExpr.newBuilder();
      for (int g = 0; g < problem.groups(); g++) {
        IntVar[] columns = new IntVar[problem.columns(g)];
        for (int c = 0; c < columns.length; c++) {
          columns[c] = cp.newIntVar(0, problem.count(g), "x " + g + " " + c);
          sum.addTerm(columns[c], problem.utility(g, c));
        }
        taken.add(columns);
        cp.addEquality(LinearExpr.sum(columns), problem.count(g));
      }
      addLinks();
      addTypes();
      addQuotas();
      if (problem.hasStart()) {
        addStart();
      } else if (problem.known() != CoreProblem.NOTHING) {
        cp.addGreaterOrEqual(sum, problem.known() + 1);
      }
      if (problem.bound() != Long.MAX_VALUE) {
        cp.addLessOrEqual(sum, problem.bound());
      }
      cp.maximize(sum);
    }

    /** Searches that are to find more without a choice to begin with hardly get anywhere. */
    private void addStart() {
      for (int g = 0; g < problem.groups(); g++) {
        for (int c = 0; c < problem.columns(g); c++) {
          cp.addHint(taken.get(g)[c], problem.start(g, c));
        }
      }
    }

    private void addLinks() {
      List<List<int[]>> users = new ArrayList<>();
      for (int link = 0; link < problem.links(); link++) {
        users.add(new ArrayList<>());
      }
      for (int g = 0; g < problem.groups(); g++) {
        for (int c = 0; c < problem.columns(g); c++) {
          for (int link : problem.links(g, c)) {
            users.get(link).add(new int[] {g, c});
          }
        }
      }
      for (int link = 0; link < users.size(); link++) {
        List<int[]> columns = users.get(link);
        if (columns.isEmpty()) {
          continue;
        }
        long[] rates = columns.stream().mapToLong(gc -> problem.rate(gc[0], gc[1])).toArray();
        long copies =
            columns.stream().mapToInt(gc -> gc[0]).distinct().mapToLong(problem::count).sum();
        LinkScale scale = LinkScale.of(rates, copies, problem.limit(link));
        LinearExprBuilder load = LinearExpr.newBuilder();
        for (int i = 0; i < rates.length; i++) {
          load.addTerm(taken.get(columns.get(i)[0])[columns.get(i)[1]], scale.rate(rates[i]));
        }
        cp.addLessOrEqual(load, scale.limit());
      }
    }

    /** Exactly one cell of each type is on, and all copies of its groups take columns of it. */
    private void addTypes() {
      Map<Integer, TreeSet<Integer>> cells = new TreeMap<>();
      for (int g = 0; g < problem.groups(); g++) {
        if (problem.type(g) != CoreProblem.FREE) {
          TreeSet<Integer> known = cells.computeIfAbsent(problem.type(g), t -> new TreeSet<>());
          for (int c = 0; c < problem.columns(g); c++) {
            known.add(problem.cell(g, c));
          }
        }
      }
      Map<Integer, Map<Integer, BoolVar>> on = new HashMap<>();
      cells.forEach(
          (type, known) -> {
            Map<Integer, BoolVar> variables = new TreeMap<>();
            known.forEach(cell -> variables.put(cell, cp.newBoolVar("cell " + type + " " + cell)));
            cp.addExactlyOne(variables.values().toArray(new BoolVar[0]));
            on.put(type, variables);
          });
      for (int g = 0; g < problem.groups(); g++) {
        int group = g;
        on.getOrDefault(problem.type(g), Map.of())
            .forEach(
                (cell, variable) -> {
                  LinearExprBuilder chosen = LinearExpr.newBuilder();
                  for (int c = 0; c < problem.columns(group); c++) {
                    if (problem.cell(group, c) == cell) {
                      chosen.add(taken.get(group)[c]);
                    }
                  }
                  chosen.addTerm(variable, -problem.count(group));
                  cp.addEquality(chosen, 0);
                });
      }
    }

    private void addQuotas() {
      LinearExprBuilder counted = LinearExpr.newBuilder();
      for (int q = 0; q < problem.quotas(); q++) {
        // Each quota's own columns are summed once, however many quotas follow.
        IntVar own = cp.newIntVar(0, problem.quota(q), "quota " + q);
        LinearExprBuilder sum = LinearExpr.newBuilder().addTerm(own, -1);
        for (int g = 0; g < problem.groups(); g++) {
          for (int c = 0; c < problem.columns(g); c++) {
            if (problem.firstQuota(g, c) == q) {
              sum.add(taken.get(g)[c]);
            }
          }
        }
        cp.addEquality(sum, 0);
        cp.addLessOrEqual(counted.add(own), problem.quota(q));
      }
    }

    int[][] counts(CpSolver solver) {
      int[][] counts = new int[taken.size()][];
      for (int g = 0; g < counts.length; g++) {
        IntVar[] columns = taken.get(g);
        counts[g] = new int[columns.length];
        for (int c = 0; c < columns.length; c++) {
          counts[g][c] = Math.toIntExact(solver.value(columns[c]));
        }
      }
      return counts;
    }
  }
}
