package org.paceline.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.Statistics;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.exact.OneBottleneck;
import org.paceline.bench.kernel.OneLinkKernel;
import org.paceline.bench.report.LineChart;
import org.paceline.bench.report.Report;
import org.paceline.bench.report.Spread;
import org.paceline.intents.problem.Solution;

/** One bottleneck, measured by JMH. */
final class OneLinkBench {
  private static final double MICROS_PER_MILLI = 1_000;

  private final boolean quick;
  private final Path out;
  private final Report report;

  OneLinkBench(boolean quick, Path out, Report report) {
    this.quick = quick;
    this.out = out;
    this.report = report;
  }

  /** The times by workload. */
  Map<String, Spread> run() throws IOException {
    List<String> workloads = new ArrayList<>();
    for (int applications = 10; applications <= 120; applications += quick ? 50 : 10) {
      workloads.add("free-" + applications);
      workloads.add("pertype-" + applications);
    }
    for (int applications = 1_000; applications <= 1_000_000; applications *= 10) {
      workloads.add("types-" + applications);
      workloads.add("entries-" + applications);
    }
    workloads.add("functions-1000000");
    Map<String, Spread> times = measure(workloads);
    Report.Section table =
        report.section(
            "One link",
            "`free-N`, `pertype-N`: the paper's problem with N entries. `types-N`: six entries with"
                + " counts, `entries-N`: one entry an application, `functions-N`: 1,000 distinct"
                + " functions with counts; room for each as in the paper's problem of 80. JMH,"
                + " warm, from Problem to Solution with certificate.",
            "workload",
            "ms",
            "samples",
            "certified gap");
    LineChart chart = new LineChart("One link", "applications", "ms");
    for (String workload : workloads) {
      Spread time = times.get(workload);
      if (time == null) {
        throw new IllegalStateException("JMH did not measure " + workload + ".");
      }
      Solution solution =
          new OneBottleneck()
              .solve(OneLinkKernel.problem(workload), SolveOptions.DEFAULT)
              .orElseThrow();
      table.row(
          workload,
          time.shown(),
          Integer.toString(time.samples()),
          String.format(Locale.ROOT, "%.1e", solution.gap()));
      int dash = workload.indexOf('-');
      chart.add(
          workload.substring(0, dash),
          Integer.parseInt(workload.substring(dash + 1)),
          time.median());
    }
    report.plot("one-link.svg", chart);
    return times;
  }

  private Map<String, Spread> measure(List<String> workloads) throws IOException {
    System.setProperty("jmh.ignoreLock", "true");
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(OneLinkKernel.class.getName() + ".solve")
            .param("workload", workloads.toArray(new String[0]))
            .jvmArgs("-Xmx3g")
            .shouldFailOnError(true)
            .output(out.resolve("jmh.log").toString());
    if (quick) {
      options
          .warmupIterations(2)
          .warmupTime(TimeValue.milliseconds(500))
          .measurementIterations(2)
          .measurementTime(TimeValue.milliseconds(500));
    }
    System.err.println(
        "paceline bench: JMH measures "
            + workloads.size()
            + " workloads, about "
            + workloads.size() * (quick ? 3 : 7)
            + " s; log: "
            + out.resolve("jmh.log"));
    Map<String, Spread> times = new LinkedHashMap<>();
    try {
      for (RunResult result : new Runner(options.build()).run()) {
        Statistics micros = result.getPrimaryResult().getStatistics();
        times.put(
            result.getParams().getParam("workload"),
            new Spread(
                micros.getMin() / MICROS_PER_MILLI,
                micros.getPercentile(50) / MICROS_PER_MILLI,
                micros.getMax() / MICROS_PER_MILLI,
                (int) micros.getN()));
      }
    } catch (RunnerException e) {
      throw new IOException("JMH failed; its log is " + out.resolve("jmh.log"), e);
    }
    return times;
  }
}
