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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.intents.unit.DataRate;

/**
 * Follows reserved transfers: what their conversations have sent counts for them, the least rate is
 * computed again from what is left, and it is told when one is met, or its deadline passes before
 * it is.
 *
 * <p>A transfer that is ahead needs less, which is free for others at once. One that is behind
 * needs more: it gets that only where an admission finds room, so that it breaks no promise. Looks
 * on the worker's thread, and has admissions made beside it.
 */
public final class Transfers {
  /** A report of what was sent in time may come so much later. */
  private static final Duration LATE_REPORT = Duration.ofSeconds(2);

  /** So long before it is to be done a rate is left as it is: reports are not that new. */
  private static final Duration TOO_SHORT = Duration.ofSeconds(2);

  /** How often rates are computed again, and what was sent is stored. */
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  /** By less, in percent, a rate is not changed: each change is a plan. */
  private static final int NOTABLE_PERCENT = 2;

  private static final int HUNDRED = 100;

  private static final Transfer NONE = Transfer.of(0, 0, Map.of(), Optional.empty());

  private final Reservations reservations;
  private final Clock clock;
  private final Executor beside;

  /** Of each conversation, what is distributed among transfers already. */
  private final Map<ConversationId, Long> distributed = new HashMap<>();

  /** Since when a transfer is behind, and there is no room for what it needs; by its id. */
  private final Map<String, Instant> behind = new ConcurrentHashMap<>();

  private final Set<String> raising = ConcurrentHashMap.newKeySet();
  private final Map<String, Instant> renewed = new HashMap<>();

  /**
   * @param beside makes admissions, which take as long as solves take
   */
  public Transfers(Reservations reservations, Clock clock, Executor beside) {
    this.reservations = reservations;
    this.clock = clock;
    this.beside = beside;
  }

  /** A conversation is over: what was counted of it last counts. */
  public void ended(Proof last) {
    List<Reservation> transfers = transfers();
    count(last, transfers, clock.instant());
    ConversationId id = last.conversation().id();
    transfers.forEach(one -> advance(one, transfer -> transfer.without(id)));
  }

  /** Counts, computes rates again and ends transfers; an alarm for each that is not in time. */
  public List<Alarm> look(Collection<Proof> proofs) {
    Instant now = clock.instant();
    List<Reservation> transfers = transfers();
    if (transfers.isEmpty()) {
      distributed.clear();
    }
    // Also while there is none: what was sent until now is not for one that begins next.
    proofs.forEach(proof -> count(proof, transfers, now));
    transfers().forEach(one -> renew(one, proofs, now));
    Set<String> going = transfers().stream().map(Reservation::id).collect(Collectors.toSet());
    renewed.keySet().retainAll(going);
    behind.keySet().retainAll(going);
    return alarms();
  }

  /** Committed ones that go on, or have yet to begin, by their deadlines. */
  private List<Reservation> transfers() {
    return reservations.all().stream()
        .filter(one -> one.isCommitted() && one.transfer().isPresent())
        .sorted(
            Comparator.comparing((Reservation one) -> one.requested().end())
                .thenComparing(Reservation::id))
        .collect(Collectors.toUnmodifiableList());
  }

  private void count(Proof proof, List<Reservation> transfers, Instant now) {
    if (proof.countedAt().isEmpty()) {
      return;
    }
    List<Reservation> its =
        transfers.stream()
            .filter(one -> DueRates.isFor(one.requested(), proof))
            .filter(one -> !one.requested().start().isAfter(now))
            .collect(Collectors.toUnmodifiableList());
    ConversationId id = proof.conversation().id();
    long counted = proof.payloadBytes();
    Optional<Long> before = before(id, its);
    distributed.put(id, counted);
    List<Reservation> mine =
        its.stream()
            .filter(one -> before.isPresent() || !began(proof).isBefore(one.requested().start()))
            .collect(Collectors.toUnmodifiableList());
    // Less than before: its enforcer has begun to count anew.
    long more = counted - before.filter(bytes -> bytes <= counted).orElse(0L);
    Map<String, Long> parts = parts(more, mine);
    for (Reservation one : its) {
      long part = parts.getOrDefault(one.id(), 0L);
      advance(one, transfer -> transfer.sent(part, id, counted));
    }
  }

  /**
   * To each by the rate that it is promised, so that none falls behind by another's need; what is
   * beyond that to the earliest deadline first.
   */
  private Map<String, Long> parts(long bytes, List<Reservation> transfers) {
    double promised =
        transfers.stream().mapToDouble(one -> one.requested().rate().millibitsPerSecond()).sum();
    Map<String, Long> parts = new HashMap<>();
    long rest = bytes;
    for (Reservation one : transfers) {
      double share = one.requested().rate().millibitsPerSecond() / promised;
      long part = Math.min(Math.min(rest, left(one)), (long) (bytes * share));
      parts.put(one.id(), part);
      rest -= part;
    }
    for (Reservation one : transfers) {
      long part = Math.min(rest, left(one) - parts.getOrDefault(one.id(), 0L));
      parts.merge(one.id(), part, Long::sum);
      rest -= part;
    }
    return parts;
  }

