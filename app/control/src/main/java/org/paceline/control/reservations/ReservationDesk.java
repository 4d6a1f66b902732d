package org.paceline.control.reservations;

import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.audit.Refused;
import org.paceline.control.audit.Request;
import org.paceline.control.audit.Subject;
import org.paceline.control.audit.User;

/** Where reservations are made and given back: each step is in the log of changes. */
public final class ReservationDesk {
  private final Reservations reservations;
  private final ChangeLog changes;

  public ReservationDesk(Reservations reservations, ChangeLog changes) {
    this.reservations = reservations;
    this.changes = changes;
  }

  /**
   * Admits a request and holds it, or says why not and what else. What came of the author's request
   * before a crash is the answer.
   *
   * @param body what was sent to ask for it
   * @param firm whether to commit it at once
   */
  public AdmissionDecision reserve(
      User who, Author author, String body, ReservationRequest requested, boolean firm) {
    Optional<AdmissionDecision> made =
        author.request().map(Request::id).flatMap(reservations::of).map(AdmissionDecision::yes);
    if (made.isPresent()) {
      return made.get();
    }
    String request =
        author.request().map(Request::id).orElseGet(() -> UUID.randomUUID().toString());
    return log(
        author,
        Subject.of(Subject.Kind.WISH, request),
        "A reservation is asked for.",
        body,
        "",
        requested.toString(),
        () ->
            reservations.admit(
                who,
                requested,
                held -> (firm ? held.committed() : held).of(Optional.of(request)),
                (one, store) -> firm ? firm(author, body, one, store) : store.getAsBoolean()));
  }

  private boolean firm(Author author, String body, Reservation made, BooleanSupplier store) {
    String requested = made.requested().toString();
    return log(
        author,
        subject(made.id()),
        committed(made.id()),
        body,
        requested,
        requested,
        store::getAsBoolean);
  }

  private static String committed(String id) {
    return "The reservation (" + id + ") is committed.";
  }

  /**
   * Empty where there is none, or its hold is over: then ask again. Once is enough.
   *
   * @throws Refused if it is above a ceiling that binds this user
   */
  public Optional<Reservation> commit(User who, Author author, String body, String id) {
    Optional<Reservation> found = reservations.find(id);
    found
        .filter(held -> !held.isCommitted())
        .ifPresent(held -> reservations.mustBeBelowCeilings(who, held));
    return found
        .filter(Reservation::isCommitted)
        .or(
            () ->
                found.flatMap(
                    held ->
                        log(
                            author,
                            subject(id),
                            committed(id),
                            body,
                            text(held),
                            held.requested().toString(),
                            () -> reservations.commit(id))));
  }

  /** Whether there was one to give back. */
  public boolean cancel(Author author, String body, String id) {
    return reservations
        .find(id)
        .map(
            found ->
                log(
                    author,
                    subject(id),
                    "The reservation (" + id + ") is given back.",
                    body,
                    text(found),
                    "",
                    () -> reservations.cancel(id)))
        .orElse(false);
  }

  private static Subject subject(String id) {
    return Subject.of(Subject.Kind.RESERVATION, id);
  }

  private <T> T log(
      Author author,
      Subject subject,
      String operation,
      String body,
      String before,
      String after,
      Supplier<T> change) {
    return changes.carryOut(author, subject, operation, body, before, after, at -> change.get());
  }

  private static String text(Reservation reservation) {
    return reservation.requested()
        + reservation.heldUntil().map(until -> ", held until " + until).orElse("");
  }
}
