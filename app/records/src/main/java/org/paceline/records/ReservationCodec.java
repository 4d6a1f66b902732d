package org.paceline.records;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.paceline.control.reservations.Reservation;
import org.paceline.control.reservations.ReservationRequest;
import org.paceline.intents.unit.DataRate;

/** A reservation as JSON, with its rate as exact as it was promised. */
public final class ReservationCodec implements RecordCodec<Reservation> {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @Override
  public String write(Reservation reservation) {
    ReservationRequest requested = reservation.requested();
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("id", reservation.id())
            .put("intent", requested.intent())
            .put("from", requested.from())
            .put("to", requested.to())
            .put("millibitsPerSecond", requested.rate().millibitsPerSecond())
            .put("start", requested.start().toString())
            .put("duration", requested.duration().toString())
            .put("deadline", requested.deadline().toString());
    reservation.heldUntil().ifPresent(until -> json.put("heldUntil", until.toString()));
    reservation.request().ifPresent(request -> json.put("request", request));
    if (requested.conversations() > 1) {
      json.put("conversations", requested.conversations());
    }
    if (reservation.isGivenBack()) {
      json.put("givenBack", true);
    }
    return json.toString();
  }

  @Override
  public Reservation read(String text) throws IOException {
    JsonNode json = MAPPER.readTree(text);
    try {
      ReservationRequest requested =
          ReservationRequest.of(
                  json.path("intent").asText(),
                  json.path("from").asText(),
                  json.path("to").asText(),
                  DataRate.ofMillibitsPerSecond(json.path("millibitsPerSecond").asLong()),
                  Instant.parse(json.path("start").asText()),
                  Duration.parse(json.path("duration").asText()),
                  Instant.parse(json.path("deadline").asText()))
              .sharedBy(json.path("conversations").asInt(1));
      String id = json.path("id").asText();
      Reservation kept =
          (json.has("heldUntil")
                  ? Reservation.held(id, requested, Instant.parse(json.path("heldUntil").asText()))
                  : Reservation.committed(id, requested))
              .of(
                  Optional.of(json.path("request"))
                      .filter(JsonNode::isTextual)
                      .map(JsonNode::asText));
      return json.path("givenBack").asBoolean() ? kept.givenBack() : kept;
    } catch (DateTimeException e) {
      throw new IOException("a time that is none", e);
    }
  }
}
