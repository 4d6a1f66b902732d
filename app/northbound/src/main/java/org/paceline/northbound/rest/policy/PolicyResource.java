package org.paceline.northbound.rest.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.ws.rs.Consumes;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import org.jspecify.annotations.Nullable;
import org.paceline.control.api.PolicyService;
import org.paceline.control.audit.Role;
import org.paceline.control.policy.PolicyVersion;
import org.paceline.control.policy.PolicyVersions;
import org.paceline.intents.tree.IntentTree;
import org.paceline.northbound.rest.request.Caller;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.request.Query;
import org.paceline.northbound.rest.view.Json;
import org.paceline.northbound.rest.view.PolicyJson;

/** The policy as versions: which is in force, which were, and back. */
@Path("v1/policy")
@Produces(MediaType.APPLICATION_JSON)
public final class PolicyResource {
  private final Supplier<PolicyService> policy;

  public PolicyResource(Supplier<PolicyService> policy) {
    this.policy = policy;
  }

  @GET
  @Operation(
      needs = Role.VIEWER,
      does = "The version in force, and whether it waits to be confirmed.",
      answer = "PolicyVersion")
  public String getPolicy() {
    return PolicyJson.of(policy.get().versions().inForce()).toString();
  }

  @GET
  @Path("versions")
  @Operation(
      needs = Role.VIEWER,
      does = "The versions, the newest first.",
      answer = "PolicyVersions",
      refuses = 400)
  public String listPolicyVersions(
      @QueryParam("before") @Nullable String before, @QueryParam("limit") @Nullable String limit) {
    List<PolicyVersion> versions =
        policy.get().versions().newest(Query.limit(limit), Query.before(before));
    ObjectNode answer = Json.object();
    ArrayNode list = answer.putArray("versions");
    versions.forEach(version -> list.add(PolicyJson.of(version)));
    return answer.toString();
  }

  @GET
  @Path("versions/{number}")
  @Operation(
      needs = Role.VIEWER,
      does = "A version, with its intent tree.",
      answer = "WholePolicyVersion",
      refuses = {400, 404})
  public String getPolicyVersion(@PathParam("number") String text) {
    long number = Query.number("number", text, 1, Long.MAX_VALUE, 1);
    return json(policy.get().versions().mustFind(number, "Maybe the list names it."));
  }

  /** The whole, in one line. */
  public static String json(PolicyVersion version) {
    return PolicyJson.of(version)
        .set("intents", Json.parse(IntentsText.json(version.tree())))
        .toString();
  }

  @GET
  @Path("file")
  @Produces(IntentsYaml.MEDIA_TYPE)
  @Operation(
      needs = Role.VIEWER,
      does = "The policy in force as one YAML file.",
      answer = "Intents")
  public String exportPolicy() {
    return IntentsYaml.write(policy.get().policies().tree());
  }

  @PUT
  @Path("file")
  @Consumes(IntentsYaml.MEDIA_TYPE)
  @Operation(
      needs = Role.BRANCH,
      does = "Puts the policy of a YAML file in force.",
      takes = "Intents",
      answer = "PolicyVersion")
  public String importPolicy(byte[] body, @Context ContainerRequestContext request) {
    IntentTree tree = IntentsYaml.read(body);
    PolicyVersion version =
        policy
            .get()
            .versions()
            .commit(
                Caller.author(request),
                "A policy file is put in force.",
                Json.text(body),
                now -> {
                  policy.get().versions().mustBeAllowed(Caller.user(request), now, tree);
                  return tree;
                },
                Optional.empty());
    return PolicyJson.of(version).toString();
  }

  @POST
  @Path("confirm")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      needs = Role.BRANCH,
      does = "Confirms the version in force, which otherwise goes back by itself.",
      takes = "Nothing",
      mayBeBodiless = true,
      answer = "PolicyVersion")
  public String confirmPolicy(byte[] body, @Context ContainerRequestContext request) {
    Json.read(body, Set.of());
    return PolicyJson.of(
            policy
                .get()
                .versions()
                .confirm(Caller.user(request), Caller.author(request), Json.text(body)))
        .toString();
  }

  @POST
  @Path("rollback")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      needs = Role.BRANCH,
      does =
          "Goes back to the tree before this one, whatever confirmations lie between, or to the"
              + " version that is named. Refused with 409 where nothing would change.",
      takes = "Target",
      mayBeBodiless = true,
      answer = "PolicyVersion")
  public String rollBackPolicy(byte[] body, @Context ContainerRequestContext request) {
    JsonNode json = Json.read(body, Set.of("to"));
    Optional<Long> to = Json.whole(json, "to", 1, Long.MAX_VALUE);
    PolicyVersions versions = policy.get().versions();
    PolicyVersion back =
        versions.rollBack(Caller.user(request), Caller.author(request), Json.text(body), to);
    ObjectNode answer = PolicyJson.of(back);
    ArrayNode changed = answer.putArray("changed");
    versions.changedBy(back).forEach(node -> changed.add(node.toString()));
    return answer.toString();
  }
}
