package org.paceline.allocator.network;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.path.CheapestPaths;
import org.paceline.allocator.path.Topology;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;

/**
 * Serves whom it can where not all can be served: of those who need the bottleneck the lowest
 * priority goes first, then who needs most there, 1, 2, 4 ... at a time; afterwards the dropped are
 * tried again, the highest priority first, so that doubling drops nobody needlessly.
 */
public final class Admission {
  private static final int SECOND_CHANCES = 64;

  private final Allocator allocator;

  public Admission(Allocator allocator) {
    this.allocator = allocator;
  }

  public Admitted admit(Problem problem, SolveOptions options) {
    List<Application> kept = new ArrayList<>(problem.applications());
    List<Admitted.Dropped> dropped = new ArrayList<>();
    Outcome outcome = allocator.solve(problem, options);
    int batch = 1;
    while (outcome.infeasible().isPresent()) {
      Infeasible why = outcome.infeasible().get();
      List<Application> victims = victims(problem, kept, why, batch);
      victims.forEach(v -> dropped.add(Admitted.Dropped.of(v.id(), why)));
      kept.removeAll(victims);
      if (kept.isEmpty()) {
        return Admitted.of(Optional.empty(), dropped);
      }
      batch = why.reason() == Infeasible.Reason.NO_ROOM ? batch * 2 : batch;
      outcome = allocator.solve(problem.withApplications(kept), options);
    }
    return dropped.size() <= 1
        ? Admitted.of(outcome.solution(), dropped)
        : secondChance(problem, options, kept, dropped, outcome);
  }

  private Admitted secondChance(
      Problem problem,
      SolveOptions options,
      List<Application> kept,
      List<Admitted.Dropped> dropped,
      Outcome solved) {
    Set<String> out =
        dropped.stream()
            .filter(d -> d.reason().reason() == Infeasible.Reason.NO_ROOM)
            .map(Admitted.Dropped::applicationId)
            .collect(Collectors.toSet());
    List<Application> again =
        problem.applications().stream()
            .filter(a -> out.contains(a.id()))
            .sorted(givesWay().reversed())
            .limit(SECOND_CHANCES)
            .collect(Collectors.toList());
    Outcome best = solved;
    Set<String> back = new HashSet<>();
    for (Application application : again) {
      kept.add(application);
      Outcome with = allocator.solve(problem.withApplications(kept), options);
      if (with.solution().isPresent()) {
        best = with;
        back.add(application.id());
      } else {
        kept.remove(kept.size() - 1);
      }
    }
    return Admitted.of(
        best.solution(),
        dropped.stream()
            .filter(d -> !back.contains(d.applicationId()))
            .collect(Collectors.toList()));
  }

  /** Who goes first: the lowest priority, then who needs most, then by id. */
  private static Comparator<Application> givesWay() {
    return Comparator.comparingInt(Application::priority)
        .thenComparing(a -> -a.utilityFunction().rateMillibits(0))
        .thenComparing(Application::id);
  }

  private static List<Application> victims(
      Problem problem, List<Application> kept, Infeasible why, int batch) {
    if (why.reason() != Infeasible.Reason.NO_ROOM || why.bottleneck().isEmpty()) {
      return kept.stream()
          .filter(a -> a.id().equals(why.applicationId()))
          .collect(Collectors.toList());
    }
    List<Application> users = users(problem, kept, why.bottleneck().get());
    if (users.isEmpty()) {
      users = new ArrayList<>(kept);
    }
    users.sort(givesWay());
    return new ArrayList<>(users.subList(0, Math.min(batch, users.size())));
  }

  /** Those whose fastest path crosses the link. */
  private static List<Application> users(
      Problem problem, List<Application> kept, LinkId bottleneck) {
    Topology idle = Topology.whenIdle(problem.network());
    CheapestPaths search = new CheapestPaths(idle);
    double[] nothing = new double[idle.links()];
    List<Application> users = new ArrayList<>();
    String source = "";
    List<List<CheapestPaths.Label>> labels = List.of();
    List<Application> bySource = new ArrayList<>(kept);
    bySource.sort(Comparator.comparing(Application::from));
    for (Application application : bySource) {
      if (!application.from().equals(source)) {
        source = application.from();
        labels = search.from(idle.node(source), nothing, Long.MAX_VALUE / 4);
      }
      for (int e : labels.get(idle.node(application.to())).get(0).path()) {
        if (idle.id(e).equals(bottleneck)) {
          users.add(application);
        }
      }
    }
    return users;
  }
}
