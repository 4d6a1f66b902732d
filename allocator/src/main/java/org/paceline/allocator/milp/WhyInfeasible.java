package org.paceline.allocator.milp;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Infeasible.Reason;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.utility.UtilityFunction;

/**
 * A solver only says that there is no solution; this names an application and, where one can be
 * told, the link: no path, no path fast enough, or else the link that is fullest when everybody
 * takes the least rate on the fastest path.
 */
final class WhyInfeasible {
  private final Problem problem;

  private WhyInfeasible(Problem problem) {
    this.problem = problem;
  }

  static Infeasible of(Problem problem) {
    return new WhyInfeasible(problem).reason();
  }

  static Infeasible undecided(Problem problem, String what) {
    return Infeasible.of(
        Reason.UNDECIDED,
        problem.applications().get(0).id(),
        Optional.empty(),
        what + " was not decided in time. Maybe allow more, or use another method.");
  }

  private Infeasible reason() {
    Map<LinkId, Double> loads = new HashMap<>();
    Map<LinkId, Application> widest = new HashMap<>();
    for (Application application : problem.applications()) {
      UtilityFunction function = application.utilityFunction();
      Optional<List<Link>> fastest = fastest(application.from(), application.to());
      if (fastest.isEmpty()) {
        return Infeasible.of(
            Reason.NO_PATH,
            application.id(),
            Optional.empty(),
            String.format(
                "No path leads from (%s) to (%s) for (%s).",
                application.from(), application.to(), application.id()));
      }
      List<Link> path = fastest.get();
      long delay = path.stream().mapToLong(l -> l.delay().least().nanos()).sum();
      if (delay > function.delayNanos(function.delayBins() - 1)) {
        LinkId slowest = Collections.max(path, Comparator.comparing(l -> l.delay().least())).id();
        return Infeasible.of(
            Reason.TOO_SLOW,
            application.id(),
            Optional.of(slowest),
            String.format(
                "The fastest path for (%s) takes %.6f ms, more than its greatest delay bin (%s).",
                application.id(), delay / 1e6, function.delay(function.delayBins() - 1)));
      }
      double load = (double) function.rateMillibits(0) * application.count();
      for (Link link : path) {
        loads.merge(link.id(), load, Double::sum);
        widest.merge(link.id(), application, WhyInfeasible::wider);
      }
    }
    LinkId fullest =
        Collections.max(
            loads.keySet(),
            Comparator.<LinkId>comparingDouble(id -> share(id, loads))
                .thenComparing(Comparator.reverseOrder()));
    String applicationId =
        Optional.ofNullable(widest.get(fullest))
            .map(Application::id)
            .orElseThrow(AssertionError::new);
    return Infeasible.of(
        Reason.NO_ROOM,
        applicationId,
        Optional.of(fullest),
        String.format(
            "There is no room for all, even at the least rates: the fullest link is (%s), and (%s)"
                + " needs most of it.",
            fullest, applicationId));
  }

  private double share(LinkId id, Map<LinkId, Double> loads) {
    long limit = problem.network().link(id).map(Link::limitMillibits).orElse(0L);
    return loads.getOrDefault(id, 0.0) / Math.max(1, limit);
  }

  private static Application wider(Application a, Application b) {
    return b.utilityFunction().rateMillibits(0) > a.utilityFunction().rateMillibits(0) ? b : a;
  }

  /** Dijkstra by the delay with no load. */
  private Optional<List<Link>> fastest(String from, String to) {
    Map<String, Long> delays = new HashMap<>(Map.of(from, 0L));
    Map<String, Link> arrivals = new HashMap<>();
    PriorityQueue<Map.Entry<String, Long>> open = new PriorityQueue<>(Map.Entry.comparingByValue());
    open.add(Map.entry(from, 0L));
    for (Map.Entry<String, Long> next = open.poll(); next != null; next = open.poll()) {
      if (next.getValue() > delays.getOrDefault(next.getKey(), Long.MAX_VALUE)) {
        continue;
      }
      for (Link link : problem.network().outgoing(next.getKey())) {
        long delay = next.getValue() + link.delay().least().nanos();
        if (delay < delays.getOrDefault(link.to(), Long.MAX_VALUE)) {
          delays.put(link.to(), delay);
          arrivals.put(link.to(), link);
          open.add(Map.entry(link.to(), delay));
        }
      }
    }
    if (!arrivals.containsKey(to)) {
      return Optional.empty();
    }
    List<Link> path = new ArrayList<>();
    Link arrival = arrivals.get(to);
    while (arrival != null) {
      path.add(0, arrival);
      arrival = arrival.from().equals(from) ? null : arrivals.get(arrival.from());
    }
    return Optional.of(path);
  }
}