  private long left(Reservation one) {
    return reservations
        .find(one.id())
        .flatMap(Reservation::transfer)
        .map(Transfer::leftBytes)
        .orElse(0L);
  }

  /** Up to where a conversation's bytes are distributed; before a restart, too. */
  private Optional<Long> before(ConversationId id, List<Reservation> its) {
    return Optional.ofNullable(distributed.get(id))
        .or(
            () ->
                its.stream()
                    .flatMap(one -> one.transfer().stream())
                    .flatMap(one -> Optional.ofNullable(one.distributed().get(id)).stream())
                    .max(Long::compare));
  }

  /** By the earlier of two clocks: what was sent before a transfer must not count for it. */
  private static Instant began(Proof proof) {
    Instant seen = proof.conversation().firstSeen();
    return seen.isAfter(Instant.EPOCH) && seen.isBefore(proof.reportedAt())
        ? seen
        : proof.reportedAt();
  }

  private void renew(Reservation one, Collection<Proof> proofs, Instant now) {
    ReservationRequest requested = one.requested();
    Transfer transfer = one.transfer().orElseThrow();
    Instant end = requested.end();
    if (transfer.isMet() || !end.plus(LATE_REPORT).isAfter(now)) {
      Instant at = now.isBefore(end) ? now : end;
      reservations.advance(one.id(), same -> same.with(transfer.ended(at)), true);
      reservations.rateChanged();
      return;
    }
    boolean isDue =
        Optional.ofNullable(renewed.get(one.id()))
            .filter(last -> last.plus(INTERVAL).isAfter(now))
            .isEmpty();
    if (!isDue
        || requested.start().isAfter(now)
        || !now.plus(TOO_SHORT).isBefore(requested.aim())) {
      return;
    }
    renewed.put(one.id(), now);
    DataRate wanted =
        transfer.rate(Duration.between(counted(requested, proofs, now), requested.aim()));
    long has = requested.rate().millibitsPerSecond();
    long change = wanted.millibitsPerSecond() - has;
    if (change > has / HUNDRED * NOTABLE_PERCENT) {
      raise(one.id(), wanted);
    } else if (-change > has / HUNDRED * NOTABLE_PERCENT) {
      behind.remove(one.id());
      reservations.advance(one.id(), same -> same.with(wanted), true);
      reservations.rateChanged();
    } else {
      reservations.advance(one.id(), same -> same, true);
    }
  }

  /** When what is left was left: at the newest report of its conversations. */
  private static Instant counted(
      ReservationRequest requested, Collection<Proof> proofs, Instant now) {
    return proofs.stream()
        .filter(proof -> DueRates.isFor(requested, proof))
        .flatMap(proof -> proof.countedAt().stream())
        .filter(at -> at.plus(INTERVAL).isAfter(now) && at.isAfter(requested.start()))
        .max(Instant::compareTo)
        .filter(at -> at.isBefore(now))
        .orElse(now);
  }

  private void raise(String id, DataRate wanted) {
    if (!raising.add(id)) {
      return;
    }
    beside.execute(
        () -> {
          try {
            DataRate rate = reservations.raise(id, wanted);
            if (rate.compareTo(wanted) < 0) {
              behind.putIfAbsent(id, clock.instant());
            } else {
              behind.remove(id);
            }
          } finally {
            raising.remove(id);
          }
        });
  }

  private void advance(Reservation one, UnaryOperator<Transfer> further) {
    reservations.advance(
        one.id(), same -> same.with(further.apply(same.transfer().orElseThrow())), false);
  }

  private List<Alarm> alarms() {
    List<Alarm> alarms = new ArrayList<>();
    for (Reservation one : reservations.withEnded()) {
      Transfer transfer = one.transfer().orElse(NONE);
      Optional<Instant> missed = transfer.endedAt().filter(at -> !transfer.isMet());
      missed.ifPresent(at -> alarms.add(Alarm.ofReservation(one.id(), missed(one, transfer), at)));
      Optional.ofNullable(behind.get(one.id()))
          .filter(since -> transfer.endedAt().isEmpty())
          .ifPresent(
              since -> alarms.add(Alarm.ofReservation(one.id(), behind(one, transfer), since)));
    }
    return alarms;
  }

  private static String missed(Reservation one, Transfer transfer) {
    return "The transfer ("
        + one.id()
        + ") missed its deadline ("
        + one.requested().end()
        + "): "
        + transfer.leftBytes()
        + " of "
        + transfer.bytes()
        + " bytes were left. Maybe ask for them with a later deadline. Who gives it back ends this"
        + " alarm.";
  }

  private static String behind(Reservation one, Transfer transfer) {
    return "The transfer ("
        + one.id()
        + ") is behind: "
        + transfer.leftBytes()
        + " of "
        + transfer.bytes()
        + " bytes are left, and there is room for "
        + one.requested().rate().toKbpsFloor()
        + " kbit/s until its deadline ("
        + one.requested().end()
        + "). Maybe give other reservations back, or ask again with a later deadline.";
  }
}
