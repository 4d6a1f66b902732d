package org.paceline.onos.rest;

import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.paceline.control.UseCases;
import org.paceline.control.change.Role;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.policy.PolicyDifference;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;

/** The intent tree in force: read it, change it; each change is a version of the policy. */
@Path("v1/intents")
@Produces(MediaType.APPLICATION_JSON)
public final class IntentsResource {
  private final Supplier<UseCases> paceline;

  private final Latest<IntentTree, String> text = new Latest<>(IntentsText::json);

  IntentsResource(Supplier<UseCases> paceline) {
    this.paceline = paceline;
  }

  @GET
  @Operation(
      needs = Role.VIEWER,
      does = "The intent tree in force, with every table that it uses.",
      answer = "Intents")
  public String getIntents() {
    return text.of(paceline.get().policies().tree());
  }

  @PUT
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      needs = Role.BRANCH,
      does = "Puts another intent tree in force.",
      takes = "Intents",
      answer = "Intents")
  public String replaceIntents(byte[] body, @Context ContainerRequestContext request) {
    IntentTree tree = IntentsText.read(body);
    return change(request, "The intents are replaced.", body, now -> tree);
  }

  @PUT
  @Path("{path: .+}")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      needs = Role.BRANCH,
      does = "Says what one node of the tree sets itself; what it leaves out it inherits.",
      takes = "IntentPolicy",
      answer = "Intents")
  public String setIntent(
      @PathParam("path") String path, byte[] body, @Context ContainerRequestContext request) {
    IntentPath node = IntentPath.parse(path);
    // Whoever may not change it need not have it read.
    Caller.user(request).mustBeAllowed(Set.of(node));
    return change(
        request,
        "The intent (" + node + ") is set.",
        body,
        now -> {
          Policy policy = IntentsText.policy(body, now);
          return now.with(node, policy);
        });
  }

  @DELETE
  @Path("{path: .+}")
  @Operation(
      needs = Role.BRANCH,
      does = "Takes a branch away from the tree.",
      success = 204,
      refuses = {400, 404})
  public Response removeIntent(
      @PathParam("path") String path, @Context ContainerRequestContext request) {
    IntentPolicies policies = paceline.get().policies();
    IntentPath node = IntentPath.parse(path);
    if (!policies.tree().contains(node)) {
      throw new Problems.Missing(
          "There is no intent ("
              + node
              + "). Maybe you meant "
              + String.join(" or ", policies.nearest(path))
              + ".");
    }
    change(
        request,
        "The intent (" + node + ") is taken away.",
        new byte[0],
        now -> now.contains(node) ? now.without(node) : now);
    return Response.noContent().build();
  }

  private String change(
      ContainerRequestContext request,
      String reason,
      byte[] body,
      UnaryOperator<IntentTree> change) {
    return IntentsText.json(
        paceline
            .get()
            .versions()
            .commit(
                Caller.author(request),
                reason,
                IntentsText.text(body),
                now -> {
                  IntentTree next = change.apply(now);
                  Set<IntentPath> nodes = PolicyDifference.changed(now, next);
                  Caller.user(request).mustBeAllowed(nodes);
                  return next;
                },
                Optional.empty())
            .tree());
  }
}
