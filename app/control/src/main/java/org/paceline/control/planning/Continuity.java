package org.paceline.control.planning;

import java.util.Map;
import java.util.Optional;
import org.paceline.control.inventory.Routes;
import org.paceline.control.port.Journal;
import org.paceline.control.scheme.utility.Holdover;
import org.paceline.control.scheme.utility.LocalRepair;
import org.paceline.control.scheme.utility.PlanAnswer;
import org.paceline.control.scheme.utility.PlanSolver;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;

/**
 * What of the plan in force stands when the next is made: all but what a changed network calls for,
 * as a first step, and all of it where a fresh answer is hardly better.
 */
public final class Continuity {
  /** In billionths of utility: too little to change anybody's rate for. */
  private static final long HARDLY = 50_000_000;

  /** Twice that: whoever was killed may have stopped just before it was worth a change. */
  private static final long HARDLY_AFTER_RESTART = 2 * HARDLY;

  private final Demands demands;
  private final Routes routes;
  private final Optional<PlanningResult> last;
  private final Journal journal;

  public Continuity(
      Demands demands, Routes routes, Optional<PlanningResult> last, Journal journal) {
    this.demands = demands;
    this.routes = routes;
    this.last = last;
    this.journal = journal;
  }

  /** Whether fresh grants are not worth changing rates for. */
  public static boolean isGoodEnough(Map<String, Grant> held, Map<String, Grant> fresh) {
    return Holdover.isHardlyWorse(held, fresh, HARDLY);
  }

  /**
   * Ways for the rates that hosts hold by a controller before us; empty where the links do not
   * carry them.
   */
  public Optional<Map<String, Grant>> survived(PlanSolver by, Map<String, DataRate> inForce) {
    return inForce.isEmpty()
        ? Optional.empty()
        : by.carry(Holdover.pinned(demands.applications, inForce), routes);
  }

  /** An answer at once for who lost by a change of the network since the last plan. */
  Optional<PlanAnswer> step(PlanSolver by) {
    return last.filter(before -> !before.routes().network().equals(routes.network()))
        .flatMap(before -> by.mend(demands.applications, before.answer, routes));
  }

  /** What to hold instead of the fresh answer. */
  public Optional<Map<String, Grant>> stand(
      PlanAnswer fresh, Optional<Map<String, Grant>> survived) {
    return survived
        .filter(grants -> isGoodEnoughAfterRestart(grants, fresh))
        .or(() -> held(fresh))
        .or(() -> mended(fresh));
  }

  /** What the same conversations have by the last plan, where the fresh answer is hardly better. */
  private Optional<Map<String, Grant>> held(PlanAnswer fresh) {
    return last.filter(before -> before.demands.applications.equals(demands.applications))
        .flatMap(
            before -> Holdover.still(demands.applications, before.answer.grants, routes.network()))
        .filter(grants -> isGoodEnough(grants, fresh.grants));
  }

  /** The last plan, adapted, where the fresh answer ran out of time and is no better. */
  private Optional<Map<String, Grant>> mended(PlanAnswer fresh) {
    return last.filter(before -> fresh.ranOutOfTime())
        .flatMap(
            before -> LocalRepair.of(demands.applications, before.answer.grants, routes.network()))
        .filter(grants -> Holdover.isHardlyWorse(grants, fresh.grants, 0));
  }

  private boolean isGoodEnoughAfterRestart(Map<String, Grant> survived, PlanAnswer fresh) {
    boolean stand = Holdover.isHardlyWorse(survived, fresh.grants, HARDLY_AFTER_RESTART);
    journal.note(
        "After the restart, what hosts hold "
            + (stand ? "stands: " : "is dealt anew: ")
            + Holdover.describe(survived)
            + "; a fresh plan has "
            + Holdover.describe(fresh.grants)
            + ".");
    return stand;
  }
}
