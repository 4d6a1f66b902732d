package org.paceline.control.scheme.utility;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.paceline.allocator.Allocator;
import org.paceline.control.port.Journal;
import org.paceline.control.scheme.Attempt;
import org.paceline.control.scheme.Decision;
import org.paceline.control.scheme.Scheme;
import org.paceline.control.scheme.Snapshot;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;

/**
 * The utility-fair scheme: first lifts the worst-off, then the sum (the paper, section 4). What is
 * in force stands where a fresh solution is hardly better, and where the network has changed, those
 * who lost by it are helped at once, before the full solution.
 */
public final class UtilityScheme implements Scheme {
  private final PlanSolver solver;
  private final Journal journal;

  /**
   * @param network solves what one bottleneck does not decide
   */
  public UtilityScheme(Allocator network, PlannerSettings settings, Journal journal) {
    this.solver = new PlanSolver(network, settings, journal::warn);
    this.journal = journal;
  }

  @Override
  public SchemeName name() {
    return SchemeName.UTILITY_FAIR;
  }

  @Override
  public Optional<Decision> decide(Snapshot snapshot) {
    Continuity before = new Continuity(snapshot, journal);
    Optional<Map<String, Grant>> survived =
        Attempt.of(
            () -> before.survived(solver),
            why -> journal.warn("No ways were found for the rates in force: " + why + "."));
    if (snapshot.mayWait() && survived.isEmpty() && !snapshot.inForce().isEmpty()) {
      return Optional.empty();
    }
    Optional<Decision> step =
        snapshot.effort() == Snapshot.Effort.STEP
            ? Attempt.of(
                () -> step(snapshot, before),
                why -> journal.warn("The first step failed, a full solution follows: " + why + "."))
            : Optional.empty();
    return step.or(() -> Optional.of(full(snapshot, before, survived)));
  }

  private Optional<Decision> step(Snapshot snapshot, Continuity before) {
    return before
        .step(solver)
        .map(answer -> answer.decision(snapshot, true, memoryOf(snapshot).handedOn()));
  }

  private Decision full(
      Snapshot snapshot, Continuity before, Optional<Map<String, Grant>> survived) {
    LiveNetwork live = memoryOf(snapshot).taken();
    PlanSolver by = snapshot.effort() == Snapshot.Effort.PATIENT ? solver.patient() : solver;
    PlanAnswer answer =
        by.solve(snapshot.applications(), snapshot.incumbents(), snapshot.routes(), live);
    before.stand(answer, survived).ifPresent(answer::hold);
    return answer.decision(snapshot, false, new Followed(live));
  }

  @Override
  public boolean isWorthTheChange(Decision inForce, Decision fresh) {
    return !Continuity.isGoodEnough(inForce.grants(), fresh.grants());
  }

  private static Followed memoryOf(Snapshot snapshot) {
    return snapshot
        .before()
        .map(Decision::memory)
        .filter(Followed.class::isInstance)
        .map(Followed.class::cast)
        .orElseGet(() -> new Followed(new LiveNetwork()));
  }

  /**
   * The network as it was last followed. Whoever goes on with it takes it away: where that fails
   * half-way, nobody goes on with what is left.
   */
  private static final class Followed implements Memory {
    private final AtomicReference<LiveNetwork> live;

    Followed(LiveNetwork live) {
      this.live = new AtomicReference<>(live);
    }

    LiveNetwork taken() {
      return live.getAndSet(new LiveNetwork());
    }

    Followed handedOn() {
      return new Followed(taken());
    }
  }
}
