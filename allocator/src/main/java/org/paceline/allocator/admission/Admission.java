package org.paceline.allocator.admission;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
 * priority goes first, then who needs most there, 1, 2, 4 ... copies at a time; afterwards the
 * dropped are tried again, the highest priority first and as many copies of each as there is room
 * for, so that doubling drops nobody needlessly.
 */
public final class Admission {
  private static final int SECOND_CHANCES = 64;

  /** Whether there is a solution is all that most solves are for; the last looks for a good one. */
  private static final double ANY_SUM = 0.999;

  private final Allocator allocator;

  public Admission(Allocator allocator) {
    this.allocator = allocator;
  }

  /** The time limit is for each solve: who is admitted must not depend on how busy a machine is. */
  public Admitted admit(Problem problem, SolveOptions options) {
    Outcome all = allocator.solve(problem, options);
    return isRefused(all)
        ? new Attempt(problem, options).admitted(all)
        : Admitted.of(problem, all, List.of());
  }

  /** Whether somebody must go: not where time ran out, or the allocator does not know how. */
  private static boolean isRefused(Outcome outcome) {
    return outcome
        .infeasible()
        .filter(why -> why.reason() != Infeasible.Reason.UNDECIDED)
        .isPresent();
  }

  /** A problem on its way to one that has a solution. */
  private final class Attempt {
    private final Problem problem;
    private final SolveOptions options;
    private final Map<String, Application> applications = new LinkedHashMap<>();

    /** How many copies of each application are served. */
    private final Map<String, Integer> served = new HashMap<>();

    /** Why the first copies of an application had to go, in that order. */
    private final Map<String, Infeasible> reasons = new LinkedHashMap<>();

    Attempt(Problem problem, SolveOptions options) {
      this.problem = problem;
      this.options = options;
      for (Application application : problem.applications()) {
        applications.put(application.id(), application);
        served.put(application.id(), application.count());
      }
    }

    Admitted admitted(Outcome refusal) {
      Outcome outcome = refusal;
      int batch = 1;
      while (isRefused(outcome) && !kept().isEmpty()) {
        Infeasible why = outcome.infeasible().orElseThrow(AssertionError::new);
        drop(why, batch);
        batch = why.reason() == Infeasible.Reason.NO_ROOM ? Math.min(2 * batch, 1 << 30) : batch;
        outcome = kept().isEmpty() ? refusal : anySolution();
      }
      if (outcome.solution().isEmpty() && !isRefused(outcome)) {
        return Admitted.of(problem, outcome, dropped());
      }
      Outcome any = secondChances(outcome);
      if (any.solution().isEmpty()) {
        return Admitted.of(problem, refusal, dropped());
      }
      Problem now = problem.withApplications(kept());
      Outcome good = allocator.solve(now, options);
      return Admitted.of(now, good.solution().isPresent() ? good : any, dropped());
    }

    private Outcome anySolution() {
      return allocator.solve(
          problem.withApplications(kept()), options.toBuilder().targetGap(ANY_SUM).build());
    }

    private int served(Application application) {
      return served.getOrDefault(application.id(), 0);
    }

    private List<Application> kept() {
      return applications.values().stream()
          .filter(a -> served(a) > 0)
          .map(a -> served(a) == a.count() ? a : a.withCount(served(a)))
          .collect(Collectors.toList());
    }

    private List<Admitted.Dropped> dropped() {
      List<Admitted.Dropped> dropped = new ArrayList<>();
      reasons.forEach(
          (id, why) -> {
            int out =
                Optional.ofNullable(applications.get(id)).map(a -> a.count() - served(a)).orElse(0);
            if (out > 0) {
              dropped.add(Admitted.Dropped.of(id, out, why));
            }
          });
      return dropped;
    }

    private void drop(Infeasible why, int batch) {
      int open = why.reason() == Infeasible.Reason.NO_ROOM ? batch : Integer.MAX_VALUE;
      for (Application victim : victims(why)) {
        int going = Math.min(open, victim.count());
        if (going > 0) {
          served.put(victim.id(), victim.count() - going);
          reasons.putIfAbsent(victim.id(), why);
        }
        open -= going;
      }
    }

    /** In the order in which they go, with the copies that there are still. */
    private List<Application> victims(Infeasible why) {
      if (why.reason() != Infeasible.Reason.NO_ROOM || why.bottleneck().isEmpty()) {
        return kept().stream()
            .filter(a -> a.id().equals(why.applicationId()))
            .collect(Collectors.toList());
      }
      List<Application> users = users(problem, kept(), why.bottleneck().get());
      List<Application> victims = users.isEmpty() ? kept() : users;
      victims.sort(givesWay());
      return victims;
    }

    /** Serves as many of the dropped as there is room for; returns the last solution, if any. */
    private Outcome secondChances(Outcome solved) {
      List<Application> again =
          reasons.entrySet().stream()
              .filter(out -> out.getValue().reason() == Infeasible.Reason.NO_ROOM)
              .flatMap(out -> Stream.ofNullable(applications.get(out.getKey())))
              .sorted(givesWay().reversed())
              .limit(SECOND_CHANCES)
              .collect(Collectors.toList());
      Outcome best = solved;
      for (Application application : again) {
        // Invariant: so many have a place, and refused are too many.
        int placed = served(application);
        int refused = application.count() + 1;
        int next = application.count();
        while (placed + 1 < refused) {
          served.put(application.id(), next);
          Outcome with = anySolution();
          if (with.solution().isPresent()) {
            best = with;
            placed = next;
          } else {
            refused = next;
          }
          next = placed + (refused - placed) / 2;
        }
        served.put(application.id(), placed);
      }
      return best;
    }
  }

  /** Who goes first: the lowest priority, then who needs most, then by id. */
  private static Comparator<Application> givesWay() {
    return Comparator.comparingInt(Application::priority)
        .thenComparing(a -> -a.utilityFunction().rateMillibits(0))
        .thenComparing(Application::id);
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
