package org.paceline.northbound.rest.conversations;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;
import org.paceline.control.api.ConversationService;
import org.paceline.control.audit.Absent;
import org.paceline.control.audit.Refused;
import org.paceline.control.audit.Role;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.control.model.Transport;
import org.paceline.control.view.ConversationView;
import org.paceline.control.view.Word;
import org.paceline.intents.address.CanonicalAddress;
import org.paceline.intents.tree.IntentPath;
import org.paceline.northbound.rest.request.Caller;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.request.Query;
import org.paceline.northbound.rest.view.ConversationJson;
import org.paceline.northbound.rest.view.Json;

/** Conversations with their proof; and the announcing of those whose sender has no agent. */
@Path("v1/conversations")
@Produces(MediaType.APPLICATION_JSON)
public final class ConversationsResource {
  private static final int CREATED = 201;
  private static final int GREATEST_PORT = 65_535;

  private static final Set<String> MEMBERS =
      Set.of(
          "id", "intent", "localAddress", "remoteAddress", "protocol", "localPort", "remotePort");

  private final Supplier<ConversationService> conversations;

  public ConversationsResource(Supplier<ConversationService> conversations) {
    this.conversations = conversations;
  }

  @GET
  @Operation(
      needs = Role.VIEWER,
      does = "Who talks, in the order of their names; all, or a page of those that are asked for.",
      answer = "Conversations",
      refuses = 400)
  public String listConversations(
      @QueryParam("host") @Nullable String host,
      @QueryParam("intent") @Nullable String intent,
      @QueryParam("state") @Nullable String state,
      @QueryParam("user") @Nullable String user,
      @QueryParam("after") @Nullable String after,
      @QueryParam("limit") @Nullable String limit) {
    Stream<Proof> proofs = conversations.get().proofs().all().stream();
    proofs = Query.only(proofs, host, proof -> proof.conversation().id().host());
    proofs = Query.only(proofs, user, proof -> proof.conversation().user());
    proofs = Query.only(proofs, state, proof -> Word.of(proof.state()));
    if (intent != null) {
      IntentPath branch = IntentPath.parse(intent);
      proofs = proofs.filter(proof -> proof.requested().asked().isWithin(branch));
    }
    // In the book's order, which is that of their ids.
    List<Proof> found = proofs.collect(Collectors.toList());
    ObjectNode answer = Json.object().put("total", found.size());
    if (after != null) {
      ConversationId last =
          ConversationId.tryParse(after)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "The after ("
                              + after
                              + ") must be HOST/ID. Maybe the last page's next."));
      found.removeIf(proof -> proof.conversation().id().compareTo(last) <= 0);
    }
    int page = limit == null ? found.size() : Math.min(found.size(), Query.limit(limit));
    ArrayNode list = answer.putArray("conversations");
    found
        .subList(0, page)
        .forEach(proof -> list.add(ConversationJson.of(ConversationView.of(proof))));
    if (page < found.size()) {
      answer.put("next", found.get(page - 1).conversation().id().toString());
    }
    return answer.toString();
  }

  @GET
  @Path("{host}/{id: .+}")
  @Operation(
      needs = Role.VIEWER,
      does = "One conversation: requested, granted, installed and measured.",
      answer = "Conversation",
      refuses = {400, 404})
  public String getConversation(@PathParam("host") String host, @PathParam("id") String id) {
    return ConversationJson.of(ConversationView.of(find(ConversationId.of(host, id)))).toString();
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      needs = Role.BRANCH,
      does = "Announces a conversation of a host without an agent.",
      takes = "Announcement",
      success = CREATED,
      answer = "ConversationName")
  public Response announceConversation(byte[] body, @Context ContainerRequestContext request) {
    JsonNode json = Json.read(body, MEMBERS);
    Conversation conversation =
        ConversationService.conversation(required(json, "id"))
            .intent(Json.text(json, "intent").orElse(""))
            .localAddress(address(json, "localAddress"))
            .remoteAddress(address(json, "remoteAddress"))
            .transport(Transport.parse(Json.text(json, "protocol").orElse("any")))
            .localPort(port(json, "localPort"))
            .remotePort(port(json, "remotePort"))
            .build();
    ConversationId id = conversation.id();
    if (!conversations
        .get()
        .announce(Caller.user(request), Caller.author(request), Json.text(body), conversation)) {
      throw new Refused("The conversation (" + id + ") is announced already.");
    }
    return Response.status(CREATED)
        .entity(Json.object().put("id", id.toString()).toString())
        .build();
  }

  @DELETE
  @Path("{host}/{id: .+}")
  @Operation(
      needs = Role.BRANCH,
      does = "Ends an announced conversation.",
      success = 204,
      refuses = 404)
  public Response endConversation(
      @PathParam("host") String host,
      @PathParam("id") String id,
      @Context ContainerRequestContext request) {
    ConversationId known = ConversationId.of(host, id);
    if (!conversations.get().end(Caller.user(request), Caller.author(request), "", known)) {
      throw absent(known);
    }
    return Response.noContent().build();
  }

  private Proof find(ConversationId id) {
    return conversations.get().proofs().find(id).orElseThrow(() -> absent(id));
  }

  private static Absent absent(ConversationId id) {
    return new Absent("There is no conversation (" + id + "). Maybe it has ended.");
  }

  private static String required(JsonNode json, String field) {
    return Json.text(json, field)
        .orElseThrow(
            () -> new IllegalArgumentException("The conversation lacks its (" + field + ")."));
  }

  private static String address(JsonNode json, String field) {
    return CanonicalAddress.of(required(json, field));
  }

  private static int port(JsonNode json, String field) {
    return Json.whole(json, field, 0, GREATEST_PORT).orElse(0L).intValue();
  }
}
