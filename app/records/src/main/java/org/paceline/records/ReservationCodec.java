package org.paceline.records;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.paceline.control.model.ConversationId;
import org.paceline.control.reservations.Reservation;
import org.paceline.control.reservations.ReservationRequest;
import org.paceline.control.reservations.Transfer;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/** A reservation as JSON, with its rate as exact as it was promised. */
public final class ReservationCodec extends JsonCodec<Reservation> {
  public ReservationCodec() {
    super(3);
  }

  /**
   * In version 1 it is not said which scheme made the promise. Up to version 2 both ends are hosts,
   * and a prefix would be read as a host that nobody knows.
   */
  @Override
  public int version(Reservation reservation) {
    if (reservation.requested().isOfPrefixes()) {
      return 3;
    }
    return reservation.promisedBy().isPresent() ? 2 : 1;
  }

  @Override
  ObjectNode json(Reservation reservation) {
    ReservationRequest requested = reservation.requested();
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("id", reservation.id())
            .put("intent", requested.intent())
            .put("from", requested.from().toString())
            .put("to", requested.to().toString())
            .put("millibitsPerSecond", requested.rate().millibitsPerSecond())
            .put("start", requested.start().toString())
            .put("duration", requested.duration().toString())
            .put("deadline", requested.deadline().toString());
    reservation.heldUntil().ifPresent(until -> json.put("heldUntil", until.toString()));
    reservation.request().ifPresent(request -> json.put("request", request));
    reservation.promisedBy().ifPresent(scheme -> json.put("promisedBy", scheme.word()));
    if (requested.conversations() > 1) {
      json.put("conversations", requested.conversations());
    }
    if (requested.isAdaptive()) {
      json.put("adaptive", true);
    }
    if (reservation.isGivenBack()) {
      json.put("givenBack", true);
    }
    reservation.transfer().ifPresent(transfer -> put(json, transfer));
    return json;
  }

  private static void put(ObjectNode json, Transfer transfer) {
    json.put("bytes", transfer.bytes()).put("sentBytes", transfer.sentBytes());
    ObjectNode distributed = json.putObject("distributed");
    transfer.distributed().forEach((id, bytes) -> distributed.put(id.toString(), bytes));
    transfer.endedAt().ifPresent(at -> json.put("endedAt", at.toString()));
  }

  private static Transfer transfer(JsonNode json) {
    Map<ConversationId, Long> distributed = new TreeMap<>();
    json.path("distributed")
        .fields()
        .forEachRemaining(
            one ->
                ConversationId.tryParse(one.getKey())
                    .ifPresent(id -> distributed.put(id, one.getValue().asLong())));
    return Transfer.of(
        json.path("bytes").asLong(),
        json.path("sentBytes").asLong(),
        distributed,
        Optional.of(json.path("endedAt"))
            .filter(JsonNode::isTextual)
            .map(at -> Instant.parse(at.asText())));
  }

  /** A transfer's rate is what was due when it was stored, and not what its bytes need by now. */
  private static ReservationRequest requested(JsonNode json) {
    Instant start = Instant.parse(json.path("start").asText());
    Instant deadline = Instant.parse(json.path("deadline").asText());
    DataRate rate = DataRate.ofMillibitsPerSecond(json.path("millibitsPerSecond").asLong());
    String intent = json.path("intent").asText();
    String from = json.path("from").asText();
    String to = json.path("to").asText();
    ReservationRequest requested =
        json.has("bytes")
            ? ReservationRequest.transfer(
                    intent, from, to, json.path("bytes").asLong(), start, deadline)
                .with(rate)
            : ReservationRequest.of(
                intent,
                from,
                to,
                rate,
                start,
                Duration.parse(json.path("duration").asText()),
                deadline);
    return requested
        .sharedBy(json.path("conversations").asInt(1))
        .adaptive(json.path("adaptive").asBoolean());
  }

  @Override
  Reservation value(JsonNode json, int version) {
    ReservationRequest requested = requested(json);
    String id = json.path("id").asText();
    Reservation kept =
        (json.has("heldUntil")
                ? Reservation.held(id, requested, Instant.parse(json.path("heldUntil").asText()))
                : Reservation.committed(id, requested))
            .of(
                Optional.of(json.path("request"))
                    .filter(JsonNode::isTextual)
                    .map(JsonNode::asText));
    Optional<String> scheme = maybe(json, "promisedBy");
    Reservation promised =
        scheme.isPresent() ? kept.promisedBy(SchemeName.parse(scheme.get())) : kept;
    Reservation all = json.has("bytes") ? promised.with(transfer(json)) : promised;
    return json.path("givenBack").asBoolean() ? all.givenBack() : all;
  }
}
