package org.paceline.northbound.rest.enrolment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
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
import org.paceline.control.audit.Role;
import org.paceline.control.enrolment.EnrolmentToken;
import org.paceline.control.enrolment.EnrolmentTokens;
import org.paceline.northbound.rest.request.Caller;
import org.paceline.northbound.rest.request.IdempotencyFilter;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.view.Json;

/**
 * By what hosts may enrol. What a host is given is in one answer, and in no list, change or log.
 */
@Path("v1/enrolment-tokens")
@Produces(MediaType.APPLICATION_JSON)
public final class EnrolmentTokensResource {
  private static final int CREATED = 201;

  private final Supplier<EnrolmentTokens> tokens;

  public EnrolmentTokensResource(Supplier<EnrolmentTokens> tokens) {
    this.tokens = tokens;
  }

  @GET
  @Operation(
      needs = Role.ADMIN,
      does = "The tokens by which hosts may enrol, without what the hosts are given.",
      answer = "EnrolmentTokens")
  public String listEnrolmentTokens() {
    ObjectNode answer = Json.object();
    ArrayNode list = answer.putArray("tokens");
    tokens.get().all().forEach(token -> list.add(json(token)));
    return answer.toString();
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      needs = Role.ADMIN,
      does = "Lets a host enrol once. What the host is given is in this answer only.",
      takes = "EnrolmentTokenToMake",
      success = CREATED,
      answer = "EnrolmentToken",
      refuses = 409)
  public Response makeEnrolmentToken(byte[] body, @Context ContainerRequestContext request) {
    if (request.getHeaderString(IdempotencyFilter.KEY) != null) {
      throw new IllegalArgumentException(
          "This answer holds a secret and is not kept for a repetition. Maybe send it without "
              + IdempotencyFilter.KEY
              + ", and withdraw a token whose answer was lost.");
    }
    JsonNode json = Json.read(body, Set.of("host", "addresses", "validSeconds"));
    EnrolmentTokens.Made made =
        tokens
            .get()
            .make(
                Caller.author(request),
                new String(body, StandardCharsets.UTF_8),
                Json.text(json, "host").orElse(""),
                addresses(json.path("addresses")),
                Json.whole(json, "validSeconds", 1, EnrolmentToken.LONGEST_LIFE.toSeconds())
                    .map(Duration::ofSeconds)
                    .orElse(EnrolmentToken.USUAL_LIFE));
    return Response.status(CREATED)
        .entity(json(made.token()).put("token", made.text()).toString())
        .build();
  }

  @DELETE
  @Path("{token}")
  @Operation(
      needs = Role.ADMIN,
      does = "Withdraws a token: no host enrols by it any more.",
      success = 204,
      refuses = 404)
  public Response withdrawEnrolmentToken(
      @PathParam("token") String id, @Context ContainerRequestContext request) {
    tokens.get().withdraw(Caller.author(request), id);
    return Response.noContent().build();
  }

  /** What were overlooked here the certificate would not name, and the agent speak for others. */
  private static Set<String> addresses(JsonNode json) {
    if (!json.isMissingNode() && !json.isArray()) {
      throw new IllegalArgumentException(
          "The addresses (" + json + ") must be a list of texts. Maybe [\"10.0.0.1\"].");
    }
    Set<String> addresses = new TreeSet<>();
    // What is no text is shown as it was sent.
    json.forEach(one -> addresses.add(one.isTextual() ? one.textValue() : one.toString()));
    return addresses;
  }

  private static ObjectNode json(EnrolmentToken token) {
    ObjectNode json = Json.object().put("id", token.id()).put("host", token.host());
    ArrayNode addresses = json.putArray("addresses");
    new TreeSet<>(token.addresses()).forEach(addresses::add);
    return json.put("author", token.author()).put("until", token.end().toString());
  }
}
