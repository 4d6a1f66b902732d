package org.paceline.onos.restconf;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.paceline.control.UseCases;
import org.paceline.control.reservations.Answer;
import org.paceline.control.reservations.Reservation;
import org.paceline.control.reservations.Reservations;
import org.paceline.control.reservations.Wish;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.DataRate;
import org.paceline.yang.restconf.Operation;
import org.paceline.yang.restconf.RestconfError;

/** The RPCs and the data of module paceline-reservations. */
final class ReservationOperations {
  private final Supplier<UseCases> useCases;

  ReservationOperations(Supplier<UseCases> useCases) {
    this.useCases = useCases;
  }

  Map<String, Operation<Requester>> all() {
    return Map.of(
        "paceline-reservations:reserve",
        this::reserve,
        "paceline-reservations:commit-reservation",
        this::commit,
        "paceline-reservations:cancel-reservation",
        this::cancel);
  }

  JsonObject data() {
    JsonArray list = new JsonArray();
    reservations().all().forEach(reservation -> list.add(json(reservation)));
    JsonObject data = new JsonObject();
    if (!list.isEmpty()) {
      data.add("reservation", list);
    }
    return data;
  }

  private Reservations reservations() {
    return useCases.get().reservations();
  }

  private JsonObject reserve(JsonObject input, Requester who) {
    Wish wish = wish(input);
    who.mustBeAllowed(Set.of(IntentPath.parse(wish.intent())));
    Answer answer =
        log(
            who,
            "A reservation is asked for.",
            "",
            json(wish).toString(),
            () -> reservations().hold(wish));
    JsonObject output = new JsonObject();
    answer.refusal().ifPresent(why -> output.addProperty("refusal", why));
    answer
        .counterOffer()
        .ifPresent(
            offer -> {
              output.addProperty("offered-start", offer.start().toString());
              output.addProperty("offered-rate", Leaf.rate(offer.rate()));
            });
    answer
        .held()
        .ifPresent(
            held -> {
              if (input.has("commit") && input.get("commit").getAsBoolean()) {
                commit(held.id(), who);
              }
              output.addProperty("id", held.id());
            });
    return output;
  }

  /** Where there is no start, now: in the instant after, it would be in the past. */
  private static Wish wish(JsonObject input) {
    try {
      Instant start = time(input, "start").orElseGet(() -> Instant.now().plusSeconds(1));
      Duration duration = Duration.ofSeconds(input.get("duration").getAsLong());
      String intent =
          Optional.ofNullable(input.get("intent")).map(JsonElement::getAsString).orElse("/");
      return Wish.of(
          intent,
          input.get("from").getAsString(),
          input.get("to").getAsString(),
          DataRate.ofKilobitsPerSecond(input.get("rate").getAsBigDecimal()),
          start,
          duration,
          time(input, "deadline").orElse(start.plus(duration)));
    } catch (IllegalArgumentException | ArithmeticException | DateTimeParseException e) {
      throw RestconfError.invalidData(String.valueOf(e.getMessage()));
    }
  }

  private static Optional<Instant> time(JsonObject input, String name) {
    return Optional.ofNullable(input.get(name))
        .map(text -> OffsetDateTime.parse(text.getAsString()).toInstant());
  }

  private JsonObject commit(JsonObject input, Requester who) {
    commit(input.get("id").getAsString(), who);
    return new JsonObject();
  }

  private void commit(String id, Requester who) {
    Reservation found = mine(id, who);
    boolean isThere =
        log(
            who,
            "The reservation (" + id + ") is committed.",
            json(found).toString(),
            json(found.wish()).toString(),
            () -> reservations().commit(id).isPresent());
    if (!isThere) {
      throw absent(id);
    }
  }

  private JsonObject cancel(JsonObject input, Requester who) {
    String id = input.get("id").getAsString();
    Reservation found = mine(id, who);
    boolean wasThere =
        log(
            who,
            "The reservation (" + id + ") is given back.",
            json(found).toString(),
            "",
            () -> reservations().cancel(id));
    if (!wasThere) {
      throw absent(id);
    }
    return new JsonObject();
  }

  /** The reservation, if this user may change what it is for. */
  private Reservation mine(String id, Requester who) {
    Reservation found = reservations().find(id).orElseThrow(() -> absent(id));
    who.mustBeAllowed(Set.of(IntentPath.parse(found.wish().intent())));
    return found;
  }

  private <T> T log(
      Requester who, String operation, String before, String after, Supplier<T> change) {
    return useCases
        .get()
        .changes()
        .carryOut(who.author(), operation, who.body(), before, after, change);
  }

  private static RestconfError absent(String id) {
    return RestconfError.missing(
        "There is no reservation (" + id + "). Maybe its hold is over: then reserve again.");
  }

  private static JsonObject json(Reservation reservation) {
    JsonObject json = json(reservation.wish());
    json.addProperty("id", reservation.id());
    reservation.heldUntil().ifPresent(until -> json.addProperty("held-until", until.toString()));
    return json;
  }

  private static JsonObject json(Wish wish) {
    JsonObject json = new JsonObject();
    json.addProperty("intent", wish.intent());
    json.addProperty("from", wish.from());
    json.addProperty("to", wish.to());
    json.addProperty("rate", Leaf.rate(wish.rate()));
    json.addProperty("duration", wish.duration().toSeconds());
    json.addProperty("start", wish.start().toString());
    return json;
  }
}
