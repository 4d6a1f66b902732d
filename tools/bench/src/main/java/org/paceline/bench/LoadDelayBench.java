package org.paceline.bench;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.auto.AutoAllocator;
import org.paceline.allocator.milp.CpSatCore;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.bench.report.Report;
import org.paceline.bench.report.Spread;
import org.paceline.bench.workload.LoadDelayNetworks;
import org.paceline.bench.workload.LoadDelayNetworks.Shape;
import org.paceline.bench.workload.LoadDelayReferee;
import org.paceline.bench.workload.LoadDelayReferee.Optimum;
import org.paceline.intents.check.CertificateChecker;
import org.paceline.intents.check.CertificateReport;
import org.paceline.intents.check.CertificateReport.Standing;
import org.paceline.intents.check.SolutionChecker;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.problem.Solution;

/**
 * Small networks whose delays depend on load, against an independent CP-SAT model. Time is that of
 * the processor, so that other work on the machine does not count.
 */
final class LoadDelayBench {
  private static final double PROVED_SECONDS = 5;
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final double REFEREE_SECONDS = 300;
  private static final double EXACT = 1e-6;

  private final int problems;
  private final Report report;
  private final Allocator allocator =
      new AutoAllocator(new NetworkAllocator(Optional.of(new CpSatCore())));

  LoadDelayBench(boolean quick, Report report) {
    this.problems = quick ? 20 : 300;
    this.report = report;
  }

  /** What became of the problems of one kind. */
  private static final class Tally {
    final List<Double> millis = new ArrayList<>();
    final List<String> wrong = new ArrayList<>();
    int solved;
    int crashes;
    int undecided;
    int theta;
    int refused;
    int falseBounds;
    int proved;
    int checked;
    double worstGap;
  }

  void run() {
    Report.Section table =
        report.section(
            "Delay that depends on load",
            String.format(
                Locale.ROOT,
                "3 to 6 nodes, 2 to 12 applications of 1 to 5 types, feasible by the referee; limit"
                    + " %d s. `theta`: as the referee's. `proved`: the sum within 1e-6 of the"
                    + " referee's and of its own bound, within %.0f s of processor time. `checked`:"
                    + " both bounds follow from the certificate, without the solver. `refused`: by"
                    + " a checker, or with a bound below the referee's optimum.",
                LIMIT.toSeconds(),
                PROVED_SECONDS),
            "shape",
            "cells",
            "problems",
            "crashes",
            "undecided",
            "theta",
            "proved",
            "checked",
            "worst gap",
            "refused",
            "processor ms");
    for (Sharing sharing : List.of(Sharing.SAME_UTILITY_PER_TYPE, Sharing.FREE)) {
      for (Shape shape : Shape.values()) {
        row(table, shape, sharing);
      }
    }
  }

  private void row(Report.Section table, Shape shape, Sharing sharing) {
    Tally tally = new Tally();
    for (long seed = 1; tally.solved < problems; seed++) {
      Problem problem = LoadDelayNetworks.of(shape, sharing, seed);
      Optional<Optimum> optimum = LoadDelayReferee.solve(problem, REFEREE_SECONDS);
      if (optimum.isPresent()) {
        judge(problem, optimum.get(), tally);
        tally.solved++;
      }
    }
    String cells = sharing == Sharing.FREE ? "each its own" : "same per type";
    table.row(
        shape.toString(),
        cells,
        Integer.toString(problems),
        Integer.toString(tally.crashes),
        Integer.toString(tally.undecided),
        Integer.toString(tally.theta),
        Integer.toString(tally.proved),
        Integer.toString(tally.checked),
        String.format(Locale.ROOT, "%.1e", tally.worstGap),
        Integer.toString(tally.refused + tally.falseBounds),
        Spread.of(tally.millis.stream().mapToDouble(Double::doubleValue).toArray()).shown());
    tally.wrong.forEach(sentence -> report.remark("- " + sentence));
    claim(shape + ", " + cells, shape, tally);
  }

  private void claim(String kind, Shape shape, Tally tally) {
    report.claim(kind + ": crashes", 0, tally.crashes, "problems", tally.crashes == 0, problems);
    report.claim(
        kind + ": undecided", 0, tally.undecided, "problems", tally.undecided == 0, problems);
    report.claim(
        kind + ": refused by a checker or the referee",
        0,
        tally.refused + tally.falseBounds,
        "problems",
        tally.refused + tally.falseBounds == 0,
        problems);
    double theta = 100.0 * tally.theta / problems;
    report.claim(kind + ": theta right", 100, theta, "%", tally.theta == problems, problems);
    if (shape == Shape.MESH) {
      double gap = 100 * tally.worstGap;
      report.claim(kind + ": greatest gap", 5, gap, "%", gap < 5, problems);
    } else {
      double proved = 100.0 * tally.proved / problems;
      report.claim(kind + ": sum proved in 5 s", 95, proved, "%", proved >= 95, problems);
    }
  }

  private void judge(Problem problem, Optimum optimum, Tally tally) {
    Outcome outcome;
    long before = processorNanos();
    try {
      outcome = allocator.solve(problem, SolveOptions.builder().timeLimit(LIMIT).build());
    } catch (RuntimeException e) {
      tally.crashes++;
      tally.wrong.add(problem.name() + ", " + problem.sharing() + ": " + e);
      return;
    }
    double millis = (processorNanos() - before) / 1e6;
    tally.millis.add(millis);
    if (outcome.solution().isEmpty()) {
      tally.undecided++;
      tally.wrong.add(
          problem.name() + ", " + problem.sharing() + ": " + outcome.infeasible().get().message());
      return;
    }
    Solution solution = outcome.orElseThrow();
    boolean theta = solution.theta1().billionths() == optimum.theta();
    tally.theta += theta ? 1 : 0;
    double gap = solution.gap();
    tally.worstGap = Math.max(tally.worstGap, gap);
    double lacking = (optimum.sum() - solution.sumBillionths()) / (double) optimum.sum();
    boolean proved = theta && gap <= EXACT && Math.abs(lacking) <= EXACT;
    tally.proved += proved && millis <= 1_000 * PROVED_SECONDS ? 1 : 0;
    CertificateReport certificate = CertificateChecker.check(problem, solution);
    tally.checked +=
        certificate.theta() == Standing.PROVED && certificate.sum() == Standing.PROVED ? 1 : 0;
    boolean refused =
        !SolutionChecker.violations(problem, solution).isEmpty() || !certificate.isAccepted();
    tally.refused += refused ? 1 : 0;
    boolean falseBound =
        solution.certificate().thetaBound().billionths() < optimum.theta()
            || (theta && solution.certificate().sumBound() < optimum.sum());
    tally.falseBounds += falseBound ? 1 : 0;
    if (!proved || refused || falseBound || millis > 1_000 * PROVED_SECONDS) {
      tally.wrong.add(
          String.format(
              Locale.ROOT,
              "%s, %s: theta %.9f of %.9f, sum %.9f of %.9f, gap %.1e, %.0f ms%s",
              problem.name(),
              problem.sharing(),
              solution.theta1().billionths() / 1e9,
              optimum.theta() / 1e9,
              solution.sumBillionths() / 1e9,
              optimum.sum() / 1e9,
              gap,
              millis,
              refused ? ", REFUSED" : falseBound ? ", FALSE BOUND" : ""));
    }
  }

  /** Of the thread in which the search runs. */
  private static long processorNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
