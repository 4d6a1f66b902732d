package org.paceline.bench.workload;

import com.google.ortools.Loader;
import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.google.ortools.sat.Literal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Both optima of a small problem by CP-SAT, sharing no code with any allocator: all loop-free
 * paths, a bit for each cell and path, and of each link the delay at every load in whole kbit/s. So
 * all rates, capacities and points of delay must be whole kbit/s, and each application has count 1.
 */
public final class LoadDelayReferee {
  /** The optima in billionths. */
  public record Optimum(long theta, long sum) {}

  private static final long BILLION = 1_000_000_000L;

  static {
    Loader.loadNativeLibraries();
  }

  private final Problem problem;
  private final double seconds;
  private final CpModel model = new CpModel();
  private final Map<Link, LinearExprBuilder> loads = new HashMap<>();
  private final Map<Link, IntVar> delays = new HashMap<>();
  private final Map<String, Cells> cells = new HashMap<>();
  private final List<IntVar> utilities = new ArrayList<>();

  /** What a chooser takes: kbit/s, nanoseconds, billionths of utility. */
  private record Cells(IntVar rate, IntVar delay, IntVar utility) {}

  private LoadDelayReferee(Problem problem, double seconds) {
    this.problem = problem;
    this.seconds = seconds;
  }

  /**
   * Empty if nobody can be served.
   *
   * @param seconds for each of two searches
   * @throws IllegalStateException if the time does not suffice
   */
  public static Optional<Optimum> solve(Problem problem, double seconds) {
    return new LoadDelayReferee(problem, seconds).solve();
  }

  private Optional<Optimum> solve() {
    for (Link link : problem.network().links()) {
      loads.put(link, LinearExpr.newBuilder());
      delays.put(link, model.newIntVar(0, 1_000 * BILLION, "delay " + link.id()));
    }
    for (Application application : problem.applications()) {
      if (!addPaths(application)) {
        return Optional.empty();
      }
    }
    for (Link link : problem.network().links()) {
      addDelay(link);
    }
    IntVar theta = model.newIntVar(0, 5 * BILLION, "theta");
    utilities.forEach(utility -> model.addLessOrEqual(theta, utility));
    model.maximize(theta);
    Optional<Long> best = search();
    if (best.isEmpty()) {
      return Optional.empty();
    }
    for (IntVar utility : utilities) {
      model.addGreaterOrEqual(utility, best.get() - problem.epsilonBillionths());
    }
    model.clearObjective();
    LinearExprBuilder sum = LinearExpr.newBuilder();
    utilities.forEach(sum::add);
    model.maximize(sum);
    long most = search().orElseThrow();
    return Optional.of(new Optimum(best.get(), most));
  }

  /** The objective's optimum; empty if nothing is feasible. */
  private Optional<Long> search() {
    CpSolver solver = new CpSolver();
    solver.getParameters().setNumWorkers(1).setMaxTimeInSeconds(seconds);
    CpSolverStatus status = solver.solve(model);
    if (status == CpSolverStatus.INFEASIBLE) {
      return Optional.empty();
    }
    if (status != CpSolverStatus.OPTIMAL) {
      throw new IllegalStateException(
          "The referee ended with " + status + " on (" + problem.name() + ").");
    }
    return Optional.of(Math.round(solver.objectiveValue()));
  }

  /** False if there is none. */
  private boolean addPaths(Application application) {
    boolean shared = problem.sharing() == Sharing.SAME_UTILITY_PER_TYPE;
    Cells taken =
        cells.computeIfAbsent(
            shared ? application.utilityFunction().name() : "of " + application.id(),
            name -> cells(application.utilityFunction()));
    utilities.add(taken.utility());
    List<List<Link>> paths = new ArrayList<>();
    extend(application.from(), application.to(), new ArrayList<>(), paths);
    List<Literal> chosen = new ArrayList<>();
    for (List<Link> path : paths) {
      BoolVar takes = model.newBoolVar(application.id() + " by " + path);
      chosen.add(takes);
      IntVar brings = model.newIntVar(0, BILLION, "rate of " + takes.getName());
      model.addEquality(brings, taken.rate()).onlyEnforceIf(takes);
      model.addEquality(brings, 0).onlyEnforceIf(takes.not());
      LinearExprBuilder delay = LinearExpr.newBuilder();
      for (Link link : path) {
        Objects.requireNonNull(loads.get(link)).add(brings);
        delay.add(delays.get(link));
      }
      model.addLessOrEqual(delay, taken.delay()).onlyEnforceIf(takes);
    }
    if (chosen.isEmpty()) {
      return false;
    }
    model.addExactlyOne(chosen);
    return true;
  }

