package org.paceline.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.paceline.bench.Kernels.Kernel;
import org.paceline.bench.kernel.OneLinkKernel;
import org.paceline.bench.report.LineChart;
import org.paceline.bench.report.Report;
import org.paceline.bench.report.Spread;

/** One bottleneck beside the paper's program in HiGHS. */
final class PaperBench {
  private final boolean quick;
  private final Report report;
  private final Kernels kernels;

  PaperBench(boolean quick, Path out, Report report) {
    this.quick = quick;
    this.report = report;
    this.kernels = new Kernels(quick, out);
  }

  void run() throws IOException {
    Report.Section table =
        report.section(
            "One link against the paper's program in HiGHS",
            "The paper's problem, free. JMH; the paper's program once, in a process of its own, with"
                + " a limit of "
                + OneLinkKernel.LIMIT.toSeconds()
                + " s that counts as `at least`.",
            "applications",
            "OneBottleneck ms",
            "paper's program ms",
            "times slower");
    LineChart chart = new LineChart("One link, free", "applications", "ms");
    double limit = OneLinkKernel.LIMIT.toMillis();
    for (int applications : Kernels.applications(quick)) {
      String workload = "free-" + applications;
      kernels.measure(workload, Kernel.SOLVE, Kernel.PAPER);
      double ours = kernels.of(Kernel.SOLVE, workload).median();
      double papers = kernels.of(Kernel.PAPER, workload).median();
      boolean finished = papers < limit;
      String least = finished ? "" : "at least ";
      table.row(
          Integer.toString(applications),
          kernels.of(Kernel.SOLVE, workload).shown(),
          least + Spread.millis(finished ? papers : limit),
          least + String.format(Locale.ROOT, "%,.0f", Math.min(papers, limit) / ours));
      chart.add("OneBottleneck", applications, ours);
      chart.add("paper's program", applications, Math.min(papers, limit));
    }
    report.plot("paper.svg", chart);
  }
}
