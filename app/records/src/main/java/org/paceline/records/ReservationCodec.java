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
import org.paceline.control.reservations.Wish;
import org.paceline.intents.unit.DataRate;

/** A reservation as JSON, with its rate as exact as it was promised. */
public final class ReservationCodec implements RecordCodec<Reservation> {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @Override
  public String write(Reservation reservation) {
    Wish wish = reservation.wish();
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("id", reservation.id())
            .put("intent", wish.intent())
            .put("from", wish.from())
            .put("to", wish.to())
            .put("millibitsPerSecond", wish.rate().millibitsPerSecond())
            .put("start", wish.start().toString())
            .put("duration", wish.duration().toString())
            .put("deadline", wish.deadline().toString());
    reservation.heldUntil().ifPresent(until -> json.put("heldUntil", until.toString()));
    reservation.request().ifPresent(request -> json.put("request", request));
    if (wish.conversations() > 1) {
      json.put("conversations", wish.conversations());
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
      Wish wish =
          Wish.of(
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
                  ? Reservation.held(id, wish, Instant.parse(json.path("heldUntil").asText()))
                  : Reservation.committed(id, wish))
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
