package org.paceline.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.exact.OneBottleneck;
import org.paceline.bench.Kernels.Kernel;
import org.paceline.bench.kernel.OneLinkKernel;
import org.paceline.bench.report.LineChart;
import org.paceline.bench.report.Report;
import org.paceline.bench.report.Spread;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;

/** One bottleneck, and the same as an aggregated knapsack in HiGHS, measured by JMH. */
final class OneLinkBench {
  private final boolean quick;
  private final Report report;
  private final Kernels kernels;

  OneLinkBench(boolean quick, Path out, Report report) {
    this.quick = quick;
    this.report = report;
    this.kernels = new Kernels(quick, out);
  }

  void run() throws IOException {
    baseline();
    times();
  }

  private void baseline() throws IOException {
    Report.Section table =
        report.section(
            "One link against the aggregated knapsack in HiGHS",
            "The paper's problem, free. JMH, warm, medians; both sides of a row one after the other,"
                + " each in a process of its own.",
            "applications",
            "OneBottleneck ms",
            "aggregated knapsack ms",
            "times slower");
    LineChart chart = new LineChart("One link, free", "applications", "ms");
    for (int applications : Kernels.applications(quick)) {
      String workload = "free-" + applications;
      kernels.measure(workload, Kernel.SOLVE, Kernel.KNAPSACK);
      Spread ours = kernels.of(Kernel.SOLVE, workload);
      Spread knapsack = kernels.of(Kernel.KNAPSACK, workload);
      table.row(
          Integer.toString(applications),
          ours.shown(),
          knapsack.shown(),
          String.format(Locale.ROOT, "%,.0f", knapsack.median() / ours.median()));
      chart.add("OneBottleneck", applications, ours.median());
      chart.add("aggregated knapsack", applications, knapsack.median());
    }
    report.plot("baselines.svg", chart);
  }

  private void times() throws IOException {
    Report.Section table =
        report.section(
            "One link",
            "`pertype-N`: the paper's problem with N entries, one cell a type. `types-N`: six entries"
                + " with counts, `entries-N`: one entry an application, `functions-N`: 1,000"
                + " distinct functions with counts; room for each as in the paper's problem of 80."
                + " JMH, warm, from Problem to Solution with certificate. The steps are medians of"
                + " runs in another process and need not add up to the whole.",
            "workload",
            "ms",
            "samples",
            "step 1 (theta) ms",
            "step 2 (sum) and grants ms",
            "certified gap");
    LineChart chart = new LineChart("One link", "applications", "ms");
    for (String workload : workloads()) {
      kernels.measure(workload, Kernel.SOLVE);
      Spread time = kernels.of(Kernel.SOLVE, workload);
      Steps steps = Steps.of(OneLinkKernel.problem(workload));
      table.row(
          workload,
          time.shown(),
          Integer.toString(time.samples()),
          Spread.millis(steps.theta()),
          Spread.millis(steps.sum()),
          String.format(Locale.ROOT, "%.1e", steps.gap()));
      int dash = workload.indexOf('-');
      chart.add(
          workload.substring(0, dash),
          Integer.parseInt(workload.substring(dash + 1)),
          time.median());
    }
    report.plot("one-link.svg", chart);
  }

  private List<String> workloads() {
    List<String> workloads = new ArrayList<>();
    for (int applications : quick ? new int[] {10, 80} : new int[] {10, 40, 80, 120}) {
      workloads.add("pertype-" + applications);
    }
    for (int applications = quick ? 1_000_000 : 1_000;
        applications <= 1_000_000;
        applications *= 10) {
      workloads.add("types-" + applications);
      workloads.add("entries-" + applications);
    }
    workloads.add("functions-1000000");
    return workloads;
  }

  /** How long each step took, in milliseconds: medians. */
  private record Steps(double theta, double sum, double gap) {
    static Steps of(Problem problem) {
      int runs = problem.applications().size() > 10_000 ? 30 : 2_000;
      double[] theta = new double[runs];
      double[] sum = new double[runs];
      double gap = 0;
      for (int run = -runs; run < runs; run++) {
        long[] between = new long[1];
        long start = System.nanoTime();
        Solution solution =
            new OneBottleneck()
                .solve(
                    problem,
                    SolveOptions.builder()
                        .progress(sentence -> between[0] = System.nanoTime())
                        .build())
                .orElseThrow();
        if (run >= 0) {
          theta[run] = (between[0] - start) / 1e6;
          sum[run] = (System.nanoTime() - between[0]) / 1e6;
        }
        gap = solution.gap();
      }
      return new Steps(Spread.of(theta).median(), Spread.of(sum).median(), gap);
    }
  }
}
