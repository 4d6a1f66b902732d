package org.paceline.northbound.rest.view;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.paceline.control.operations.Operation;

/** Operations as JSON. */
public final class OperationJson {
  private OperationJson() {}

  /** Without what came of it. */
  public static ObjectNode of(Operation operation) {
    ObjectNode json =
        Json.object()
            .put("id", operation.id())
            .put("actor", operation.actor())
            .put("operation", operation.does())
            .put("state", operation.state())
            .put("startedAt", operation.startedAt().toString());
    operation.endedAt().ifPresent(at -> json.put("endedAt", at.toString()));
    return json;
  }

  public static ObjectNode whole(Operation operation) {
    ObjectNode json = of(operation);
    operation
        .outcome()
        .ifPresent(
            outcome ->
                json.set(outcome.hasFailed() ? "problem" : "result", Json.parse(outcome.text())));
    return json;
  }
}
