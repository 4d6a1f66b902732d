package org.paceline.control.reservations;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.control.port.ReservedRates;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.DataRate;

/**
 * What reservations give those who talk: the conversations that one is for share its rate equally,
 * rounded down, and a conversation of several has the sum. O(r c) for r active reservations and c
 * conversations.
 */
final class DueRates {
  private DueRates() {}

  /** Without those who have none. */
  static Map<ConversationId, ReservedRates.Due> at(
      Instant now, Collection<Reservation> reservations, Collection<Proof> proofs) {
    Map<ConversationId, ReservedRates.Due> due = new TreeMap<>();
    for (Reservation reservation : reservations) {
      if (!reservation.isActive(now)) {
        continue;
      }
      List<ConversationId> sharing =
          proofs.stream()
              .filter(proof -> isFor(reservation.requested(), proof))
              .map(proof -> proof.conversation().id())
              .collect(Collectors.toUnmodifiableList());
      for (ConversationId id : sharing) {
        DataRate part =
            DataRate.ofMillibitsPerSecond(
                reservation.requested().rate().millibitsPerSecond() / sharing.size());
        ReservedRates.Due one =
            reservation.requested().isAdaptive()
                ? ReservedRates.Due.adaptive(part)
                : ReservedRates.Due.firm(part);
        due.merge(id, reservation.isCircuit() ? one.asCircuit() : one, ReservedRates.Due::plus);
      }
    }
    return due;
  }

  /** Of conversations whose agent may not speak for their host, none has a part in it. */
  static boolean isFor(ReservationRequest requested, Proof proof) {
    Conversation conversation = proof.conversation();
    return !proof.isForeign()
        && conversation.localAddress().equals(requested.from())
        && conversation.remoteAddress().equals(requested.to())
        && IntentPath.tryParse(conversation.intent())
            .filter(path -> path.isWithin(IntentPath.parse(requested.intent())))
            .isPresent();
  }
}
