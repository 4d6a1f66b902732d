package org.paceline.control.reservations;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.NodeNames;
import org.paceline.control.model.Proof;
import org.paceline.control.port.NetworkView;
import org.paceline.control.port.ReservedRates;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Which conversations are granted less than active reservations promise them: the network has
 * become smaller since they were admitted. Looks on the worker's thread; anybody may ask.
 */
public final class BrokenPromises {
  /** A plan that is made in haste may grant less for a moment. */
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private static final int THOUSAND = 1_000;

  private final Reservations reservations;
  private final NetworkView network;
  private final UnaryOperator<Network> reservable;
  private final Clock clock;
  private Map<ConversationId, Instant> since = Map.of();

  /** By the reservation; replaced as a whole. */
  private volatile Map<String, String> broken = Map.of();

  /**
   * @param reservable of the network, the capacities that may be reserved
   */
  public BrokenPromises(
      Reservations reservations,
      NetworkView network,
      UnaryOperator<Network> reservable,
      Clock clock) {
    this.reservations = reservations;
    this.network = network;
    this.reservable = reservable;
    this.clock = clock;
  }

  /** An alarm for each that has been short for a while; it ends when its promise is kept again. */
  public List<Alarm> look(Collection<Proof> proofs) {
    Instant now = clock.instant();
    Map<ConversationId, ReservedRates.Due> due = reservations.due(proofs);
    Map<ConversationId, Instant> next = new HashMap<>();
    List<Alarm> alarms = new ArrayList<>();
    Map<String, String> toldOf = new HashMap<>();
    for (Proof proof : proofs) {
      ConversationId id = proof.conversation().id();
      DataRate promised = promised(proof, due.getOrDefault(id, ReservedRates.Due.NOTHING));
      if (isShort(proof, promised)) {
        Instant first = since.getOrDefault(id, now);
        next.put(id, first);
        if (!first.plus(LIMIT).isAfter(now)) {
          List<String> names = names(proof, now);
          String sentence = sentence(names, proof, promised, proofs);
          alarms.add(Alarm.of(Alarm.Kind.SHORTFALL, id, sentence, first));
          names.forEach(name -> toldOf.putIfAbsent(name, "Conversation (" + id + "): " + sentence));
        }
      }
    }
    since = next;
    broken = Map.copyOf(toldOf);
    return alarms;
  }

  /** What a conversation of this reservation lacks, as its alarm says it; empty where none does. */
  public Optional<String> shortfall(Reservation reservation) {
    return Optional.ofNullable(broken.get(reservation.id()));
  }

  /** Whoever is served and lends some of it has it when it asks. */
  private static DataRate promised(Proof proof, ReservedRates.Due due) {
    return proof.computed().isPresent() ? due.firm() : due.rate();
  }

  /** Of a table that has no rate so great, its greatest is enough; rates are rounded. */
  private static boolean isShort(Proof proof, DataRate promised) {
    if (promised.equals(DataRate.ZERO) || proof.state() == ConversationState.SEEN) {
      return false;
    }
    long useful = Math.min(promised.millibitsPerSecond(), mostOfUse(proof));
    return granted(proof) < useful - useful / THOUSAND;
  }

  /** To elephants a plan grants whatever there is. */
  private static long mostOfUse(Proof proof) {
    UtilityFunction asked = proof.requested().boundedFunction();
    return proof.requested().scheme().value() == SchemeName.ELEPHANT_ISOLATION
            && !proof.requested().isRuledOtherwise()
        ? Long.MAX_VALUE
        : asked.throughput(asked.throughputBins() - 1).millibitsPerSecond();
  }

  private static long granted(Proof proof) {
    return proof.computed().map(grant -> grant.rate().millibitsPerSecond()).orElse(0L);
  }

  private String sentence(
      List<String> names, Proof proof, DataRate promised, Collection<Proof> proofs) {
    return (names.size() == 1 ? "The reservation (" : "The reservations (")
        + String.join(", ", names)
        + (names.size() == 1 ? ") promises it " : ") promise it ")
        + promised.toKbpsFloor()
        + " kbit/s, and "
        + DataRate.ofMillibitsPerSecond(granted(proof)).toKbpsFloor()
        + " kbit/s are granted: "
        + ofAnotherScheme(names, proof)
            .or(() -> proof.computed().map(grant -> narrowest(grant, proofs)))
            .orElseGet(() -> proof.reason().isEmpty() ? "it is not served." : proof.reason());
  }

  /** Elephants keep no promise that was not made as a circuit. */
  private Optional<String> ofAnotherScheme(List<String> names, Proof proof) {
    return Optional.of(proof.requested().scheme().value())
        .filter(now -> now == SchemeName.ELEPHANT_ISOLATION)
        .flatMap(
            now ->
                reservations.all().stream()
                    .filter(one -> names.contains(one.id()) && !one.isCircuit())
                    .findFirst()
                    .map(
                        one ->
                            "("
                                + one.id()
                                + ") was promised under the scheme "
                                + one.promisedBy().map(SchemeName::word).orElse("before")
                                + ", and "
                                + now.word()
                                + ", which rules it now, keeps only circuits. Maybe give the"
                                + " reservation back and ask again."));
  }

  private List<String> names(Proof proof, Instant now) {
    return reservations.all().stream()
        .filter(one -> one.isActive(now) && DueRates.isFor(one.requested(), proof))
        .map(Reservation::id)
        .collect(Collectors.toUnmodifiableList());
  }

  /** The link of its way that leaves it the least beside the grants of all others. */
  private String narrowest(Grant grant, Collection<Proof> proofs) {
    Map<LinkId, Long> loads = new HashMap<>();
    for (Proof proof : proofs) {
      proof
          .computed()
          .ifPresent(
              other ->
                  other.path().hops().forEach(hop -> loads.merge(hop, granted(proof), Long::sum)));
    }
    Network now = reservable.apply(network.current().network());
    Map<LinkId, Long> rooms = new HashMap<>();
    for (LinkId hop : grant.path().hops()) {
      long capacity = now.link(hop).map(link -> link.capacity().millibitsPerSecond()).orElse(0L);
      long others = loads.getOrDefault(hop, 0L) - grant.rate().millibitsPerSecond();
      rooms.put(hop, Math.max(0, capacity - others));
    }
    Optional<LinkId> least =
        grant.path().hops().stream().min(Comparator.comparing(hop -> rooms.getOrDefault(hop, 0L)));
    return least
        .map(
            hop ->
                "the link ("
                    + NodeNames.of(network.current(), List.of()).of(hop)
                    + ") has room for "
                    + DataRate.ofMillibitsPerSecond(rooms.getOrDefault(hop, 0L)).toKbpsFloor()
                    + " kbit/s. Maybe give it more capacity again, or give the reservation back and"
                    + " ask for one that fits.")
        .orElse("its way has no link.");
  }
}
