package org.paceline.bench;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.auto.AutoAllocator;
import org.paceline.allocator.milp.CpSatCore;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.bench.report.Report;
import org.paceline.bench.report.Spread;
import org.paceline.bench.workload.SmallNetworks;
import org.paceline.bench.workload.SmallNetworks.Shape;
import org.paceline.intents.check.CertificateChecker;
import org.paceline.intents.check.SolutionChecker;
import org.paceline.intents.problem.Infeasible.Reason;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.problem.Solution;

/** How many small networks are solved to the proven optimum in 20 seconds each. */
final class SmallNetworkBench {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final int problems;
  private final Report report;
  private final Allocator allocator =
      new AutoAllocator(new NetworkAllocator(Optional.of(new CpSatCore())));

  SmallNetworkBench(boolean quick, Report report) {
    this.problems = quick ? 3 : 12;
    this.report = report;
  }

  /** What is asked of the allocator. */
  private enum Goal {
    SUM,
    SUM_SAME_PER_TYPE,
    LEVELS;

    Sharing sharing() {
      return this == SUM_SAME_PER_TYPE ? Sharing.SAME_UTILITY_PER_TYPE : Sharing.FREE;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  void run() {
    Report.Section table =
        report.section(
            "Small networks",
            String.format(
                Locale.ROOT,
                "3 to 6 nodes, 25 to 45 applications, seeds from 1, limit %d s. `proven`: theta and"
                    + " the sum, or all levels of water-filling, are proven optimal. `no room`: not"
                    + " all can be served. `open`: neither, with the worst gap of a sum.",
                LIMIT.toSeconds()),
            "shape",
            "goal",
            "problems",
            "proven",
            "no room",
            "open",
            "worst gap",
            "ms",
            "checkers");
    solve(SmallNetworks.of(Shape.TRIANGLE, Sharing.FREE, 0), Goal.SUM);
    for (Shape shape : Shape.values()) {
      for (Goal goal : Goal.values()) {
        row(table, shape, goal);
      }
    }
  }

  private void row(Report.Section table, Shape shape, Goal goal) {
    double[] millis = new double[problems];
    int proven = 0;
    int noRoom = 0;
    double worst = 0;
    String verdict = "accepted";
    for (int seed = 1; seed <= problems; seed++) {
      Problem problem = SmallNetworks.of(shape, goal.sharing(), seed);
      long start = System.nanoTime();
      Outcome outcome = solve(problem, goal);
      millis[seed - 1] = (System.nanoTime() - start) / 1e6;
      if (outcome.solution().isEmpty()) {
        boolean refuted =
            outcome.infeasible().filter(why -> why.reason() != Reason.UNDECIDED).isPresent();
        noRoom += refuted ? 1 : 0;
        continue;
      }
      Solution solution = outcome.orElseThrow();
      if (isProven(solution, goal)) {
        proven++;
      } else if (goal != Goal.LEVELS) {
        worst = Math.max(worst, solution.gap());
      }
      if (!SolutionChecker.violations(problem, solution).isEmpty()
          || !CertificateChecker.check(problem, solution).isAccepted()) {
        verdict = "REFUSED " + problem.name();
      }
    }
    table.row(
        shape.toString(),
        goal.toString(),
        Integer.toString(problems),
        Integer.toString(proven),
        Integer.toString(noRoom),
        Integer.toString(problems - proven - noRoom),
        String.format(Locale.ROOT, "%.1e", worst),
        Spread.of(millis).shown(),
        verdict);
  }

  private static boolean isProven(Solution solution, Goal goal) {
    boolean theta = solution.theta1().equals(solution.certificate().thetaBound());
    return theta && (goal == Goal.LEVELS ? solution.isFilled() : solution.gap() == 0);
  }

  private Outcome solve(Problem problem, Goal goal) {
    return allocator.solve(
        problem,
        SolveOptions.builder().timeLimit(LIMIT).lexicographic(goal == Goal.LEVELS).build());
  }
}
