package org.paceline.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.Statistics;
import org.paceline.bench.kernel.OneLinkKernel;
import org.paceline.bench.report.Spread;

/** Runs JMH, each kernel and workload in a process of its own. */
final class Kernels {
  /** What is measured of a workload; the names are those of {@link OneLinkKernel}'s methods. */
  enum Kernel {
    SOLVE,
    KNAPSACK,
    PAPER;

    String method() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  private static final double MICROS_PER_MILLI = 1_000;

  private final boolean quick;
  private final Path out;
  private final Map<String, Spread> times = new LinkedHashMap<>();

  Kernels(boolean quick, Path out) {
    this.quick = quick;
    this.out = out;
  }

  /** How many applications of the paper's problem are measured. */
  static int[] applications(boolean quick) {
    return quick ? new int[] {10, 60, 110} : new int[] {10, 20, 40, 60, 80, 100, 120};
  }

  /** Milliseconds of what was measured. */
  Spread of(Kernel kernel, String workload) {
    Spread time = times.get(kernel + " " + workload);
    if (time == null) {
      throw new IllegalStateException("JMH did not measure " + kernel + " of " + workload + ".");
    }
    return time;
  }

  /** Measures kernels of a workload, one after the other, so that they can be compared. */
  void measure(String workload, Kernel... kernels) throws IOException {
    System.setProperty("jmh.ignoreLock", "true");
    Collection<String> methods = new ArrayList<>();
    for (Kernel kernel : kernels) {
      methods.add(kernel.method());
    }
    Path log = out.resolve("jmh-" + workload + ".log");
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(
                "^" + OneLinkKernel.class.getName() + "\\.(" + String.join("|", methods) + ")$")
            .param("workload", workload)
            .shouldFailOnError(true)
            .output(log.toString());
    if (quick && !List.of(kernels).contains(Kernel.PAPER)) {
      options
          .warmupTime(TimeValue.milliseconds(500))
          .measurementIterations(2)
          .measurementTime(TimeValue.milliseconds(500));
    }
    System.err.println("paceline bench: JMH measures " + methods + " of " + workload);
    try {
      for (RunResult result : new Runner(options.build()).run()) {
        String benchmark = result.getParams().getBenchmark();
        Kernel kernel =
            Kernel.valueOf(
                benchmark
                    .substring(benchmark.lastIndexOf('.') + 1)
                    .toUpperCase(java.util.Locale.ROOT));
        Statistics micros = result.getPrimaryResult().getStatistics();
        times.put(
            kernel + " " + workload,
            new Spread(
                micros.getMin() / MICROS_PER_MILLI,
                micros.getPercentile(50) / MICROS_PER_MILLI,
                micros.getMax() / MICROS_PER_MILLI,
                (int) micros.getN()));
      }
    } catch (RunnerException e) {
      throw new IOException("JMH failed; its log is " + log, e);
    }
  }
}
