package org.paceline.control.scheme.utility;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.allocator.incremental.LiveAllocation;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;

/**
 * Follows who comes and goes on the last full solution of a network, in a fraction of a millisecond
 * instead of a solver's tenths of a second. Says that only a full solve will do when the network or
 * an application changed, somebody would have to be refused, the certified gap has grown, or a
 * quarter has come or gone since the last one. Belongs to one thread at a time.
 */
final class LiveNetwork {
  /** How much the certified gap may grow before it is worth a full solve. */
  private static final double GREATEST_GROWTH = 0.05;

  private static final int FEW = 8;

  private Optional<LiveAllocation> live = Optional.empty();
  private Network network = Network.of(List.of(), List.of());
  private final Map<String, Application> present = new HashMap<>();
  private Map<LinkId, Double> prices = Map.of();
  private int changes;

  /** Begins anew from a full solution; applications of the problem may differ within a type. */
  void rebase(Problem problem, Solution solution) {
    live = Optional.of(LiveAllocation.of(problem, solution, solution.gap() + GREATEST_GROWTH));
    network = problem.network();
    present.clear();
    problem.applications().forEach(a -> present.put(a.id(), a));
    prices = solution.certificate().prices();
    changes = 0;
  }

  /** Those of the last full solution, which the gap is certified with. */
  Map<LinkId, Double> prices() {
    return prices;
  }

  double gap() {
    return live.map(LiveAllocation::gap).orElse(0.0);
  }

  /** A grant for each, or empty where only a full solve will do. */
  Optional<List<Grant>> follow(Problem problem) {
    if (live.isEmpty() || !network.equals(problem.network())) {
      return Optional.empty();
    }
    LiveAllocation allocation = live.get();
    boolean followed = change(allocation, problem.applications());
    if (!followed
        || allocation.solveIsDue()
        || changes > Math.max(FEW, problem.applications().size() / 4)) {
      live = Optional.empty();
      return Optional.empty();
    }
    List<Grant> grants = new ArrayList<>();
    problem.applications().forEach(a -> grants.addAll(allocation.grantsOf(a.id())));
    return Optional.of(grants);
  }

  private boolean change(LiveAllocation allocation, List<Application> wanted) {
    Map<String, Application> gone = new HashMap<>(present);
    List<Application> come = new ArrayList<>();
    for (Application application : wanted) {
      Application known = gone.remove(application.id());
      if (known == null) {
        come.add(application);
      } else if (!known.equals(application)) {
        return false;
      }
    }
    for (String id : gone.keySet()) {
      allocation.depart(id);
      present.remove(id);
    }
    for (Application application : come) {
      if (!allocation.arrive(application).refused().isEmpty()) {
        return false;
      }
      present.put(application.id(), application);
    }
    changes += gone.size() + come.size();
    return true;
  }
}
