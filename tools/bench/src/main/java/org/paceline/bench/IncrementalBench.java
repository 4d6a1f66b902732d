package org.paceline.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.incremental.LiveAllocation;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.bench.report.Report;
import org.paceline.bench.report.Spread;
import org.paceline.bench.workload.GeneratedTopologies;
import org.paceline.bench.workload.Topology;
import org.paceline.bench.workload.Traffic;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;

/** Arrivals and departures on a live solution, with full solves beside them. */
final class IncrementalBench {
  private static final double GREATEST_GAP = 1e-3;
  private static final Duration SOLVE = Duration.ofSeconds(3);

  private final boolean quick;
  private final Report report;
  private final Allocator allocator = new NetworkAllocator(Optional.empty());
  private final Random random = new Random(1);

  IncrementalBench(boolean quick, Report report) {
    this.quick = quick;
    this.report = report;
  }

  void run() {
    Report.Section table =
        report.section(
            "Events on a live solution",
            "Arrivals and departures, half and half, one after the other as fast as they go, each"
                + " application an entry of its own. As soon as a full solve is due one runs on"
                + " another thread, limit "
                + SOLVE.toSeconds()
                + " s, and is adopted between two events; what that takes of the events' thread"
                + " is the last column.",
            "problem",
            "live",
            "events",
            "p50 ms",
            "p99 ms",
            "greatest ms",
            "gap at start",
            "gap median",
            "gap greatest",
            "refused",
            "solves adopted",
            "begin or adopt ms");
    for (int live : quick ? new int[] {1_000} : new int[] {10_000, 100_000}) {
      for (Topology topology :
          List.of(GeneratedTopologies.campus(4, 6, 12), GeneratedTopologies.waxman(90, 170, 1))) {
        row(table, topology, live, quick ? 2_000 : 50_000);
      }
    }
  }

  private void row(Report.Section table, Topology topology, int size, int events) {
    Problem problem = singly(Traffic.on(topology, Traffic.Pattern.HUBS, size, 1));
    Optional<Solution> start =
        allocator
            .solve(problem, SolveOptions.builder().timeLimit(SOLVE.multipliedBy(3)).build())
            .solution();
    if (start.isEmpty()) {
      throw new IllegalStateException("There is no solution to begin with.");
    }
    LiveAllocation live = LiveAllocation.of(problem, start.get(), GREATEST_GAP);
    final double gapAtStart = live.gap();
    List<Application> here = new ArrayList<>(problem.applications());
    double[] millis = new double[events];
    double[] gaps = new double[events];
    List<Double> pauses = new ArrayList<>();
    int refused = 0;
    int adopted = 0;
    Optional<Solving> solving = Optional.empty();
    for (int e = 0; e < events; e++) {
      boolean arrival = here.size() < 2 || random.nextBoolean();
      int which = random.nextInt(problem.applications().size());
      Application newcomer = renamed(problem.applications().get(which), "new-" + e);
      int at = random.nextInt(here.size());
      Application leaver = here.get(at);
      long before = System.nanoTime();
      var told = arrival ? live.arrive(newcomer) : live.depart(leaver.id());
      millis[e] = (System.nanoTime() - before) / 1e6;
      gaps[e] = told.gap();
      refused += told.refused().size();
      if (!arrival) {
        // Order does not matter, so that this is no search through all.
        here.set(at, here.get(here.size() - 1));
        here.remove(here.size() - 1);
      } else if (!told.refused().contains(newcomer.id())) {
        here.add(newcomer);
      }
      if (solving.isPresent() && solving.get().done().isDone()) {
        if (solving.get().done().join()) {
          pauses.add(pause(live, solving.get().pending()));
          adopted++;
        }
        solving = Optional.empty();
      } else if (solving.isEmpty() && told.solveIsDue()) {
        long begun = System.nanoTime();
        LiveAllocation.Pending pending = live.beginSolve();
        pauses.add((System.nanoTime() - begun) / 1e6);
        solving = Optional.of(new Solving(pending, solve(pending)));
      }
    }
    solving.ifPresent(s -> s.done().join());
    Arrays.sort(millis);
    Arrays.sort(gaps);
    table.row(
        problem.name(),
        Integer.toString(live.size()),
        Integer.toString(events),
        Spread.millis(millis[events / 2]),
        Spread.millis(millis[events * 99 / 100]),
        Spread.millis(millis[events - 1]),
        gap(gapAtStart),
        gap(gaps[events / 2]),
        gap(gaps[events - 1]),
        Integer.toString(refused),
        Integer.toString(adopted),
        pauses.isEmpty()
            ? "none"
            : Spread.of(pauses.stream().mapToDouble(Double::doubleValue).toArray()).shown());
  }

  /** A solve on another thread; true once there is something to adopt. */
  private record Solving(LiveAllocation.Pending pending, CompletableFuture<Boolean> done) {}

  private CompletableFuture<Boolean> solve(LiveAllocation.Pending pending) {
    SolveOptions options =
        SolveOptions.builder().timeLimit(SOLVE).targetGap(GREATEST_GAP / 10).build();
    return CompletableFuture.supplyAsync(
        () -> pending.solve(allocator, options).solution().isPresent());
  }

  private static double pause(LiveAllocation live, LiveAllocation.Pending pending) {
    long at = System.nanoTime();
    live.adopt(pending);
    return (System.nanoTime() - at) / 1e6;
  }

  private static String gap(double gap) {
    return String.format(Locale.ROOT, "%.1e", gap);
  }

  /** Each copy an entry of its own, so that it can leave alone. */
  private static Problem singly(Problem problem) {
    List<Application> all = new ArrayList<>();
    for (Application application : problem.applications()) {
      for (int copy = 0; copy < application.count(); copy++) {
        all.add(renamed(application, application.id() + "#" + copy));
      }
    }
    return problem.withApplications(all);
  }

  private static Application renamed(Application application, String id) {
    return Application.of(id, application.from(), application.to(), application.utilityFunction());
  }
}
