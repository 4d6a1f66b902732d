package org.paceline.control.reservations;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.control.port.ReservedRates;
import org.paceline.control.scheme.elephant.CircuitShares;
import org.paceline.intents.address.Endpoint;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.DataRate;

/**
 * What reservations give those who talk: the conversations that one is for share its rate equally,
 * rounded down, and a conversation of several has the sum. Of a circuit between prefixes each has
 * no more than its own hosts' links can be booked for. O(r c) for r active reservations and c
 * conversations.
 */
final class DueRates {
  private DueRates() {}

  /**
   * Without those who have none.
   *
   * @param shares asked for only where a reservation of prefixes is active
   */
  static Map<ConversationId, ReservedRates.Due> at(
      Instant now,
      Collection<Reservation> reservations,
      Collection<Proof> proofs,
      Supplier<CircuitShares> shares) {
    Map<ConversationId, ReservedRates.Due> due = new TreeMap<>();
    // To read an address takes longer than all else that is asked of a conversation.
    Map<String, Optional<IpAddress>> read = new HashMap<>();
    for (Reservation reservation : reservations) {
      if (!reservation.isActive(now)) {
        continue;
      }
      List<Conversation> sharing =
          proofs.stream()
              .filter(
                  proof ->
                      isFor(
                          reservation.requested(),
                          proof,
                          address -> read.computeIfAbsent(address, IpAddress::tryParse)))
              .map(Proof::conversation)
              .collect(Collectors.toUnmodifiableList());
      DataRate rate = reservation.requested().rate();
      Map<ConversationId, DataRate> parts =
          reservation.requested().isOfPrefixes() && !sharing.isEmpty()
              ? shares.get().of(rate, sharing)
              : equal(rate, sharing);
      parts.forEach(
          (id, part) -> {
            ReservedRates.Due one =
                reservation.requested().isAdaptive()
                    ? ReservedRates.Due.adaptive(part)
                    : ReservedRates.Due.firm(part);
            due.merge(id, reservation.isCircuit() ? one.asCircuit() : one, ReservedRates.Due::plus);
          });
    }
    return due;
  }

  private static Map<ConversationId, DataRate> equal(DataRate rate, List<Conversation> sharing) {
    Map<ConversationId, DataRate> parts = new TreeMap<>();
    sharing.forEach(
        one ->
            parts.put(
                one.id(),
                DataRate.ofMillibitsPerSecond(rate.millibitsPerSecond() / sharing.size())));
    return parts;
  }

  /** Of conversations whose agent may not speak for their host, none has a part in it. */
  static boolean isFor(ReservationRequest requested, Proof proof) {
    return isFor(requested, proof, IpAddress::tryParse);
  }

  private static boolean isFor(
      ReservationRequest requested, Proof proof, Function<String, Optional<IpAddress>> reader) {
    Conversation conversation = proof.conversation();
    return !proof.isForeign()
        && isAt(requested.from(), conversation.localAddress(), reader)
        && isAt(requested.to(), conversation.remoteAddress(), reader)
        && IntentPath.tryParse(conversation.intent())
            .filter(path -> path.isWithin(IntentPath.parse(requested.intent())))
            .isPresent();
  }

  private static boolean isAt(
      Endpoint end, String address, Function<String, Optional<IpAddress>> reader) {
    return end.isAddress()
        ? end.toString().equals(address)
        : reader.apply(address).filter(end.prefix()::contains).isPresent();
  }
}
