package org.paceline.bench;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.milp.AggregatedKnapsackMilp;
import org.paceline.allocator.milp.MipSolver;
import org.paceline.allocator.milp.PaperMilp;
import org.paceline.bench.report.LineChart;
import org.paceline.bench.report.Report;
import org.paceline.bench.report.Spread;
import org.paceline.bench.workload.OneLink;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;

/** The paper's problem in HiGHS, as the paper wrote it and aggregated, in the same run. */
final class BaselineBench {
  private final boolean quick;
  private final Report report;
  private final Duration limit;

  BaselineBench(boolean quick, Report report) {
    this.quick = quick;
    this.report = report;
    this.limit = Duration.ofSeconds(quick ? 5 : 10);
  }

  /** How long something took, and whether that was all of it. */
  private record Timed(double millis, boolean finished) {
    String shown() {
      return (finished ? "" : "at least ") + Spread.millis(millis);
    }

    String times(double other) {
      return String.format(Locale.ROOT, "%s%,.0f", finished ? "" : "at least ", millis / other);
    }
  }

  void run(Map<String, Spread> exact) {
    Report.Section table =
        report.section(
            "One link against HiGHS",
            "The paper's program once, with a limit of "
                + limit.toSeconds()
                + " s that counts as `at least`; the aggregated knapsack "
                + repetitions()
                + " times after a warm-up; OneBottleneck's median from the table above.",
            "applications",
            "OneBottleneck ms",
            "aggregated knapsack ms",
            "times slower",
            "paper's program ms",
            "times slower ");
    LineChart chart = new LineChart("One link, free", "applications", "ms");
    // Loads the native library, which is not what is measured.
    time(new AggregatedKnapsackMilp(MipSolver.HIGHS), OneLink.paper(10, Sharing.FREE));
    for (int applications = 10; applications <= 120; applications += quick ? 50 : 10) {
      Spread ours = exact.get("free-" + applications);
      if (ours == null) {
        throw new IllegalStateException("There is no time of free-" + applications + ".");
      }
      Problem problem = OneLink.paper(applications, Sharing.FREE);
      double[] knapsack = new double[repetitions()];
      for (int i = 0; i < knapsack.length; i++) {
        knapsack[i] = time(new AggregatedKnapsackMilp(MipSolver.HIGHS), problem).millis();
      }
      Spread aggregated = Spread.of(knapsack);
      Timed paper = time(new PaperMilp(MipSolver.HIGHS), problem);
      table.row(
          Integer.toString(applications),
          ours.shown(),
          aggregated.shown(),
          String.format(Locale.ROOT, "%,.0f", aggregated.median() / ours.median()),
          paper.shown(),
          paper.times(ours.median()));
      chart.add("OneBottleneck", applications, ours.median());
      chart.add("aggregated knapsack", applications, aggregated.median());
      chart.add("paper's program", applications, paper.millis());
    }
    report.plot("baselines.svg", chart);
  }

  private int repetitions() {
    return quick ? 3 : 5;
  }

  private Timed time(Allocator allocator, Problem problem) {
    long start = System.nanoTime();
    Outcome outcome = allocator.solve(problem, SolveOptions.builder().timeLimit(limit).build());
    double millis = (System.nanoTime() - start) / 1e6;
    boolean finished =
        millis < 0.95 * limit.toMillis()
            || outcome.solution().filter(solution -> solution.gap() < 1e-6).isPresent();
    return new Timed(millis, finished);
  }
}
