package org.paceline.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.milp.CpSatCore;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.bench.report.LineChart;
import org.paceline.bench.report.Report;
import org.paceline.bench.report.Spread;
import org.paceline.bench.workload.GeneratedTopologies;
import org.paceline.bench.workload.PublicTopologies;
import org.paceline.bench.workload.Topology;
import org.paceline.bench.workload.Traffic;
import org.paceline.bench.workload.Traffic.Pattern;
import org.paceline.intents.check.CertificateChecker;
import org.paceline.intents.check.SolutionChecker;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;

/** Many bottlenecks: what gap is certified in three seconds, and how that grows with size. */
final class NetworkBench {
  private static final Duration LIMIT = Duration.ofSeconds(3);
  private static final int PATHS = 4;
  private static final List<String> PUBLIC =
      List.of("sndlib/germany50", "sndlib/ta2", "topozoo/Uninett2010", "topozoo/TataNld");

  private final boolean quick;
  private final Path out;
  private final Report report;
  private final Allocator allocator = new NetworkAllocator(Optional.of(new CpSatCore()));

  NetworkBench(boolean quick, Path out, Report report) {
    this.quick = quick;
    this.out = out;
    this.report = report;
  }

  /** One configuration, measured. */
  private record Measured(
      Spread time, Spread theta, double bestGap, double worstGap, String verdict) {
    String gap() {
      return bestGap == worstGap
          ? String.format(Locale.ROOT, "%.1e", worstGap)
          : String.format(Locale.ROOT, "%.1e..%.1e", bestGap, worstGap);
    }
  }

  void run() throws IOException {
    // A controller is warm; so is this.
    Topology other = GeneratedTopologies.waxman(60, 114, 2);
    for (Pattern pattern : Pattern.values()) {
      measure(Traffic.on(other, pattern, 1_000, 2), PATHS, LIMIT, 1);
      measure(Traffic.on(other, pattern, quick ? 10_000 : 60_000, 2), PATHS, LIMIT, 1);
    }
    byApplications();
    report.write(out);
    byNodes();
    byPaths();
    byTime();
    publicTopologies();
  }

  private void byApplications() {
    Report.Section table =
        section(
            "Networks by applications",
            "Limit "
                + LIMIT.toSeconds()
                + " s, "
                + PATHS
                + " paths; "
                + repeated()
                + ". HUBS: clients and data centres, every application between any edge and one of"
                + " the four best connected nodes, so that many have the same ends and are solved"
                + " as one group. ANY: every application between any two edges, so that nearly each"
                + " is a group of its own. The tables below are HUBS. `step 1`: until the least"
                + " utility is known.");
    LineChart gaps = new LineChart("Certified gap after 3 s", "applications", "gap");
    LineChart times = new LineChart("Time, at most 3 s", "applications", "ms");
    for (Topology topology :
        List.of(GeneratedTopologies.waxman(90, 170, 1), GeneratedTopologies.campus(4, 6, 12))) {
      for (Pattern pattern : Pattern.values()) {
        for (int applications = 1_000;
            applications <= (quick ? 10_000 : 100_000);
            applications *= 10) {
          Problem problem = Traffic.on(topology, pattern, applications, 1);
          Measured measured = row(table, topology, problem, PATHS, LIMIT, repetitions());
          gaps.add(topology.name() + " " + pattern, applications, measured.worstGap());
          times.add(topology.name() + " " + pattern, applications, measured.time().median());
          times.add(
              topology.name() + " " + pattern + " step 1", applications, measured.theta().median());
        }
      }
    }
    report.plot("gap-by-applications.svg", gaps);
    report.plot("time-by-applications.svg", times);
  }

  private void byNodes() {
    Report.Section table =
        section(
            "Networks by nodes",
            "10,000 applications, limit " + LIMIT.toSeconds() + " s, " + PATHS + " paths.");
    LineChart gaps = new LineChart("Certified gap after 3 s, 10,000 applications", "nodes", "gap");
    LineChart times = new LineChart("Time, at most 3 s, 10,000 applications", "nodes", "ms");
    List<Topology> topologies = new ArrayList<>();
    for (int nodes : quick ? new int[] {30} : new int[] {30, 120, 240}) {
      topologies.add(GeneratedTopologies.waxman(nodes, nodes * 17 / 9, 1));
    }
    for (int pairs : quick ? new int[] {2} : new int[] {2, 8, 16}) {
      topologies.add(GeneratedTopologies.campus(4, pairs, 12));
    }
    for (Topology topology : topologies) {
      Problem problem = Traffic.on(topology, Pattern.HUBS, 10_000, 1);
      Measured measured = row(table, topology, problem, PATHS, LIMIT);
      String kind = topology.name().substring(0, topology.name().indexOf('-'));
      int nodes = topology.network().nodes().size();
      gaps.add(kind, nodes, measured.worstGap());
      times.add(kind, nodes, measured.time().median());
      times.add(kind + " step 1", nodes, measured.theta().median());
    }
    report.plot("gap-by-nodes.svg", gaps);
    report.plot("time-by-nodes.svg", times);
  }

