package org.paceline.control.scheme.utility;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.admission.Admission;
import org.paceline.allocator.admission.Admitted;
import org.paceline.control.inventory.Routes;
import org.paceline.control.model.Unserved;
import org.paceline.control.scheme.LeastShares;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;

/**
 * What to do where not even the least rates of all fit: admission by priority, and among equals
 * those who are served already before newcomers. Whoever is not admitted is held to a trickle out
 * of a small part of every link that is kept for this, so that queues stay empty all the same.
 */
final class Scarcity {
  /** Of what a plan may grant on a link, the part that the trickles share. */
  private static final int TRICKLE_THOUSANDTHS = 20;

  /** So that twice any priority, and one, is a number. */
  private static final int GREATEST_PRIORITY = 1 << 29;

  private final Admission admission;
  private final SolveOptions options;

  Scarcity(Allocator allocator, SolveOptions options) {
    this.admission = new Admission(allocator);
    this.options = options;
  }

  /**
   * @param incumbents the ids of those who are served already
   * @return whether anybody could be served
   */
  boolean serve(Problem problem, Routes routes, Set<String> incumbents, PlanAnswer answer) {
    List<Application> ranked = new ArrayList<>();
    problem.applications().forEach(a -> ranked.add(ranked(a, incumbents.contains(a.id()))));
    Admitted admitted =
        admission.admit(
            problem
                .withNetwork(PlannerSettings.scaled(problem.network(), 1_000 - TRICKLE_THOUSANDTHS))
                .withApplications(ranked),
            options);
    Optional<Solution> solution = admitted.solution();
    if (solution.isEmpty()) {
      return false;
    }
    answer.take(solution.get());
    Set<String> crowdedOut = new HashSet<>();
    for (Admitted.Dropped dropped : admitted.dropped()) {
      if (dropped.reason().reason() == Infeasible.Reason.NO_ROOM) {
        answer.unserved.put(dropped.applicationId(), full(dropped));
        crowdedOut.add(dropped.applicationId());
      } else {
        problem.applications().stream()
            .filter(a -> a.id().equals(dropped.applicationId()))
            .forEach(a -> answer.refuse(a, dropped.reason()));
      }
    }
    List<Application> trickling = new ArrayList<>(problem.applications());
    trickling.removeIf(a -> !crowdedOut.contains(a.id()));
    answer.restrained.putAll(
        LeastShares.of(
            trickling, routes, PlannerSettings.scaled(problem.network(), TRICKLE_THOUSANDTHS)));
    if (!trickling.isEmpty()) {
      answer.remarks.add(
          trickling.size()
              + " conversations are not admitted, for the least rates of all do not fit.");
    }
    return true;
  }

  private static Application ranked(Application application, boolean incumbent) {
    int priority =
        Math.max(-GREATEST_PRIORITY, Math.min(GREATEST_PRIORITY, application.priority()));
    return Application.of(
        application.id(),
        application.from(),
        application.to(),
        application.utilityFunction(),
        application.count(),
        2 * priority + (incumbent ? 1 : 0));
  }

  /** Without figures that change from plan to plan: the same refusal is said once. */
  private static Unserved full(Admitted.Dropped dropped) {
    return dropped
        .reason()
        .bottleneck()
        .map(link -> Unserved.of(Unserved.Code.LINK_IS_FULL, link))
        .orElseGet(() -> Unserved.of(Unserved.Code.NETWORK_IS_FULL));
  }
}
