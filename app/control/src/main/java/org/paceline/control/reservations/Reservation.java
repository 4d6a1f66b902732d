package org.paceline.control.reservations;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.util.Optional;

/** A request that was admitted: held for a while, or committed until its end. */
@AutoValue
public abstract class Reservation {
  public abstract String id();

  public abstract ReservationRequest requested();

  /** Until when it must be committed; empty once it is. */
  public abstract Optional<Instant> heldUntil();

  /** The request that it came of, by a name of its own, where that may be sent again. */
  public abstract Optional<String> request();

  /** Whether it is there only until that is told. */
  public abstract boolean isGivenBack();

  public static Reservation held(String id, ReservationRequest requested, Instant until) {
    return new AutoValue_Reservation(id, requested, Optional.of(until), Optional.empty(), false);
  }

  public static Reservation committed(String id, ReservationRequest requested) {
    return new AutoValue_Reservation(id, requested, Optional.empty(), Optional.empty(), false);
  }

  public Reservation committed() {
    return new AutoValue_Reservation(id(), requested(), Optional.empty(), request(), isGivenBack());
  }

  public Reservation of(Optional<String> request) {
    return new AutoValue_Reservation(id(), requested(), heldUntil(), request, isGivenBack());
  }

  public Reservation givenBack() {
    return new AutoValue_Reservation(id(), requested(), heldUntil(), request(), true);
  }

  public boolean isCommitted() {
    return heldUntil().isEmpty();
  }

  /** Whether nobody has anything of it any more. */
  public boolean isOver(Instant now) {
    return !requested().end().isAfter(now) || heldUntil().filter(u -> !u.isAfter(now)).isPresent();
  }

  /** Whether its rate is due now. */
  public boolean isActive(Instant now) {
    return isCommitted() && takes(now);
  }

  /** Whether it has its rate at that time. */
  boolean takes(Instant time) {
    return !requested().start().isAfter(time) && requested().end().isAfter(time);
  }
}
