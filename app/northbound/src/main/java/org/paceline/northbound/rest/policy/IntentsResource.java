package org.paceline.northbound.rest.policy;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.PATCH;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;
import org.paceline.control.api.IntentDesk;
import org.paceline.control.api.PolicyService;
import org.paceline.control.audit.Role;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.northbound.rest.request.Caller;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.request.Query;
import org.paceline.northbound.rest.view.Json;
import org.paceline.northbound.rest.view.Memoized;
import org.paceline.northbound.rest.view.PolicyJson;

/** The intent tree in force: read it, change it; each change is a version of the policy. */
@Path("v1/intents")
@Produces(MediaType.APPLICATION_JSON)
public final class IntentsResource {
  static final String MERGE_PATCH = "application/merge-patch+json";

  private final Supplier<PolicyService> policy;

  private final Memoized<IntentTree, String> text = new Memoized<>(IntentsText::json);

  public IntentsResource(Supplier<PolicyService> policy) {
    this.policy = policy;
  }

  @GET
  @Operation(
      needs = Role.VIEWER,
      does = "The intent tree in force, with every table that it uses.",
      answer = "Intents")
  public String getIntents() {
    return text.of(policy.get().policies().tree());
  }

  @PUT
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      needs = Role.BRANCH,
      does = "Puts another intent tree in force. The answer leaves the catalogue's tables out.",
      takes = "Intents",
      answer = "Intents")
  public String replaceIntents(byte[] body, @Context ContainerRequestContext request) {
    IntentTree tree = IntentsText.read(body);
    return change(request, "The intents are replaced.", body, now -> tree);
  }

  @GET
  @Path("{path: .+}")
  @Operation(
      needs = Role.VIEWER,
      does = "What one node of the tree sets itself; what it leaves out it inherits.",
      answer = "IntentPolicy",
      refuses = 404)
  public String getIntent(@PathParam("path") String path) {
    IntentPath node = IntentPath.parse(path);
    return Optional.ofNullable(policy.get().policies().tree().policies().get(node))
        .map(IntentsText::json)
        .orElseThrow(() -> policy.get().intentDesk().absent(node));
  }

  @PUT
  @Path("{path: .+}")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      needs = Role.BRANCH,
      does = "Says what one node of the tree sets itself; what it leaves out it inherits.",
      takes = "IntentPolicy",
      answer = "IntentPolicy",
      mayCreate = true,
      refuses = 404)
  public Response setIntent(
      @PathParam("path") String path,
      @QueryParam("parents") @Nullable String parents,
      byte[] body,
      @Context ContainerRequestContext request) {
    return set(path, parents, body, request, node -> now -> IntentsText.policy(body, now));
  }

  @PATCH
  @Path("{path: .+}")
  @Consumes({MERGE_PATCH, MediaType.APPLICATION_JSON})
  @Operation(
      needs = Role.BRANCH,
      does =
          "Changes what one node of the tree sets itself by a JSON merge patch (RFC 7396): it"
              + " inherits again what is null there, and keeps what is not.",
      takes = "IntentPolicyPatch",
      answer = "IntentPolicy",
      mayCreate = true,
      refuses = 404)
  public Response patchIntent(
      @PathParam("path") String path,
      @QueryParam("parents") @Nullable String parents,
      byte[] body,
      @Context ContainerRequestContext request) {
    String text = Json.text(body);
    return set(path, parents, body, request, node -> policy.get().intentDesk().patch(node, text));
  }

  private Response set(
      String path,
      @Nullable String parents,
      byte[] body,
      ContainerRequestContext request,
      Function<IntentPath, Function<IntentTree, Policy>> wanted) {
    IntentPath node = IntentPath.parse(path);
    IntentDesk.Outcome outcome =
        policy
            .get()
            .intentDesk()
            .set(
                Caller.user(request),
                Caller.author(request),
                Json.text(body),
                node,
                wanted.apply(node),
                Query.flag("parents", parents)
                    ? IntentDesk.Parents.ARE_MADE
                    : IntentDesk.Parents.MUST_BE_THERE);
    Policy now = outcome.version().tree().policies().getOrDefault(node, Policy.INHERIT_ALL);
    Response.ResponseBuilder answer =
        Response.status(outcome.isCreated() ? Response.Status.CREATED : Response.Status.OK)
            .type(MediaType.APPLICATION_JSON_TYPE)
            .entity(IntentsText.json(now));
    if (outcome.isCreated()) {
      answer.header(
          HttpHeaders.LOCATION, request.getUriInfo().getBaseUri().getPath() + "v1/intents/" + node);
    }
    return answer.build();
  }

  @DELETE
  @Path("{path: .+}")
  @Operation(
      needs = Role.BRANCH,
      does =
          "Takes a branch away from the tree. Where rules of agents or open conversations name"
              + " intents of it, the answer says who: they are served as what stands above it.",
      success = 204,
      warns = "IntentRemoval",
      refuses = {400, 404})
  public Response removeIntent(
      @PathParam("path") String path, @Context ContainerRequestContext request) {
    IntentDesk.Removal removal =
        policy
            .get()
            .intentDesk()
            .remove(Caller.user(request), Caller.author(request), "", IntentPath.parse(path));
    return removal.stillNamed().isEmpty()
        ? Response.noContent().build()
        : Response.ok(
                PolicyJson.stillNamed(removal.stillNamed()).toString(),
                MediaType.APPLICATION_JSON_TYPE)
            .build();
  }

  private String change(
      ContainerRequestContext request,
      String reason,
      byte[] body,
      UnaryOperator<IntentTree> change) {
    return IntentsText.brief(
        policy
            .get()
            .versions()
            .commit(
                Caller.author(request),
                reason,
                Json.text(body),
                now -> {
                  IntentTree next = change.apply(now);
                  policy.get().versions().mustBeAllowed(Caller.user(request), now, next);
                  return next;
                },
                Optional.empty())
            .tree());
  }
}
