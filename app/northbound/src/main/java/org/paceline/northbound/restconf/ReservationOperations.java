package org.paceline.northbound.restconf;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.paceline.control.api.ReservationService;
import org.paceline.control.audit.Role;
import org.paceline.control.reservations.AdmissionDecision;
import org.paceline.control.reservations.Reservation;
import org.paceline.control.reservations.ReservationDesk;
import org.paceline.control.reservations.ReservationRequest;
import org.paceline.control.reservations.Reservations;
import org.paceline.control.view.ReservationView;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.DataRate;
import org.paceline.northbound.restconf.data.Leaf;
import org.paceline.yang.restconf.Operation;
import org.paceline.yang.restconf.message.RestconfError;

/** The RPCs and the data of module paceline-reservations. */
final class ReservationOperations {
  private final Supplier<ReservationService> reservations;

  ReservationOperations(Supplier<ReservationService> reservations) {
    this.reservations = reservations;
  }

  Map<String, Operation<Requester>> all() {
    return Map.of(
        "paceline-reservations:reserve",
        new Changing(Role.BRANCH, this::reserve),
        "paceline-reservations:commit-reservation",
        new Changing(Role.BRANCH, this::commit),
        "paceline-reservations:cancel-reservation",
        new Changing(Role.BRANCH, this::cancel));
  }

  JsonObject data() {
    JsonArray list = new JsonArray();
    for (ReservationView view : reservations.get().all()) {
      JsonObject one = json(view.reservation());
      view.shortfall().ifPresent(lacks -> one.addProperty("shortfall", lacks));
      view.usable().ifPresent(rate -> one.addProperty("usable-rate", Leaf.rate(rate)));
      view.aboveCeiling().ifPresent(why -> one.addProperty("above-ceiling", why));
      list.add(one);
    }
    JsonObject data = new JsonObject();
    if (!list.isEmpty()) {
      data.add("reservation", list);
    }
    return data;
  }

  private Reservations reservations() {
    return reservations.get().reservations();
  }

  private ReservationDesk desk() {
    return reservations.get().desk();
  }

  private JsonObject reserve(JsonObject input, Requester who) {
    ReservationRequest requested = requested(input);
    who.mustBeAllowed(Set.of(IntentPath.parse(requested.intent())));
    boolean firm = input.has("commit") && input.get("commit").getAsBoolean();
    AdmissionDecision answer =
        desk().reserve(who.user(), who.author(), who.body(), requested, firm);
    JsonObject output = new JsonObject();
    answer.refusal().ifPresent(why -> output.addProperty("refusal", why));
    answer
        .counterOffer()
        .ifPresent(
            offer -> {
              output.addProperty("offered-start", offer.start().toString());
              output.addProperty("offered-rate", Leaf.rate(offer.rate()));
              output.addProperty("offered-duration", offer.duration().toSeconds());
              offer
                  .bytes()
                  .ifPresent(
                      bytes -> output.addProperty("offered-deadline", offer.deadline().toString()));
            });
    answer.held().ifPresent(held -> output.addProperty("id", held.id()));
    return output;
  }

  private static ReservationRequest requested(JsonObject input) {
    try {
      ReservationRequest requested = input.has("bytes") ? transfer(input) : rate(input);
      return requested
          .sharedBy(
              Optional.ofNullable(input.get("conversations"))
                  .map(JsonElement::getAsLong)
                  .orElse(1L))
          .adaptive(
              Optional.ofNullable(input.get("adaptive"))
                  .map(JsonElement::getAsBoolean)
                  .orElse(false));
    } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
      throw RestconfError.invalidData(String.valueOf(e.getMessage()));
    }
  }

  private static ReservationRequest rate(JsonObject input) {
    Instant start = time(input, "start").orElseGet(Instant::now);
    if (!input.has("rate") || !input.has("duration")) {
      throw new IllegalArgumentException(
          "A rate and a duration, or bytes and a deadline, are lacking. Maybe give one pair.");
    }
    Duration duration = Duration.ofSeconds(input.get("duration").getAsLong());
    return ReservationRequest.of(
        intent(input),
        input.get("from").getAsString(),
        input.get("to").getAsString(),
        DataRate.ofKilobitsPerSecond(input.get("rate").getAsBigDecimal()),
        start,
        duration,
        time(input, "deadline").orElse(start.plus(duration)));
  }

  private static ReservationRequest transfer(JsonObject input) {
    if (input.has("rate") || input.has("duration")) {
      throw new IllegalArgumentException(
          "Bytes are sent by a deadline, at the rate that it takes. Maybe leave the rate and the"
              + " duration out.");
    }
    return ReservationRequest.transfer(
        intent(input),
        input.get("from").getAsString(),
        input.get("to").getAsString(),
        input.get("bytes").getAsLong(),
        time(input, "start").orElseGet(Instant::now),
        time(input, "deadline")
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "The deadline, by which the bytes are to be sent, is lacking.")));
  }

  private static String intent(JsonObject input) {
    return Optional.ofNullable(input.get("intent")).map(JsonElement::getAsString).orElse("/");
  }

  private static Optional<Instant> time(JsonObject input, String name) {
    return Optional.ofNullable(input.get(name))
        .map(text -> OffsetDateTime.parse(text.getAsString()).toInstant());
  }

  private JsonObject commit(JsonObject input, Requester who) {
    String id = mine(input, who);
    if (desk().commit(who.user(), who.author(), who.body(), id).isEmpty()) {
      throw absent(id);
    }
    return new JsonObject();
  }

  private JsonObject cancel(JsonObject input, Requester who) {
    String id = mine(input, who);
    if (!desk().cancel(who.author(), who.body(), id)) {
      throw absent(id);
    }
    return new JsonObject();
  }

  /** The reservation's id, if this user may change what it is for. */
  private String mine(JsonObject input, Requester who) {
    String id = input.get("id").getAsString();
    Reservation found = reservations().find(id).orElseThrow(() -> absent(id));
    who.mustBeAllowed(Set.of(IntentPath.parse(found.requested().intent())));
    return id;
  }

  private static RestconfError absent(String id) {
    return RestconfError.missing(
        "There is no reservation (" + id + "). Maybe its hold is over: then reserve again.");
  }

  static JsonObject json(Reservation reservation) {
    JsonObject json = json(reservation.requested());
    json.addProperty("id", reservation.id());
    reservation.heldUntil().ifPresent(until -> json.addProperty("held-until", until.toString()));
    reservation
        .transfer()
        .ifPresent(
            transfer -> {
              json.addProperty("bytes", String.valueOf(transfer.bytes()));
              json.addProperty("deadline", reservation.requested().deadline().toString());
              json.addProperty("sent-bytes", String.valueOf(transfer.sentBytes()));
              transfer.endedAt().ifPresent(at -> json.addProperty("ended-at", at.toString()));
              transfer
                  .endedAt()
                  .ifPresent(
                      at -> json.addProperty("outcome", transfer.isMet() ? "met" : "missed"));
            });
    return json;
  }

  private static JsonObject json(ReservationRequest requested) {
    JsonObject json = new JsonObject();
    json.addProperty("intent", requested.intent());
    json.addProperty("from", requested.from().toString());
    json.addProperty("to", requested.to().toString());
    json.addProperty("rate", Leaf.rate(requested.rate()));
    json.addProperty("duration", requested.duration().toSeconds());
    json.addProperty("start", requested.start().toString());
    if (requested.conversations() > 1) {
      json.addProperty("conversations", requested.conversations());
    }
    if (requested.isAdaptive()) {
      json.addProperty("adaptive", true);
    }
    return json;
  }
}
