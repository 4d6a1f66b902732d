package org.paceline.control.view;

import com.google.auto.value.AutoValue;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.control.port.ReservedRates;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/** A conversation that is led apart from all others, among elephants. */
@AutoValue
public abstract class ElephantView {
  /** Who it is, and what is measured of it. */
  public abstract Proof proof();

  /** What the plan reckons with, and the path. */
  abstract Grant grant();

  /** What circuits promise it; empty where none does. */
  public abstract Optional<DataRate> circuit();

  public final ConversationId id() {
    return proof().conversation().id();
  }

  public final DataRate granted() {
    return grant().rate();
  }

  public final Path path() {
    return grant().path();
  }

  /** Whether it is held to its grant, for it shares links with circuits of others. */
  public final boolean isPaced() {
    return proof().isPaced();
  }

  /**
   * Those of them that are led apart. Of the others under the scheme none has a grant.
   *
   * @param due what reservations give them
   */
  public static List<ElephantView> of(
      Collection<Proof> proofs, Map<ConversationId, ReservedRates.Due> due) {
    return proofs.stream()
        .filter(proof -> proof.requested().scheme().value() == SchemeName.ELEPHANT_ISOLATION)
        .flatMap(proof -> proof.computed().map(grant -> of(proof, grant, due)).stream())
        .collect(Collectors.toUnmodifiableList());
  }

  private static ElephantView of(
      Proof proof, Grant grant, Map<ConversationId, ReservedRates.Due> due) {
    return new AutoValue_ElephantView(
        proof,
        grant,
        Optional.ofNullable(due.get(proof.conversation().id()))
            .map(ReservedRates.Due::circuit)
            .filter(rate -> !rate.equals(DataRate.ZERO)));
  }
}
