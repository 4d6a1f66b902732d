package org.paceline.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.auto.AutoAllocator;
import org.paceline.allocator.milp.CpSatCore;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.bench.report.Report;
import org.paceline.intents.check.CertificateChecker;
import org.paceline.intents.check.SolutionChecker;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;
import org.paceline.json.problem.ProblemReader;

/**
 * What the solver does beyond its time limit at 1,000 nodes and 20,000 applications: by the clock,
 * and by the processor's time, so that other work on the machine does not count.
 */
final class TimeLimitBench {
  private static final double MOST_SECONDS = 1;
  private static final List<String> PROBLEMS =
      List.of("timelimit_1000n_20k", "bound_worse_than_trivial");

  private final List<Integer> limits;
  private final Report report;
  private final Allocator allocator =
      new AutoAllocator(new NetworkAllocator(Optional.of(new CpSatCore())));

  TimeLimitBench(boolean quick, Report report) {
    this.limits = quick ? List.of(5) : List.of(5, 20);
    this.report = report;
  }

  void run() throws IOException {
    Report.Section table =
        report.section(
            "Time limit",
            "1,000 nodes, 4,000 links, 20,000 applications; the second has 20 times the capacity."
                + " `beyond`: from the limit to the answer; `processor`: what the process needed of"
                + " it. On one processor: `taskset -c 0`.",
            "problem",
            "limit s",
            "s",
            "beyond s",
            "processor beyond s",
            "answer");
    for (String name : PROBLEMS) {
      Problem problem = read(name);
      for (int limit : limits) {
        row(table, name, problem, limit);
      }
    }
  }

  private void row(Report.Section table, String name, Problem problem, int limit) {
    AtomicLong processorAtLimit = new AtomicLong();
    Outcome outcome;
    double seconds;
    double processor;
    ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    try {
      long start = System.nanoTime();
      clock.schedule(() -> processorAtLimit.set(processorNanos()), limit, TimeUnit.SECONDS);
      outcome =
          allocator.solve(
              problem, SolveOptions.builder().timeLimit(Duration.ofSeconds(limit)).build());
      seconds = (System.nanoTime() - start) / 1e9;
      long before = processorAtLimit.get();
      processor = before == 0 ? 0 : (processorNanos() - before) / 1e9;
    } finally {
      clock.shutdownNow();
    }
    double beyond = Math.max(0, seconds - limit);
    table.row(
        name,
        Integer.toString(limit),
        shown(seconds),
        shown(beyond),
        shown(processor),
        answer(problem, outcome));
    String kind =
        String.format(
            Locale.ROOT,
            "%s, limit %d s, processors %d: ",
            name,
            limit,
            Runtime.getRuntime().availableProcessors());
    report.claim(kind + "beyond it", MOST_SECONDS, beyond, "s", beyond <= MOST_SECONDS, 1);
    report.claim(
        kind + "processor time beyond it",
        MOST_SECONDS,
        processor,
        "s",
        processor <= MOST_SECONDS,
        1);
  }

  private static String answer(Problem problem, Outcome outcome) {
    if (outcome.solution().isEmpty()) {
      return outcome.infeasible().orElseThrow().reason().toString();
    }
    Solution solution = outcome.orElseThrow();
    boolean isAccepted =
        SolutionChecker.violations(problem, solution).isEmpty()
            && CertificateChecker.check(problem, solution).isAccepted();
    return String.format(
        Locale.ROOT,
        "sum %.1f, bound %.1f, %s by both checkers",
        solution.sumBillionths() / 1e9,
        solution.certificate().sumBound() / 1e9,
        isAccepted ? "accepted" : "REFUSED");
  }

  private static String shown(double seconds) {
    return String.format(Locale.ROOT, "%.2f", seconds);
  }

  private static long processorNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static Problem read(String name) throws IOException {
    String file = "/" + name + ".json.gz";
    try (InputStream in = TimeLimitBench.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("There is no problem (" + file + ") in the archive.");
      }
      return ProblemReader.read(new GZIPInputStream(in)).orElseThrow();
    }
  }
}
