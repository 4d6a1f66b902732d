package org.paceline.onos.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.onlab.packet.IpAddress;
import org.paceline.control.UseCases;
import org.paceline.control.conversations.Conversation;
import org.paceline.control.conversations.ConversationId;
import org.paceline.control.conversations.Enforcement;
import org.paceline.control.conversations.Transport;
import org.paceline.control.proof.Proof;

/** Conversations with their proof; and the announcing of those whose sender has no agent. */
@Path("v1/conversations")
@Produces(MediaType.APPLICATION_JSON)
public final class ConversationsResource {
  private static final int CREATED = 201;

  /** The name under which conversations without an agent are kept. */
  private static final String ANNOUNCED = "announced";

  @GET
  public String all() {
    ObjectNode answer = Json.object();
    ArrayNode list = answer.putArray("conversations");
    Json.useCases().proofs().all().forEach(proof -> list.add(ProofJson.of(proof)));
    return answer.toString();
  }

  @GET
  @Path("{host}/{id: .+}")
  public String one(@PathParam("host") String host, @PathParam("id") String id) {
    return ProofJson.of(find(ConversationId.of(host, id))).toString();
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  public Response announce(InputStream body) {
    JsonNode json = Json.read(body);
    UseCases use = Json.useCases();
    String intent = json.path("intent").asText("");
    if (!use.policies().knows(intent)) {
      throw new IllegalArgumentException(
          "There is no intent ("
              + intent
              + "). Maybe you meant "
              + String.join(" or ", use.policies().nearest(intent))
              + ".");
    }
    ConversationId id = ConversationId.of(ANNOUNCED, required(json, "id"));
    if (use.proofs().find(id).isPresent()) {
      throw new Problems.Conflict("The conversation (" + id + ") is announced already.");
    }
    Conversation conversation =
        Conversation.builder()
            .id(id)
            .intent(intent)
            .localAddress(address(json, "localAddress"))
            .remoteAddress(address(json, "remoteAddress"))
            .transport(transport(json.path("protocol").asText("any")))
            .localPort(port(json, "localPort"))
            .remotePort(port(json, "remotePort"))
            .enforcement(Enforcement.FIRST_HOP)
            .firstSeen(Instant.now())
            .build();
    use.planner().opened(conversation);
    return Response.status(CREATED)
        .entity(Json.object().put("id", id.toString()).toString())
        .build();
  }

  @DELETE
  @Path("{host}/{id: .+}")
  public Response end(@PathParam("host") String host, @PathParam("id") String id) {
    Proof proof = find(ConversationId.of(host, id));
    if (proof.conversation().enforcement() != Enforcement.FIRST_HOP) {
      throw new Problems.Conflict(
          "The conversation ("
              + proof.conversation().id()
              + ") belongs to an agent, which says itself when it ends.");
    }
    Json.useCases().planner().closed(List.of(proof.conversation().id()));
    return Response.noContent().build();
  }

  private static Proof find(ConversationId id) {
    return Json.useCases()
        .proofs()
        .find(id)
        .orElseThrow(
            () ->
                new Problems.Missing("There is no conversation (" + id + "). Maybe it has ended."));
  }

  private static String required(JsonNode json, String field) {
    return Optional.of(json.path(field).asText(""))
        .filter(text -> !text.isEmpty())
        .orElseThrow(
            () -> new IllegalArgumentException("The conversation lacks its (" + field + ")."));
  }

  private static String address(JsonNode json, String field) {
    return IpAddress.valueOf(required(json, field)).toString();
  }

  private static int port(JsonNode json, String field) {
    JsonNode port = json.path(field);
    if (port.isMissingNode()) {
      return 0;
    }
    if (!port.isInt()) {
      throw new IllegalArgumentException(
          "The " + field + " (" + port + ") must be a whole number. Maybe 0, for any.");
    }
    return port.intValue();
  }

  private static Transport transport(String text) {
    switch (text.toLowerCase(Locale.ROOT)) {
      case "tcp":
        return Transport.TCP;
      case "udp":
        return Transport.UDP;
      case "any":
        return Transport.ANY;
      default:
        throw new IllegalArgumentException(
            "The protocol (" + text + ") is not known. Maybe tcp, udp or any.");
    }
  }
}
