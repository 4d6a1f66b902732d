package org.paceline.control.assurance;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.InstalledElement;
import org.paceline.control.model.Proof;
import org.paceline.control.port.InstalledState;
import org.paceline.control.settings.PlanMode;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;

/**
 * The classes that pace on hosts, as their agents dump them from the kernel once a second. There is
 * nothing to repair here: the planner tells a rate again with the very report that shows another.
 */
public final class PacingClasses implements InstalledState {
  private final ProofBook book;
  private final Supplier<PlanMode> mode;

  public PacingClasses(ProofBook book, Supplier<PlanMode> mode) {
    this.book = book;
    this.mode = mode;
  }

  @Override
  public CompletableFuture<Map<ConversationId, List<InstalledElement>>> read() {
    Map<ConversationId, List<InstalledElement>> found = new HashMap<>();
    if (mode.get() == PlanMode.SHADOW) {
      return CompletableFuture.completedFuture(found);
    }
    for (Proof proof : book.all()) {
      if (!proof.conversation().isMetered()) {
        proof
            .computed()
            .ifPresent(
                grant -> found.put(proof.conversation().id(), List.of(element(proof, grant))));
      }
    }
    return CompletableFuture.completedFuture(found);
  }

  private static InstalledElement element(Proof proof, Grant grant) {
    DataRate wanted = proof.isHeld() ? grant.rate().plus(proof.lent()) : PlannerSettings.UNLIMITED;
    Optional<DataRate> installed = proof.installed();
    boolean known = proof.installedAt().isPresent() && proof.state() != ConversationState.CLOSING;
    InstalledElement.Standing standing = InstalledElement.Standing.UNKNOWN;
    if (known) {
      DataRate found = installed.orElse(DataRate.ZERO);
      if (found.bitsPerSecond() == 0) {
        standing = InstalledElement.Standing.MISSING;
      } else if (isRoundedDown(wanted.bitsPerSecond(), found.bitsPerSecond())) {
        standing = InstalledElement.Standing.AS_WANTED;
      } else {
        standing = InstalledElement.Standing.WRONG;
      }
    }
    return InstalledElement.of(
        InstalledElement.Kind.PACING_CLASS,
        proof.conversation().id().host(),
        proof.conversation().id().local(),
        standing,
        text(wanted),
        installed.filter(rate -> rate.bitsPerSecond() > 0).map(PacingClasses::text).orElse(""));
  }

  /** Enforcers round down by at most a thousandth. */
  private static boolean isRoundedDown(long wanted, long found) {
    return found <= wanted && found >= wanted - wanted / 500 - 1_000;
  }

  private static String text(DataRate rate) {
    return rate.toKbpsFloor() + " kbit/s";
  }

  @Override
  public void repair(ConversationId id, InstalledElement element) {}
}
