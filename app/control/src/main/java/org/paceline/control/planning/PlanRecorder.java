package org.paceline.control.planning;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.paceline.control.directive.Pace;
import org.paceline.control.inventory.BoundedJournal;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.Proof;
import org.paceline.control.model.ReservedDemand;
import org.paceline.control.model.Unserved;
import org.paceline.control.scheme.Standings;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/** Writes into the proofs what a new plan grants, and whom it refuses and why. */
public final class PlanRecorder {
  private final ProofBook book;
  private final BoundedJournal journal;

  public PlanRecorder(ProofBook book, BoundedJournal journal) {
    this.book = book;
    this.journal = journal;
  }

  /**
   * @param standings what each is to its scheme by this plan
   * @param granted the state of whoever has a grant
   * @return who is refused and has not been told so, or not why
   */
  public List<ConversationId> write(
      Plan plan, Plan before, Standings standings, ConversationState granted, Instant now) {
    plan.grants()
        .forEach(
            (id, grant) -> {
              Proof known = book.find(id).orElseThrow(AssertionError::new);
              boolean isPaced = isPaced(plan, id, known);
              Optional<String> subClass = standings.subClass(id.toString());
              Optional<ReservedDemand> reservation = standings.demand(id.toString());
              if (!stands(known, grant, granted)
                  || known.isPaced() != isPaced
                  || !known.subClass().equals(subClass)
                  || !known.reservation().equals(reservation)) {
                book.change(
                    id,
                    p ->
                        grant(
                            p.isPaced(isPaced).subClass(subClass).reservation(reservation),
                            known,
                            grant,
                            granted,
                            now));
              }
            });
    List<ConversationId> refused = new ArrayList<>();
    plan.unserved()
        .forEach(
            (id, why) -> {
              if (!why.equals(before.unserved().get(id)) || isNotTold(id)) {
                refuse(plan, id, why);
                refused.add(id);
              }
            });
    plan.restrained().forEach((id, small) -> book.change(id, p -> p.computed(Optional.of(small))));
    return refused;
  }

  /** An elephant that is held all the same. */
  private static boolean isPaced(Plan plan, ConversationId id, Proof known) {
    return known.requested().scheme().value() == SchemeName.ELEPHANT_ISOLATION
        && Optional.ofNullable(plan.directives().paces().get(id)).filter(Pace::isHeld).isPresent();
  }

  /** Whether the proof says so already, as it does for most from one plan to the next. */
  private static boolean stands(Proof known, Grant grant, ConversationState granted) {
    return known.computed().filter(grant::equals).isPresent()
        && known.plannedAt().isPresent()
        && (known.state() == granted || known.state() == ConversationState.CLOSING);
  }

  private static void grant(
      Proof.Builder proof, Proof known, Grant grant, ConversationState granted, Instant now) {
    proof.computed(Optional.of(grant)).unserved(Optional.empty());
    if (known.state() != ConversationState.CLOSING) {
      proof.state(granted);
    }
    if (known.state() == ConversationState.UNSERVED) {
      proof.reason("");
    }
    if (known.plannedAt().isEmpty()) {
      proof.plannedAt(now);
    }
  }

  /** Its agent is back, and may not have heard what was said before. */
  private boolean isNotTold(ConversationId id) {
    return book.find(id).filter(p -> p.state() == ConversationState.SEEN).isPresent();
  }

  /** No rule names it, and it goes where nobody plans: there may be thousands on a host. */
  private boolean isNobodys(ConversationId id, Unserved why) {
    return why.kind() == Unserved.Kind.UNKNOWN_HOST
        && book.find(id).filter(p -> p.conversation().intent().isEmpty()).isPresent();
  }

  private void refuse(Plan plan, ConversationId id, Unserved why) {
    Optional<Grant> small = Optional.ofNullable(plan.restrained().get(id));
    book.change(
        id,
        p -> {
          p.state(ConversationState.UNSERVED)
              .reason(why.reason())
              .unserved(Optional.of(why))
              .isPaced(false)
              .subClass(Optional.empty())
              .reservation(Optional.empty())
              .computed(small);
          // Its meter goes with its way; nobody reports that, as an agent does of its rates.
          if (small.isEmpty() && p.build().conversation().isMetered()) {
            p.installed(DataRate.ZERO).installedAt(Optional.empty());
          }
        });
    if (!isNobodys(id, why)) {
      journal.warn(id.host(), "Conversation " + id + " is not served: " + why.reason());
    }
  }
}