  private void extend(String node, String to, List<Link> path, List<List<Link>> found) {
    if (node.equals(to)) {
      found.add(List.copyOf(path));
      return;
    }
    for (Link link : problem.network().links()) {
      if (link.from().equals(node) && path.stream().noneMatch(l -> l.from().equals(link.to()))) {
        path.add(link);
        extend(link.to(), to, path, found);
        path.remove(path.size() - 1);
      }
    }
  }

  private Cells cells(UtilityFunction function) {
    List<Literal> bits = new ArrayList<>();
    LinearExprBuilder rate = LinearExpr.newBuilder();
    LinearExprBuilder delay = LinearExpr.newBuilder();
    LinearExprBuilder utility = LinearExpr.newBuilder();
    for (int t = 0; t < function.throughputBins(); t++) {
      for (int d = 0; d < function.delayBins(); d++) {
        BoolVar bit = model.newBoolVar(function.name() + " " + t + " " + d);
        bits.add(bit);
        rate.addTerm(bit, kbps(function.throughput(t).millibitsPerSecond()));
        delay.addTerm(bit, function.delay(d).nanos());
        utility.addTerm(bit, function.utility(t, d).billionths());
      }
    }
    model.addExactlyOne(bits);
    return new Cells(
        variable(rate, BILLION), variable(delay, 1_000 * BILLION), variable(utility, 5 * BILLION));
  }

  private IntVar variable(LinearExprBuilder sum, long most) {
    IntVar variable = model.newIntVar(0, most, "sum");
    model.addEquality(variable, sum);
    return variable;
  }

  private void addDelay(Link link) {
    int capacity = Math.toIntExact(kbps(link.capacity().millibitsPerSecond()));
    IntVar load = model.newIntVar(0, capacity, "load " + link.id());
    model.addEquality(load, loads.get(link));
    LinkDelay curve = link.delay();
    IntVar delay = Objects.requireNonNull(delays.get(link));
    List<Literal> pieces = new ArrayList<>();
    for (int i = 0; i <= curve.points(); i++) {
      long from = i == 0 ? 0 : kbps(curve.load(i - 1).millibitsPerSecond());
      long to = i == curve.points() ? capacity : kbps(curve.load(i).millibitsPerSecond());
      if (from <= Math.min(to, capacity)) {
        BoolVar here = model.newBoolVar("piece " + i + " of " + link.id());
        pieces.add(here);
        model.addLinearConstraint(load, from, to).onlyEnforceIf(here);
        long first = curve.delay(Math.max(0, i - 1)).nanos();
        long last = curve.delay(Math.min(i, curve.points() - 1)).nanos();
        addPiece(delay, load, here, new long[] {from, to, first, last});
      }
    }
    model.addExactlyOne(pieces);
  }

  /**
   * Linear from one point to the next, rounded half up to a nanosecond: with the rise r over the
   * width w, twice w times the delay's own rise is at most 2 r x + w, and more than that less 2 w.
   */
  private void addPiece(IntVar delay, IntVar load, BoolVar here, long[] piece) {
    long width = Math.max(1, piece[1] - piece[0]);
    long rise = piece[3] - piece[2];
    LinearExprBuilder over =
        LinearExpr.newBuilder()
            .addTerm(delay, 2 * width)
            .addTerm(load, -2 * rise)
            .add(2 * rise * piece[0] - 2 * width * piece[2] - width);
    model.addLinearConstraint(over, 1 - 2 * width, 0).onlyEnforceIf(here);
  }

  private static long kbps(long millibits) {
    if (millibits % 1_000_000 != 0) {
      throw new IllegalArgumentException(
          "The rate (" + millibits + " mbit/s) is no whole number of kbit/s.");
    }
    return millibits / 1_000_000;
  }
}
