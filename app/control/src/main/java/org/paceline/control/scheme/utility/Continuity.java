package org.paceline.control.scheme.utility;

import java.util.Map;
import java.util.Optional;
import org.paceline.control.port.Journal;
import org.paceline.control.scheme.Snapshot;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Grant;

/**
 * What of the plan in force stands when the next is made: all but what a changed network calls for,
 * as a first step, and all of it where a fresh answer is hardly better.
 */
final class Continuity {
  /** In billionths of utility: too little to change anybody's rate for. */
  private static final long HARDLY = 50_000_000;

  /** Twice that: whoever was killed may have stopped just before it was worth a change. */
  private static final long HARDLY_AFTER_RESTART = 2 * HARDLY;

  private final Snapshot snapshot;
  private final Journal journal;

  Continuity(Snapshot snapshot, Journal journal) {
    this.snapshot = snapshot;
    this.journal = journal;
  }

  /** Whether fresh grants are not worth changing rates for. */
  static boolean isGoodEnough(Map<String, Grant> held, Map<String, Grant> fresh) {
    return Holdover.isHardlyWorse(held, fresh, HARDLY);
  }

  /**
   * Ways for the rates that hosts hold by a controller before us; empty where the links do not
   * carry them.
   */
  Optional<Map<String, Grant>> survived(PlanSolver by) {
    return snapshot.inForce().isEmpty()
        ? Optional.empty()
        : by.carry(Holdover.pinned(snapshot.applications(), snapshot.inForce()), snapshot.routes());
  }

  /** An answer at once for who lost by a change of the network since the last plan. */
  Optional<PlanAnswer> step(PlanSolver by) {
    return snapshot
        .before()
        .filter(before -> !before.network().equals(network()))
        .flatMap(before -> by.mend(snapshot.applications(), before, snapshot.routes()));
  }

  /** What to hold instead of the fresh answer. */
  Optional<Map<String, Grant>> stand(PlanAnswer fresh, Optional<Map<String, Grant>> survived) {
    return survived
        .filter(grants -> isGoodEnoughAfterRestart(grants, fresh))
        .or(() -> held(fresh))
        .or(() -> mended(fresh));
  }

  /** What the same conversations have by the last plan, where the fresh answer is hardly better. */
  private Optional<Map<String, Grant>> held(PlanAnswer fresh) {
    return snapshot
        .before()
        .filter(before -> before.applications().equals(snapshot.applications()))
        .flatMap(before -> Holdover.still(snapshot.applications(), before.grants(), network()))
        .filter(grants -> isGoodEnough(grants, fresh.grants));
  }

  /** The last plan, adapted, where the fresh answer ran out of time and is no better. */
  private Optional<Map<String, Grant>> mended(PlanAnswer fresh) {
    return snapshot
        .before()
        .filter(before -> fresh.ranOutOfTime())
        .flatMap(before -> LocalRepair.of(snapshot.applications(), before.grants(), network()))
        .filter(grants -> Holdover.isHardlyWorse(grants, fresh.grants, 0));
  }

  private Network network() {
    return snapshot.routes().network();
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
