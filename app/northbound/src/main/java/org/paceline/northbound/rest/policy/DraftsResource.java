package org.paceline.northbound.rest.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.paceline.control.api.PolicyService;
import org.paceline.control.audit.Absent;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.Role;
import org.paceline.control.audit.User;
import org.paceline.control.operations.Operations;
import org.paceline.control.policy.PolicyDraft;
import org.paceline.control.policy.PolicyVersion;
import org.paceline.intents.tree.IntentTree;
import org.paceline.northbound.rest.operations.Asynchronous;
import org.paceline.northbound.rest.request.Caller;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.view.Json;
import org.paceline.northbound.rest.view.PolicyJson;

/** Policies that are prepared: what they would do, and putting them in force. */
@Path("v1/policy/drafts")
@Produces(MediaType.APPLICATION_JSON)
public final class DraftsResource {
  private static final long LONGEST_S = Duration.ofDays(7).toSeconds();

  private final Supplier<PolicyService> policy;
  private final Supplier<Operations> operations;

  public DraftsResource(Supplier<PolicyService> policy, Supplier<Operations> operations) {
    this.policy = policy;
    this.operations = operations;
  }

  @GET
  @Operation(needs = Role.VIEWER, does = "The drafts by name.", answer = "PolicyDrafts")
  public String listDrafts() {
    ObjectNode answer = Json.object();
    ArrayNode list = answer.putArray("drafts");
    policy.get().drafts().all().forEach(draft -> list.add(PolicyJson.of(draft)));
    return answer.toString();
  }

  @GET
  @Path("{name}")
  @Operation(
      needs = Role.VIEWER,
      does = "A draft, with its intent tree.",
      answer = "WholePolicyDraft",
      refuses = 404)
  public String getDraft(@PathParam("name") String name) {
    PolicyDraft draft = find(name);
    return PolicyJson.of(draft)
        .set("intents", Json.parse(IntentsText.json(draft.tree())))
        .toString();
  }

  @PUT
  @Path("{name}")
  @Consumes({MediaType.APPLICATION_JSON, IntentsYaml.MEDIA_TYPE})
  @Operation(
      needs = Role.BRANCH,
      does = "Keeps an intent tree as a draft of the version in force. Nothing goes by it.",
      takes = "Intents",
      answer = "PolicyDraft")
  public String putDraft(
      @PathParam("name") String name, byte[] body, @Context ContainerRequestContext request) {
    PolicyService use = policy.get();
    IntentTree tree = IntentsYaml.read(body, request.getMediaType());
    use.drafts().mustBeAllowed(Caller.user(request), name, tree);
    PolicyDraft draft = use.drafts().put(name, Caller.author(request), Json.text(body), tree);
    return PolicyJson.of(draft).toString();
  }

  @DELETE
  @Path("{name}")
  @Operation(needs = Role.BRANCH, does = "Takes a draft away.", success = 204, refuses = 404)
  public Response removeDraft(
      @PathParam("name") String name, @Context ContainerRequestContext request) {
    PolicyService use = policy.get();
    PolicyDraft draft = find(name);
    use.drafts().mustBeTheirs(Caller.user(request), draft.tree());
    use.drafts().remove(name, Caller.author(request), "");
    return Response.noContent().build();
  }

  @GET
  @Path("{name}/difference")
  @Operation(
      needs = Role.VIEWER,
      does = "Who would win and who would lose by a draft. Nothing changes.",
      answer = "Difference",
      refuses = 404,
      mayTakeLong = true)
  public Response compareDraft(
      @PathParam("name") String name, @Context ContainerRequestContext request) {
    PolicyService use = policy.get();
    IntentTree next = find(name).tree();
    return Asynchronous.answerInTurn(
        operations.get(),
        request,
        "What if draft " + name + " were in force.",
        () -> PolicyJson.of(use.whatIf(next)));
  }

  @POST
  @Path("{name}/commit")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      needs = Role.BRANCH,
      does = "Puts a draft in force, for good or until somebody must have confirmed it.",
      takes = "Commit",
      mayBeBodiless = true,
      answer = "PolicyVersion",
      refuses = 404,
      mayTakeLong = true)
  public Response commitDraft(
      @PathParam("name") String name, byte[] body, @Context ContainerRequestContext request) {
    JsonNode json = Json.read(body, Set.of("confirmWithinSeconds"));
    Optional<Duration> confirm =
        Json.whole(json, "confirmWithinSeconds", 1, LONGEST_S).map(Duration::ofSeconds);
    PolicyService use = policy.get();
    Author author = Caller.author(request);
    Optional<PolicyVersion> made = use.versions().madeFor(author);
    if (made.isPresent()) {
      return Asynchronous.answer(
          operations.get(),
          request,
          "Draft " + name + " is in force.",
          () -> PolicyJson.of(made.get()));
    }
    PolicyDraft draft = find(name);
    User user = Caller.user(request);
    // At once, also where the answer is awaited later.
    use.drafts().mustBeAllowed(user, draft.tree());
    return Asynchronous.answer(
        operations.get(),
        request,
        "Draft " + name + " is put in force.",
        () -> PolicyJson.of(use.drafts().commit(user, draft, author, Json.text(body), confirm)));
  }

  private PolicyDraft find(String name) {
    return policy
        .get()
        .drafts()
        .find(name)
        .orElseThrow(
            () -> new Absent("There is no draft (" + name + "). Maybe it is in force already."));
  }
}