  private void byPaths() {
    Topology topology = GeneratedTopologies.waxman(90, 170, 1);
    Problem problem = Traffic.on(topology, Pattern.HUBS, 10_000, 1);
    Report.Section table =
        section("Networks by paths", "10,000 applications, limit " + LIMIT.toSeconds() + " s.");
    LineChart gaps = new LineChart("Certified gap after 3 s by first paths", "paths", "gap");
    LineChart times = new LineChart("Time, at most 3 s, by first paths", "paths", "ms");
    for (int paths : quick ? new int[] {2, 4} : new int[] {1, 2, 4, 8}) {
      Measured measured = row(table, topology, problem, paths, LIMIT);
      gaps.add(topology.name(), paths, measured.worstGap());
      times.add(topology.name(), paths, measured.time().median());
      times.add(topology.name() + " step 1", paths, measured.theta().median());
    }
    report.plot("gap-by-paths.svg", gaps);
    report.plot("time-by-paths.svg", times);
  }

  private void byTime() {
    Topology topology = GeneratedTopologies.waxman(90, 170, 1);
    Report.Section table =
        section("Networks by time", "How the certified gap falls; " + PATHS + " paths.");
    LineChart gaps = new LineChart("Certified gap by time", "ms", "gap");
    for (int applications = 1_000; applications <= (quick ? 1_000 : 100_000); applications *= 10) {
      Problem problem = Traffic.on(topology, Pattern.HUBS, applications, 1);
      for (int millis : quick ? new int[] {1_000} : new int[] {1_000, 3_000, 10_000}) {
        Measured measured = row(table, topology, problem, PATHS, Duration.ofMillis(millis));
        gaps.add(applications + " applications", millis, measured.worstGap());
      }
    }
    report.plot("gap-by-time.svg", gaps);
  }

  private void publicTopologies() throws IOException {
    Report.Section table =
        section(
            "Public networks",
            "From the Internet Topology Zoo and SNDlib through TopoHub 1.5.1, with generated"
                + " traffic; limit "
                + LIMIT.toSeconds()
                + " s.");
    Optional<PublicTopologies> collection = PublicTopologies.in(out.resolve("topologies"));
    if (collection.isEmpty()) {
      report.remark(
          "The public topologies could not be fetched from the package registry and are left out.");
      return;
    }
    for (String name : quick ? PUBLIC.subList(0, 1) : PUBLIC) {
      Topology topology = collection.get().read(name);
      row(table, topology, Traffic.on(topology, Pattern.HUBS, 10_000, 1), PATHS, LIMIT);
    }
  }

  private Report.Section section(String name, String explanation) {
    return report.section(
        name,
        explanation,
        "problem",
        "nodes",
        "links",
        "applications",
        "entries",
        "paths",
        "limit ms",
        "ms",
        "step 1 ms",
        "certified gap",
        "checkers");
  }

  private String repeated() {
    return repetitions() + " runs each, gap from best to worst; the checkers look at the last";
  }

  private int repetitions() {
    return quick ? 1 : 3;
  }

  private Measured row(
      Report.Section table, Topology topology, Problem problem, int paths, Duration limit) {
    return row(table, topology, problem, paths, limit, 1);
  }

  private Measured row(
      Report.Section table,
      Topology topology,
      Problem problem,
      int paths,
      Duration limit,
      int times) {
    Measured measured = measure(problem, paths, limit, times);
    table.row(
        problem.name(),
        Integer.toString(problem.network().nodes().size()),
        Integer.toString(problem.network().links().size()),
        Long.toString(problem.size()),
        Integer.toString(problem.applications().size()),
        Integer.toString(paths),
        Long.toString(limit.toMillis()),
        measured.time().shown(),
        measured.theta().shown(),
        measured.gap(),
        measured.verdict());
    return measured;
  }

  private Measured measure(Problem problem, int paths, Duration limit, int times) {
    double[] millis = new double[times];
    double[] theta = new double[times];
    double best = Double.MAX_VALUE;
    double worst = 0;
    String verdict = "";
    for (int i = 0; i < times; i++) {
      long start = System.nanoTime();
      FirstSentence known = new FirstSentence();
      Outcome outcome =
          allocator.solve(
              problem,
              SolveOptions.builder().timeLimit(limit).paths(paths).progress(known).build());
      millis[i] = (System.nanoTime() - start) / 1e6;
      theta[i] = known.since(start) / 1e6;
      if (outcome.solution().isEmpty()) {
        return new Measured(
            Spread.of(millis),
            Spread.of(theta),
            1,
            1,
            outcome.infeasible().map(why -> why.reason() + ": " + why.message()).orElse(""));
      }
      Solution solution = outcome.orElseThrow();
      best = Math.min(best, solution.gap());
      worst = Math.max(worst, solution.gap());
      verdict = i < times - 1 ? "" : verdict(problem, solution);
    }
    return new Measured(Spread.of(millis), Spread.of(theta), best, worst, verdict);
  }

  /** Notes when the solver first has something to say: that it knows the least utility. */
  private static final class FirstSentence implements Consumer<String> {
    private long at;

    @Override
    public void accept(String sentence) {
      if (at == 0 && sentence.startsWith("least utility")) {
        at = System.nanoTime();
      }
    }

    long since(long start) {
      return at == 0 ? 0 : at - start;
    }
  }

  /** What the checkers, which share no code with the solver, say. */
  private static String verdict(Problem problem, Solution solution) {
    List<String> violations = new ArrayList<>(SolutionChecker.violations(problem, solution));
    var certificate = CertificateChecker.check(problem, solution);
    violations.addAll(certificate.violations());
    return violations.isEmpty()
        ? "accepted, sum bound " + certificate.sum()
        : "VIOLATIONS: " + violations.get(0);
  }
}
