package org.paceline.northbound.rest.webhooks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.paceline.control.audit.Absent;
import org.paceline.control.audit.Role;
import org.paceline.control.webhook.DeliveryState;
import org.paceline.control.webhook.Webhook;
import org.paceline.control.webhook.Webhooks;
import org.paceline.northbound.rest.request.Caller;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.view.Json;

/** Who is told of changes. A secret goes in and never comes out: in no answer, change or log. */
@Path("v1/webhooks")
@Produces(MediaType.APPLICATION_JSON)
public final class WebhooksResource {
  private static final int CREATED = 201;
  private static final String NOT_KEPT = "(not kept here)";

  private final Supplier<Webhooks> webhooks;

  public WebhooksResource(Supplier<Webhooks> webhooks) {
    this.webhooks = webhooks;
  }

  @GET
  @Operation(
      needs = Role.ADMIN,
      does = "Who is told of changes, and how that goes.",
      answer = "Webhooks")
  public String listWebhooks() {
    ObjectNode answer = Json.object();
    ArrayNode list = answer.putArray("webhooks");
    webhooks.get().all().forEach(webhook -> list.add(json(webhook)));
    return answer.toString();
  }

  @GET
  @Path("{webhook}")
  @Operation(needs = Role.ADMIN, does = "One of them.", answer = "Webhook", refuses = 404)
  public String getWebhook(@PathParam("webhook") String id) {
    return webhooks
        .get()
        .find(id)
        .map(webhook -> json(webhook).toString())
        .orElseThrow(() -> absent(id));
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      needs = Role.ADMIN,
      does = "Has an address told of changes from now on.",
      takes = "WebhookToRegister",
      success = CREATED,
      answer = "Webhook")
  public Response registerWebhook(byte[] body, @Context ContainerRequestContext request) {
    JsonNode json = Json.read(body, Set.of("url", "events", "secret"));
    if (!json.path("secret").isTextual()) {
      throw new IllegalArgumentException("The secret is lacking, or no text.");
    }
    Webhook webhook =
        webhooks
            .get()
            .register(
                Caller.author(request),
                withoutSecrets(json),
                Json.text(json, "url").orElse(""),
                kinds(json.path("events")),
                json.path("secret").textValue());
    return Response.status(CREATED).entity(json(webhook).toString()).build();
  }

  @DELETE
  @Path("{webhook}")
  @Operation(
      needs = Role.ADMIN,
      does = "Has an address told of nothing any more.",
      success = 204,
      refuses = 404)
  public Response removeWebhook(
      @PathParam("webhook") String id, @Context ContainerRequestContext request) {
    if (!webhooks.get().remove(Caller.author(request), id)) {
      throw absent(id);
    }
    return Response.noContent().build();
  }

  private ObjectNode json(Webhook webhook) {
    ObjectNode json = Json.object().put("id", webhook.id()).put("url", webhook.url().toString());
    ArrayNode events = json.putArray("events");
    webhook.kinds().forEach(kind -> events.add(kind.word()));
    DeliveryState state = webhooks.get().state(webhook);
    json.put("waiting", state.waiting())
        .put("delivered", state.delivered())
        .put("lost", state.lost());
    state.trouble().ifPresent(why -> json.put("trouble", why));
    return json;
  }

  private static Set<Webhook.Kind> kinds(JsonNode events) {
    Set<Webhook.Kind> kinds = new TreeSet<>();
    for (JsonNode event : events) {
      // What is no text is shown as it was sent.
      kinds.add(Webhook.Kind.parse(event.isTextual() ? event.textValue() : event.toString()));
    }
    return kinds;
  }

  /** What the log of changes, which every viewer reads, keeps of a body. */
  private static String withoutSecrets(JsonNode json) {
    return json.<ObjectNode>deepCopy()
        .put("secret", NOT_KEPT)
        .put("url", Webhook.place(Json.text(json, "url").orElse("")))
        .toString();
  }

  private static Absent absent(String id) {
    return new Absent(
        "There is no webhook (" + id + "). Maybe the list names the one that you mean.");
  }
}
