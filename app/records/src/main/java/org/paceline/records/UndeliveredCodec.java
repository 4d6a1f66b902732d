package org.paceline.records;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.paceline.control.webhook.Undelivered;
import org.paceline.control.webhook.Webhook;
import org.paceline.control.webhook.WebhookEvent;

/** A waiting event as JSON, with its body as the text that is sent: a signature is of its bytes. */
public final class UndeliveredCodec extends JsonCodec<Undelivered> {
  public UndeliveredCodec() {
    super(1);
  }

  @Override
  ObjectNode json(Undelivered waiting) {
    WebhookEvent event = waiting.event();
    return JsonNodeFactory.instance
        .objectNode()
        .put("webhook", waiting.webhook())
        .put("id", event.id())
        .put("kind", event.kind().name())
        .put("body", event.body());
  }

  @Override
  Undelivered value(JsonNode json, int version) {
    return Undelivered.of(
        json.path("webhook").asText(),
        WebhookEvent.of(
            json.path("id").asText(),
            Webhook.Kind.valueOf(json.path("kind").asText()),
            json.path("body").asText()));
  }
}
