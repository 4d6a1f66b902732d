package org.paceline.control.view;

import com.google.auto.value.AutoValue;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.kpi.Experience;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Utility;

/** A conversation: its proof, and what follows from it. */
@AutoValue
public abstract class ConversationView {
  private static final int PERCENT = 100;

  public abstract Proof proof();

  public static ConversationView of(Proof proof) {
    return new AutoValue_ConversationView(proof);
  }

  public static List<ConversationView> of(Collection<Proof> proofs) {
    return proofs.stream().map(ConversationView::of).collect(Collectors.toUnmodifiableList());
  }

  public final ConversationId id() {
    return proof().conversation().id();
  }

  /**
   * Who says that there is one: an agent, somebody who announced it, or a packet that was found.
   */
  public final String origin() {
    return id().isOfAgent() ? "agent" : id().host();
  }

  /** How far it has come. */
  public final String state() {
    return Word.of(proof().state());
  }

  /** Who holds it to its rate. */
  public final String enforcement() {
    return Word.of(proof().conversation().enforcement());
  }

  public final Optional<DataRate> granted() {
    return proof().computed().map(Grant::rate);
  }

  public final Optional<Utility> utility() {
    return proof().computed().map(Grant::utility);
  }

  /** What its user experiences, by what its application measured. */
  public final Optional<Utility> experienced() {
    return proof().experience().flatMap(Experience::utility);
  }

  /** On top of its grant; empty where nothing is. */
  public final Optional<DataRate> lent() {
    return Optional.of(proof().lent()).filter(rate -> rate.bitsPerSecond() > 0);
  }

  /** What it may send while others of its interface leave theirs unused; empty for no more. */
  public final Optional<DataRate> borrowsUpTo() {
    return Optional.of(proof().borrowsUpTo()).filter(rate -> rate.bitsPerSecond() > 0);
  }

  /** Whether its enforcer holds it to no rate, which is known only where one read it back. */
  public final boolean isNotPaced() {
    return proof().installed().filter(PlannerSettings::isUnlimited).isPresent();
  }

  /** The rate that its enforcer holds it to; empty where that is none, or nobody knows. */
  public final Optional<DataRate> pacedAt() {
    return proof().installed().filter(rate -> !PlannerSettings.isUnlimited(rate));
  }

  /** Nothing where it was not measured. */
  public final DataRate sent() {
    return proof().measured().orElse(DataRate.ZERO);
  }

  /**
   * How much it sends of its grant and what it is lent; above 100 where it borrows, empty without a
   * grant.
   */
  public final Optional<Long> usedPercent() {
    return granted()
        .map(rate -> rate.plus(proof().lent()))
        .filter(rate -> rate.bitsPerSecond() > 0)
        .map(rate -> PERCENT * sent().bitsPerSecond() / rate.bitsPerSecond());
  }
}
