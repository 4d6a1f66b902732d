package org.paceline.northbound.rest.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.paceline.control.reservations.AdmissionDecision;
import org.paceline.control.reservations.Period;
import org.paceline.control.reservations.Reservation;
import org.paceline.control.reservations.ReservationRequest;
import org.paceline.control.reservations.Transfer;
import org.paceline.control.view.ReservationView;
import org.paceline.intents.unit.DataRate;

/** Requests out of JSON; reservations and answers as JSON. */
public final class ReservationJson {
  public static final Set<String> REQUEST =
      Set.of(
          "intent",
          "from",
          "to",
          "rateKbps",
          "start",
          "durationSeconds",
          "bytes",
          "deadline",
          "conversations",
          "adaptive");

  private static final long MOST = 100_000;
  private static final long LONGEST_S = 4_294_967_295L;
  private static final Instant LAST = Instant.parse("9000-01-01T00:00:00Z");

  private ReservationJson() {}

  /**
   * @throws IllegalArgumentException if it is no request
   */
  public static ReservationRequest requested(JsonNode json) {
    Instant start = time(json, "start").orElseGet(Instant::now);
    ReservationRequest requested = json.has("bytes") ? transfer(json, start) : rate(json, start);
    return requested
        .sharedBy(Json.whole(json, "conversations", 1, MOST).orElse(1L))
        .adaptive(Json.flag(json, "adaptive"));
  }

  private static ReservationRequest rate(JsonNode json, Instant start) {
    Duration duration = duration(json);
    return ReservationRequest.of(
        Json.text(json, "intent").orElse("/"),
        end(json, "from"),
        end(json, "to"),
        rate(json),
        start,
        duration,
        time(json, "deadline").orElse(start.plus(duration)));
  }

  private static ReservationRequest transfer(JsonNode json, Instant start) {
    for (String other : List.of("rateKbps", "durationSeconds")) {
      if (json.has(other)) {
        throw new IllegalArgumentException(
            "The bytes and the "
                + other
                + " are of different requests: bytes are sent by a deadline, at the rate that it"
                + " takes. Maybe leave one of them out.");
      }
    }
    return ReservationRequest.transfer(
        Json.text(json, "intent").orElse("/"),
        end(json, "from"),
        end(json, "to"),
        Json.whole(json, "bytes", 1, Transfer.MOST_BYTES).orElse(0L),
        start,
        time(json, "deadline")
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "The deadline, by which the bytes are to be sent, is lacking. Maybe"
                            + " 2026-12-02T06:00:00Z.")));
  }

  public static DataRate rate(JsonNode json) {
    JsonNode value = json.path("rateKbps");
    boolean isFinite = value.isNumber() && Double.isFinite(value.doubleValue());
    if (!isFinite || value.decimalValue().compareTo(BigDecimal.ZERO) <= 0) {
      throw new IllegalArgumentException(
          "The rateKbps (" + shown(value) + ") must be a number above 0. Maybe 1000.");
    }
    return DataRate.ofKilobitsPerSecond(value.decimalValue());
  }

  public static Duration duration(JsonNode json) {
    return Json.whole(json, "durationSeconds", 1, LONGEST_S)
        .map(Duration::ofSeconds)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The durationSeconds are lacking. Maybe 3600; or bytes and a deadline in place"
                        + " of rateKbps and durationSeconds."));
  }

  private static Optional<Instant> time(JsonNode json, String member) {
    return Json.text(json, member)
        .map(
            text -> {
              try {
                Instant time = OffsetDateTime.parse(text).toInstant();
                if (time.isAfter(Instant.EPOCH) && time.isBefore(LAST)) {
                  return time;
                }
              } catch (DateTimeException none) {
                // Refused below, as a time that is not of this age.
              }
              throw new IllegalArgumentException(
                  "The "
                      + member
                      + " ("
                      + text
                      + ") must be a time with its zone. Maybe 2026-12-01T20:00:00Z.");
            });
  }

  private static String end(JsonNode json, String member) {
    return Json.text(json, member)
        .orElseThrow(
            () -> new IllegalArgumentException("The (" + member + ") is lacking. Maybe 10.0.0.1."));
  }

  private static String shown(JsonNode value) {
    return value.isMissingNode() ? "lacking" : value.toString();
  }

  public static ObjectNode of(Reservation reservation) {
    ObjectNode json = Json.object().put("id", reservation.id());
    ReservationRequest requested = reservation.requested();
    json.put("state", reservation.state(Instant.now()).word())
        .put("intent", requested.intent())
        .put("from", requested.from().toString())
        .put("to", requested.to().toString());
    json.setAll(when(requested));
    json.put("deadline", requested.deadline().toString());
    if (requested.conversations() > 1) {
      json.put("conversations", requested.conversations());
    }
    if (requested.isAdaptive()) {
      json.put("adaptive", true);
    }
    reservation.heldUntil().ifPresent(until -> json.put("heldUntil", until.toString()));
    reservation
        .transfer()
        .ifPresent(
            transfer -> {
              json.put("bytes", transfer.bytes()).put("sentBytes", transfer.sentBytes());
              transfer.endedAt().ifPresent(at -> json.put("endedAt", at.toString()));
            });
    return json;
  }

  /**
   * With what it lacks, where the network cannot keep it, and what of it is of use, if not all is.
   */
  public static ObjectNode of(ReservationView view) {
    ObjectNode json = of(view.reservation());
    view.shortfall().ifPresent(lacks -> json.put("shortfall", lacks));
    view.usable().ifPresent(rate -> json.put("usableKbps", Json.kbps(rate)));
    view.aboveCeiling().ifPresent(why -> json.put("aboveCeiling", why));
    return json;
  }

  public static ObjectNode of(AdmissionDecision answer) {
    ObjectNode json = Json.object().put("admitted", answer.isYes());
    answer.refusal().ifPresent(why -> json.put("refusal", why));
    answer.counterOffer().ifPresent(offer -> json.set("counterOffer", when(offer)));
    return json;
  }

  public static ObjectNode of(Period period) {
    ObjectNode json =
        Json.object()
            .put("from", period.from().toString())
            .put("until", period.until().toString())
            .put("rateKbps", Json.kbps(period.rate()));
    ArrayNode ids = json.putArray("reservations");
    period.reservations().forEach(reservation -> ids.add(reservation.id()));
    return json;
  }

  public static ObjectNode when(ReservationRequest requested) {
    return Json.object()
        .put("rateKbps", Json.kbps(requested.rate()))
        .put("start", requested.start().toString())
        .put("end", requested.end().toString());
  }
}
