package org.paceline.control.reservations;

import java.util.Optional;
import java.util.function.Supplier;
import org.paceline.control.change.Author;
import org.paceline.control.change.ChangeLog;

/** Where reservations are made and given back: each step is in the log of changes. */
public final class ReservationDesk {
  private final Reservations reservations;
  private final ChangeLog changes;

  public ReservationDesk(Reservations reservations, ChangeLog changes) {
    this.reservations = reservations;
    this.changes = changes;
  }

  /**
   * Admits a wish and holds it, or says why not and what else.
   *
   * @param body what was sent to ask for it
   * @param firm whether to commit it at once
   * @param request its name, where it may come again: what came of it before a crash is the answer
   */
  public Answer reserve(
      Author author, String body, Wish wish, boolean firm, Optional<String> request) {
    return request
        .flatMap(reservations::of)
        .map(Answer::yes)
        .orElseGet(
            () ->
                log(
                    author,
                    "A reservation is asked for.",
                    body,
                    "",
                    wish.toString(),
                    () ->
                        reservations.admit(
                            wish, held -> (firm ? firm(author, body, held) : held).of(request))));
  }

  private Reservation firm(Author author, String body, Reservation held) {
    return log(
        author, committed(held.id()), body, text(held), held.wish().toString(), held::committed);
  }

  private static String committed(String id) {
    return "The reservation (" + id + ") is committed.";
  }

  /** Empty where there is none, or its hold is over: then ask again. */
  public Optional<Reservation> commit(Author author, String body, String id) {
    return reservations
        .find(id)
        .flatMap(
            found ->
                log(
                    author,
                    committed(id),
                    body,
                    text(found),
                    found.wish().toString(),
                    () -> reservations.commit(id)));
  }

  /** Whether there was one to give back. */
  public boolean cancel(Author author, String body, String id) {
    return reservations
        .find(id)
        .map(
            found ->
                log(
                    author,
                    "The reservation (" + id + ") is given back.",
                    body,
                    text(found),
                    "",
                    () -> reservations.cancel(id)))
        .orElse(false);
  }

  private <T> T log(
      Author author,
      String operation,
      String body,
      String before,
      String after,
      Supplier<T> change) {
    return changes.carryOut(author, operation, body, before, after, change);
  }

  private static String text(Reservation reservation) {
    return reservation.wish()
        + reservation.heldUntil().map(until -> ", held until " + until).orElse("");
  }
}
