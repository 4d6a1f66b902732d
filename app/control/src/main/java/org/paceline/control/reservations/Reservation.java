package org.paceline.control.reservations;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/** A request that was admitted: held for a while, or committed until its end. */
@AutoValue
public abstract class Reservation {
  /** How long a transfer that has ended is still listed. */
  private static final Duration SHOWN = Duration.ofDays(1);

  public abstract String id();

  public abstract ReservationRequest requested();

  /** Until when it must be committed; empty once it is. */
  public abstract Optional<Instant> heldUntil();

  /** The request that it came of, by a name of its own, where that may be sent again. */
  public abstract Optional<String> request();

  /**
   * The scheme that ruled its conversations when it was admitted, beside what that scheme had
   * promised; empty of one that was stored before this was.
   */
  public abstract Optional<SchemeName> promisedBy();

  /** Whether it is there only until that is told. */
  public abstract boolean isGivenBack();

  /** How far it is, where it is for a transfer; its request then has the rate due by now. */
  public abstract Optional<Transfer> transfer();

  public static Reservation held(String id, ReservationRequest requested, Instant until) {
    return of(id, requested).heldUntil(until).build();
  }

  public static Reservation committed(String id, ReservationRequest requested) {
    return of(id, requested).build();
  }

  private static Builder of(String id, ReservationRequest requested) {
    return new AutoValue_Reservation.Builder()
        .id(id)
        .requested(requested)
        .isGivenBack(false)
        .transfer(
            requested.bytes().map(bytes -> Transfer.of(bytes, 0, Map.of(), Optional.empty())));
  }

  public Reservation committed() {
    return toBuilder().heldUntil(Optional.empty()).build();
  }

  public Reservation of(Optional<String> request) {
    return toBuilder().request(request).build();
  }

  /** The same, admitted by this scheme. */
  public Reservation promisedBy(SchemeName scheme) {
    return toBuilder().promisedBy(Optional.of(scheme)).build();
  }

  public Reservation givenBack() {
    return toBuilder().isGivenBack(true).build();
  }

  /** The same, with a transfer so far. */
  public Reservation with(Transfer transfer) {
    return toBuilder().transfer(Optional.of(transfer)).build();
  }

  Reservation with(DataRate rate) {
    return toBuilder().requested(requested().with(rate)).build();
  }

  abstract Builder toBuilder();

  /** Builds a reservation. */
  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder id(String id);

    abstract Builder requested(ReservationRequest requested);

    abstract Builder heldUntil(Instant until);

    abstract Builder heldUntil(Optional<Instant> until);

    abstract Builder request(Optional<String> request);

    abstract Builder promisedBy(Optional<SchemeName> scheme);

    abstract Builder isGivenBack(boolean isGivenBack);

    abstract Builder transfer(Optional<Transfer> transfer);

    abstract Reservation build();
  }

  public boolean isCommitted() {
    return heldUntil().isEmpty();
  }

  /**
   * Whether nobody has anything of it any more. A transfer is over some time after its end, until
   * when it says how it ended.
   */
  public boolean isOver(Instant now) {
    if (heldUntil().filter(until -> !until.isAfter(now)).isPresent()) {
      return true;
    }
    return isCommitted() && transfer().isPresent()
        ? endedAt().filter(at -> !at.plus(SHOWN).isAfter(now)).isPresent()
        : !requested().end().isAfter(now);
  }

  /** When its transfer was met or missed; empty where it goes on, or is none. */
  public Optional<Instant> endedAt() {
    return transfer().flatMap(Transfer::endedAt);
  }

  /** Where it stands now. */
  public State state(Instant now) {
    if (endedAt().isPresent()) {
      return transfer().filter(Transfer::isMet).isPresent() ? State.MET : State.MISSED;
    }
    return isActive(now) ? State.ACTIVE : isCommitted() ? State.COMMITTED : State.HELD;
  }

  /** Where a reservation stands. */
  public enum State {
    HELD,
    COMMITTED,
    ACTIVE,
    MET,
    MISSED;

    /** As people read and programs compare it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Whether elephants have a circuit by it. One that another scheme promised was not admitted
   * beside circuits; of one whose scheme is not known it is taken that it was.
   */
  boolean isCircuit() {
    return promisedBy().orElse(SchemeName.ELEPHANT_ISOLATION) == SchemeName.ELEPHANT_ISOLATION;
  }

  /** Whether its rate is due now. */
  public boolean isActive(Instant now) {
    return isCommitted() && takes(now);
  }

  /** Whether it has its rate at that time. */
  boolean takes(Instant time) {
    return endedAt().isEmpty()
        && !requested().start().isAfter(time)
        && requested().end().isAfter(time);
  }
}
