package org.paceline.records;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;
import org.paceline.control.operations.Operation;
import org.paceline.control.operations.Outcome;

/** An operation as JSON, under way or with what came of it. */
public final class OperationCodec extends JsonCodec<Operation> {
  public OperationCodec() {
    super(1);
  }

  @Override
  ObjectNode json(Operation operation) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("id", operation.id())
            .put("actor", operation.actor())
            .put("does", operation.does())
            .put("startedAt", operation.startedAt().toString());
    operation.endedAt().ifPresent(at -> json.put("endedAt", at.toString()));
    operation
        .outcome()
        .ifPresent(outcome -> json.put(outcome.hasFailed() ? "failed" : "done", outcome.text()));
    return json;
  }

  @Override
  Operation value(JsonNode json, int version) {
    return Operation.of(
        json.path("id").asText(),
        json.path("actor").asText(),
        json.path("does").asText(),
        Instant.parse(json.path("startedAt").asText()),
        text(json, "endedAt").map(Instant::parse),
        text(json, "done").map(Outcome::done).or(() -> text(json, "failed").map(Outcome::failed)));
  }

  private static Optional<String> text(JsonNode json, String member) {
    return Optional.of(json.path(member)).filter(JsonNode::isTextual).map(JsonNode::asText);
  }
}
