package org.paceline.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.paceline.bench.LiveRun.Paced;
import org.paceline.bench.report.Report;
import org.paceline.bench.report.Spread;
import org.paceline.bench.workload.GeneratedTopologies;
import org.paceline.bench.workload.OneLink;
import org.paceline.bench.workload.Traffic;
import org.paceline.intents.problem.Problem;

/** Arrivals, departures and changes of links on live solutions, with full solves beside them. */
final class IncrementalBench {
  private static final int PER_SECOND = 200;
  private static final int WARM_UP = 2_000;
  private static final Duration MOST_PATIENCE = Duration.ofSeconds(8);

  private final boolean quick;
  private final Report report;

  IncrementalBench(boolean quick, Report report) {
    this.quick = quick;
    this.report = report;
  }

  void run() {
    Duration duration = Duration.ofSeconds(quick ? 5 : 20);
    Report.Section events = events(duration);
    Report.Section changes = changes();
    for (Problem problem : problems()) {
      try (LiveRun run = new LiveRun(problem)) {
        run.warmUp(WARM_UP);
        row(events, run, run.paced(PER_SECOND, duration));
        int links = problem.network().links().size() > 1 ? 1 : 5;
        row(changes, run.name(), "to 90 %", run.change(links, 0.9, MOST_PATIENCE));
        if (problem.network().links().size() > 1) {
          row(changes, run.name(), "lost", run.change(links, 0, MOST_PATIENCE));
        }
      }
    }
  }

  private List<Problem> problems() {
    int most = quick ? 10_000 : 100_000;
    List<Problem> problems = new ArrayList<>();
    problems.add(OneLink.sixTypes(most));
    problems.add(Traffic.on(GeneratedTopologies.waxman(12, 20, 1), Traffic.Pattern.HUBS, most, 1));
    problems.add(Traffic.on(GeneratedTopologies.waxman(90, 170, 1), Traffic.Pattern.HUBS, most, 1));
    problems.add(Traffic.on(GeneratedTopologies.campus(4, 6, 12), Traffic.Pattern.HUBS, most, 1));
    return problems;
  }

  private Report.Section events(Duration duration) {
    return report.section(
        "Events on a live solution",
        String.format(
            Locale.ROOT,
            "Arrivals and departures, half and half, each application an entry of its own, %d a"
                + " second for %d s, each due at its moment whether or not the one before is done."
                + " `event`: its own work. `response`: from its moment to its end, with all that it"
                + " had to wait for. Whenever the certified gap is above %.0e, or somebody was"
                + " refused, a full solve runs on another thread, limit %d s, and is adopted between"
                + " two events; `begin or adopt` is what that takes of the events' thread. `held`:"
                + " after how many of the events the gap is at most %.0e.",
            PER_SECOND,
            duration.toSeconds(),
            LiveRun.GREATEST_GAP / 2,
            LiveRun.SOLVE.toSeconds(),
            LiveRun.GREATEST_GAP),
        "problem",
        "live",
        "event p50 ms",
        "event p99 ms",
        "response p99 ms",
        "greatest ms",
        "gap at start",
        "gap median",
        "gap greatest",
        "held",
        "refused",
        "adopted",
        "solve s",
        "begin or adopt ms");
  }

  private static void row(Report.Section table, LiveRun run, Paced paced) {
    table.row(
        run.name(),
        Integer.toString(run.size()),
        Spread.millis(Paced.at(paced.service(), 0.5)),
        Spread.millis(Paced.at(paced.service(), 0.99)),
        Spread.millis(Paced.at(paced.response(), 0.99)),
        Spread.millis(Paced.at(paced.response(), 1)),
        gap(run.gapAtStart()),
        gap(Paced.at(paced.gaps(), 0.5)),
        gap(Paced.at(paced.gaps(), 1)),
        String.format(Locale.ROOT, "%.1f %%", 100 * paced.held()),
        Integer.toString(run.refused()),
        Integer.toString(run.adopted()),
        run.solves().map(Spread::shown).orElse("none"),
        run.pauses().map(Spread::shown).orElse("none"));
  }

  private Report.Section changes() {
    return report.section(
        "Changes of links on a live solution",
        "On the same live solutions, without other events: a random link is given 90 % of its"
            + " capacity, or is lost, and gets all of it back once the gap is at most 1e-3 again, or"
            + " after "
            + MOST_PATIENCE.toSeconds()
            + " s. `refused`: who found no place at the floor and left.",
        "problem",
        "change",
        "ms",
        "refused",
        "greatest gap after",
        "greatest s until held");
  }

  private static void row(
      Report.Section table, String problem, String change, LiveRun.Changes changes) {
    table.row(
        problem,
        change,
        changes.millis().shown(),
        Integer.toString(changes.refused()),
        gap(changes.worstGap()),
        String.format(Locale.ROOT, "%.1f", changes.secondsToHold()));
  }

  private static String gap(double gap) {
    return String.format(Locale.ROOT, "%.1e", gap);
  }
}
